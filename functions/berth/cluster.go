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
	"k8s.io/client-go/dynamic"
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
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", config.Host, err)
	}
	return live.NewCluster(client, config.Host), nil
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

// readLiveIntents reads the intents of files. DevicePlugins in them are for berth confirm.
func readLiveIntents(files []string) ([]*v1alpha1.TaintIntent, error) {
	in, err := readInputs(files, nil)
	if err != nil {
		return nil, err
	}
	if len(in.intents) == 0 {
		return nil, fmt.Errorf("read intent: %s: no TaintIntent", strings.Join(files, ", "))
	}
	return in.intents, nil
}
