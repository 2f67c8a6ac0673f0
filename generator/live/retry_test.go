package live

import (
	"context"
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestWhatIsTriedAgain(t *testing.T) {
	node := schema.GroupResource{Resource: "nodes"}
	cases := map[string]struct {
		err   error
		tries int
	}{
		"a conflict":                            {apierrors.NewConflict(node, "n", errors.New("modified")), 3},
		"a server that is up again in a moment": {apierrors.NewServiceUnavailable("starting"), 3},
		"a server that is busy":                 {apierrors.NewTooManyRequests("busy", 1), 3},
		"a refusal":                             {apierrors.NewForbidden(node, "n", errors.New("no")), 1},
		"a node that is gone":                   {apierrors.NewNotFound(node, "n"), 1},
	}
	retry := Retry{First: time.Microsecond, Longest: time.Millisecond, Patience: time.Minute}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			tries := 0
			err := retry.do(t.Context(), rewrite, func(context.Context) error {
				if tries++; tries == 3 {
					return nil
				}
				return c.err
			})
			if tries != c.tries || (err == nil) != (c.tries == 3) {
				t.Errorf("%d tries, %v", tries, err)
			}
		})
	}
}

func TestAnInterruptionEndsTheTries(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	retry := Retry{First: time.Hour, Longest: time.Hour, Patience: 2 * time.Hour}
	err := retry.do(ctx, rewrite, func(context.Context) error {
		cancel()
		return apierrors.NewServiceUnavailable("starting")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
