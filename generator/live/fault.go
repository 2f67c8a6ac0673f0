package live

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
)

// right is what a request needs of the cluster's authorization.
type right struct {
	verb string
	on   schema.GroupVersionResource
}

// String is the right as a rule of a ClusterRole.
func (r right) String() string {
	return fmt.Sprintf(`{apiGroups: [%q], resources: [%s], verbs: [%s]}`, r.on.Group, r.on.Resource, r.verb)
}

// rbacDenial is how the API server says that no rule grants the request; an admission plugin's refusal is "forbidden" too.
var rbacDenial = regexp.MustCompile(`cannot \w+ resource "`)

// fault says what went wrong in words that help: which server, and which right is missing.
func (c *Cluster) fault(doing string, needs right, err error) error {
	var unknownAuthority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s on %s: %w", doing, c.Server, err)
	case apierrors.IsForbidden(err) && rbacDenial.MatchString(err.Error()):
		return fmt.Errorf("%s on %s: %w\nthe rule that is missing in a ClusterRole: %s", doing, c.Server, err, needs)
	case apierrors.IsUnauthorized(err):
		return fmt.Errorf("%s: %s does not accept the credentials of this context: %w", doing, c.Server, err)
	case errors.As(err, &unknownAuthority):
		return fmt.Errorf("%s: the certificate of %s is not from the authority that the kubeconfig names: %w", doing, c.Server, err)
	case unreachable(err):
		return fmt.Errorf("%s: cannot reach %s: %w\nis it up, and is it the cluster you mean? choose another with --kubeconfig or --context", doing, c.Server, root(err))
	}
	return fmt.Errorf("%s on %s: %w", doing, c.Server, err)
}

func unreachable(err error) bool {
	var network net.Error
	return errors.As(err, &network) || utilnet.IsConnectionRefused(err) || utilnet.IsConnectionReset(err) || utilnet.IsProbableEOF(err)
}

// root leaves out the request's URL, whose path tells a reader nothing.
func root(err error) error {
	var request *url.Error
	if errors.As(err, &request) {
		return request.Err
	}
	return err
}

// busy says that the server answered, and that the same request may work in a moment.
func busy(err error) bool {
	return apierrors.IsServerTimeout(err) || apierrors.IsTimeout(err) || apierrors.IsTooManyRequests(err) ||
		apierrors.IsServiceUnavailable(err) || apierrors.IsInternalError(err)
}

// passing says whether the same request may work in a moment: the server restarts or is busy.
func passing(err error) bool { return unreachable(err) || busy(err) }

// rewrite says whether a write may work in a moment: somebody else was faster, or the server is away.
func rewrite(err error) bool { return apierrors.IsConflict(err) || passing(err) }
