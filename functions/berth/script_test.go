package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"berth": main})
}

// TestScripts runs testdata/script/*.txtar: command lines as the documentation shows them, and what they print. The
// scripts that need kustomize run the real one, which `make test` builds and names in BERTH_KUSTOMIZE; kpt is used
// where it is installed. A script that cannot run says so and is skipped.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("BERTH_UPDATE") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds:                clusterCommands,
		Setup: func(env *testscript.Env) error {
			if kustomize := os.Getenv("BERTH_KUSTOMIZE"); kustomize != "" {
				env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize))
			}
			return nil
		},
	})
}
