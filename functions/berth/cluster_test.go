package main

import (
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"sigs.k8s.io/yaml"

	"github.com/berth-dev/berth/generator/live/livetest"
)

// The commands with which a script has a cluster: a small API server on loopback.
var clusterCommands = map[string]func(*testscript.TestScript, bool, []string){
	"cluster": startCluster,
	"deny":    denyRight,
	"node":    writeNode,
	"plugin":  execPlugin,
	"token":   demandToken,
	"webhook": denyPatches,
}

// startCluster is `cluster FILE`: a server with the objects of a file, a kubeconfig for it, and its address in $SERVER.
func startCluster(ts *testscript.TestScript, _ bool, args []string) {
	server, err := livetest.New(ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Defer(server.Close)
	kubeconfig, err := server.Kubeconfig(ts.Getenv("WORK"))
	ts.Check(err)
	ts.Setenv("KUBECONFIG", kubeconfig)
	ts.Setenv("SERVER", server.URL)
	servers.Store(ts.Getenv("WORK"), server)
}

// servers holds the server of each script by the script's folder. Scripts run side by side.
var servers sync.Map

func serverOf(ts *testscript.TestScript) *livetest.Server {
	server, found := servers.Load(ts.Getenv("WORK"))
	if !found {
		ts.Fatalf("there is no cluster: begin with cluster FILE")
	}
	return server.(*livetest.Server)
}

// denyRight is `deny VERB RESOURCE`.
func denyRight(ts *testscript.TestScript, _ bool, args []string) {
	serverOf(ts).Deny(args[0], args[1])
}

// demandToken is `token TOKEN`: every request has to bear it.
func demandToken(ts *testscript.TestScript, _ bool, args []string) {
	serverOf(ts).Token = args[0]
}

// denyPatches is `webhook MESSAGE`: every change is denied.
func denyPatches(ts *testscript.TestScript, _ bool, args []string) {
	serverOf(ts).OnPatch = func(string) string { return args[0] }
}

// execPlugin is `plugin COMMAND`: the kubeconfig's user is what a program says.
func execPlugin(ts *testscript.TestScript, _ bool, args []string) {
	user := "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: " + args[0] + "}"
	_, err := serverOf(ts).SecureKubeconfig(ts.Getenv("WORK"), user)
	ts.Check(err)
}

// writeNode is `node NAME FILE`: it writes a node as it is now, without what the server counts.
func writeNode(ts *testscript.TestScript, _ bool, args []string) {
	node := serverOf(ts).Node(args[0])
	node.SetResourceVersion("")
	text, err := yaml.Marshal(node.Object)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.TrimSpace(string(text))+"\n"), 0o600))
}
