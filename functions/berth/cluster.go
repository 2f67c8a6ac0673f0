package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	_ "k8s.io/client-go/plugin/pkg/client/auth/oidc" // kubeconfigs may ask for it; exec plugins need no import
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
	"github.com/berth-dev/berth/generator/live"
)

// How many requests a second, as kubectl allows itself.
const (
	requestsPerSecond = 50
	requestBurst      = 300
)

// clusterFlags say which cluster is meant, in the words of kubectl.
type clusterFlags struct {
	kubeconfig string
	context    string
	as         string
	timeout    time.Duration
}

func (c *clusterFlags) add(f *pflag.FlagSet) {
	f.StringVar(&c.kubeconfig, "kubeconfig", "", "kubeconfig file (default: $KUBECONFIG, ~/.kube/config, or the pod's own service account)")
	f.StringVar(&c.context, "context", "", "context of the kubeconfig")
	f.StringVar(&c.as, "as", "", "user to impersonate")
	f.DurationVar(&c.timeout, "request-timeout", 30*time.Second, "how long one request to the server may take")
}

// open connects to the cluster. Nothing is sent yet.
func (c *clusterFlags) open() (*live.Cluster, error) {
	config, err := c.restConfig()
	if err != nil {
		return nil, err
	}
	return live.Connect(config)
}

func (c *clusterFlags) restConfig() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.kubeconfig
	rules.DefaultClientConfig = &clientcmd.DefaultClientConfig // no localhost:8080 where nothing is configured
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.context}
	overrides.AuthInfo.Impersonate = c.as
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	switch {
	case clientcmd.IsEmptyConfig(err):
		return nil, errors.New("no cluster is configured: name a kubeconfig with --kubeconfig or $KUBECONFIG (k3s writes /etc/rancher/k3s/k3s.yaml)")
	case err != nil:
		return nil, fmt.Errorf("read kubeconfig: %w", err)
	}
	config.QPS, config.Burst, config.Timeout = requestsPerSecond, requestBurst, c.timeout
	config.UserAgent = rest.DefaultKubernetesUserAgent()
	config.WarningHandler = rest.NoWarnings{}
	return config, nil
}

// interruptible returns a context that ends on Ctrl-C and when a pod is stopped.
func interruptible() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
}

// lookEvery is how often a command that waits looks where it may not watch.
const lookEvery = 2 * time.Second

// following is how commands follow a cluster: what there is to know goes to standard error.
func following(io streams, look func(*live.Snapshot) (bool, error)) live.Following {
	return live.Following{Look: look, Every: lookEvery, Say: func(text string) { fmt.Fprintln(io.err, text) }}
}

// within returns a context that ends when the waiting does. Without --wait, a single look may take as long as it takes.
func within(ctx context.Context, wait time.Duration) (context.Context, context.CancelFunc) {
	if wait == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, wait)
}

// site is a cluster and the intents that it is held against.
type site struct {
	*live.Cluster
	intents []*v1alpha1.TaintIntent
}

// openSite reads the intents of files and connects to the cluster: what berth diff and berth apply begin with. DevicePlugins
// in the files are for berth confirm.
func (c *clusterFlags) openSite(files []string, output string) (*site, error) {
	if err := textOrJSON(output); err != nil {
		return nil, err
	}
	in, err := readInputs(files, nil)
	if err != nil {
		return nil, err
	}
	if len(in.intents) == 0 && len(files) > 0 {
		return nil, fmt.Errorf("read intent: %s: no TaintIntent", strings.Join(files, ", "))
	}
	cluster, err := c.open()
	return &site{cluster, in.intents}, err
}
