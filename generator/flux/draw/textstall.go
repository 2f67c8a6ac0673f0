package draw

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/berth-dev/berth/generator/flux"
)

func textStall(b *bytes.Buffer, p Picture) {
	s := p.Stall
	line(b, "", fmt.Sprintf("If %s never becomes ready:", s.ID))
	fmt.Fprintln(b)
	if len(s.Held)+len(s.NotReady) == 0 {
		line(b, "", "nothing stalls: no Kustomization waits for it.")
		return
	}
	if len(s.Held) > 0 {
		line(b, "", fmt.Sprintf("%s not applied, with %s:",
			plural(len(s.Held), "Kustomization"), plural(len(s.Objects), "object")))
		textStalled(b, s.Held)
		textKinds(b, s.Objects)
	}
	if len(s.NotReady) > 0 {
		if len(s.Held) > 0 {
			fmt.Fprintln(b)
		}
		line(b, "", plural(len(s.NotReady), "Kustomization")+" applied, but not ready:")
		textStalled(b, s.NotReady)
	}
}

func textStalled(b *bytes.Buffer, all []flux.Stalled) {
	for _, s := range all {
		how := map[flux.Because]string{
			flux.BecauseDependsOn: "depends on", flux.BecauseInside: "is declared by", flux.BecauseWait: "waits for",
		}[s.Because]
		if how == "" {
			how = "is held itself, like" // its own objects are not applied, so it is not ready either
		}
		text := fmt.Sprintf("%s %s %s", s.ID, how, s.Behind)
		if s.Maybe {
			text += " (a readyExpr may let it pass)"
		}
		line(b, "  ", text)
	}
}

// textKinds counts the objects by kind, the most frequent first.
func textKinds(b *bytes.Buffer, objects []*flux.Object) {
	counts := map[string]int{}
	for _, o := range objects {
		counts[o.Kind]++
	}
	kinds := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	text := "objects:"
	for i, kind := range kinds {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %d %s", counts[kind], kind)
	}
	line(b, "  ", text)
}
