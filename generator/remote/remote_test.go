package remote

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatKustomizeWouldFetchIsFound(t *testing.T) {
	const url = "https://example.org/x"
	for text, want := range map[string]Found{
		"resources: [a.yaml, " + url + "]":                                    {Bases: []string{url}},
		"components: ['git@example.org:a/b.git']":                             {Bases: []string{"git@example.org:a/b.git"}},
		"bases: [github.com/a/b]":                                             {Bases: []string{"github.com/a/b"}},
		`resources: ["https:\x2f\x2fexample.org/x"]`:                          {Bases: []string{url}},
		"resources: ['HTTP://example.org/x']":                                 {Bases: []string{"HTTP://example.org/x"}},
		"generators: [github.com/a/b]":                                        {Files: []string{"github.com/a/b"}},
		"transformers: ['ssh://git@example.org/a/b.git']":                     {Files: []string{"ssh://git@example.org/a/b.git"}},
		"validators: [" + url + "]":                                           {Files: []string{url}},
		"crds: [" + url + "]":                                                 {Files: []string{url}},
		"configurations: [" + url + "]":                                       {Files: []string{url}},
		"openapi: {path: '" + url + "'}":                                      {Files: []string{url}},
		"patches: [{path: '" + url + "'}]":                                    {Files: []string{url}},
		"patches: ['" + url + "']":                                            {Files: []string{url}},
		"patchesStrategicMerge: ['" + url + "']":                              {Files: []string{url}},
		"patchesJson6902: [{target: {kind: A}, path: '" + url + "'}]":         {Files: []string{url}},
		"replacements: [{path: '" + url + "'}]":                               {Files: []string{url}},
		"configMapGenerator: [{name: a, files: ['" + url + "']}]":             {Files: []string{url}},
		"configMapGenerator: [{name: a, files: ['k=" + url + "']}]":           {Files: []string{url}},
		"configMapGenerator: [{name: a, envs: ['" + url + "']}]":              {Files: []string{url}},
		"secretGenerator: [{name: a, env: '" + url + "'}]":                    {Files: []string{url}},
		"configMapGenerator: [{name: a, literals: ['k=" + url + "']}]":        {},
		"commonAnnotations: {home: '" + url + "'}":                            {},
		"patches: [{patch: \"- {op: add, path: /a, value: '" + url + "'}\"}]": {},
		"resources: [a@b.yaml, ../base]":                                      {},
		"resources: [":                                                        {},
		"transformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: a}\n  path: " + url: {Files: []string{url}},
	} {
		if diff := cmp.Diff(want, Find([]byte(text))); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}

func TestAPluginsOwnFileIsLookedThrough(t *testing.T) {
	for text, want := range map[string][]string{
		"apiVersion: builtin\nkind: ConfigMapGenerator\nfiles: ['a=https://example.org/x']": {"https://example.org/x"},
		"apiVersion: builtin\nkind: PatchStrategicMergeTransformer\npaths: [a.yaml]":        nil,
		"apiVersion: v1\nkind: ConfigMap\ndata: {path: 'https://example.org/builtin'}":      nil,
	} {
		if diff := cmp.Diff(want, InPlugin([]byte(text))); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}
