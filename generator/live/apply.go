package live

import (
	"context"
	"errors"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/berth-dev/berth/generator/finding"
)

// Event is one step that was taken.
type Event struct {
	Step int // from 0
	Kind StepKind
	Node string
	// Deltas are what was really changed, which is less than the plan says when somebody else did it meanwhile.
	Deltas []Delta
}

// Blocked is why a plan stopped: a step is not safe yet.
type Blocked struct {
	Step     int
	Blockers []finding.Finding
}

func (b *Blocked) Error() string {
	var lines []string
	for _, f := range b.Blockers {
		lines = append(lines, "  "+f.String())
	}
	return fmt.Sprintf("step %d is not safe yet:\n%s", b.Step+1, strings.Join(lines, "\n"))
}

// DryRun asks the server to do everything that the plan does, without doing it.
func (c *Cluster) DryRun(ctx context.Context, p *Plan) error {
	for _, step := range p.Steps {
		if step.Kind != SetNode {
			continue // to uncordon needs the taint first, and the same right
		}
		if _, err := c.change(ctx, step.Node, toWant(p.wants[step.Node]), true); err != nil {
			return fmt.Errorf("dry run: %w", err)
		}
	}
	return nil
}

// Apply takes the steps of a plan in order. It stops at the first that is not safe (a *Blocked) and at the first that
// fails. Each write starts from what the node is at that moment, so that a plan which was interrupted can be made and
// applied anew.
func (c *Cluster) Apply(ctx context.Context, p *Plan, report func(Event)) error {
	for i, step := range p.Steps {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%d of %d steps are done: %w; run berth apply again to go on", i, len(p.Steps), err)
		}
		if len(step.Blockers) > 0 {
			return &Blocked{Step: i, Blockers: step.Blockers}
		}
		deltas, err := c.take(ctx, p, step)
		if err != nil {
			return fmt.Errorf("%d of %d steps are done: %w", i, len(p.Steps), err)
		}
		report(Event{Step: i, Kind: step.Kind, Node: step.Node, Deltas: deltas})
	}
	return nil
}

func (c *Cluster) take(ctx context.Context, p *Plan, step Step) ([]Delta, error) {
	switch step.Kind {
	case SetNode:
		return c.change(ctx, step.Node, toWant(p.wants[step.Node]), false)
	case UncordonNode:
		return c.change(ctx, step.Node, uncordon(p.wants[step.Node]), false)
	case Verify:
		return nil, c.verify(ctx, p)
	default:
		return nil, nil
	}
}

// verify reads each node that the plan changed once more.
func (c *Cluster) verify(ctx context.Context, p *Plan) error {
	var wrong []error
	for _, step := range p.Steps {
		if step.Kind != SetNode && step.Kind != UncordonNode {
			continue
		}
		wrong = append(wrong, c.Retry.do(ctx, rewrite, func(ctx context.Context) error { return c.verifyNode(ctx, p, step) }))
	}
	return errors.Join(wrong...)
}

func (c *Cluster) verifyNode(ctx context.Context, p *Plan, step Step) error {
	node, err := c.client.Resource(nodes).Get(ctx, step.Node, metav1.GetOptions{})
	if err != nil {
		return c.fault("reading node "+step.Node, right{"get", nodes}, err)
	}
	decide := toWant(p.wants[step.Node])
	if step.Kind == UncordonNode {
		decide = uncordon(p.wants[step.Node])
	}
	out, err := decide(node)
	if err == nil && out.patch != nil {
		err = fmt.Errorf("node %s: something else undid what was written: %s", step.Node, out.deltas[0])
	}
	return err
}
