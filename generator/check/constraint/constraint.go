package constraint

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"
)

// Constraint is a compiled expression.
type Constraint struct {
	// Variables are the names that the expression reads from vars, sorted.
	Variables []string

	program cel.Program
}

// costLimit ends an expression that would run for seconds.
const costLimit = 1_000_000

// Compile checks an expression. The error points into it.
func Compile(expr string) (*Constraint, error) {
	env, err := cel.NewEnv(
		cel.Variable("vars", cel.MapType(cel.StringType, cel.StringType)),
		ext.Strings(), library.IP(), library.CIDR(), library.Regex(), library.Lists(), addresses(),
	)
	if err != nil {
		return nil, fmt.Errorf("set up CEL: %w", err)
	}
	checked, issues := env.Compile(expr)
	if issues.Err() != nil {
		return nil, issues.Err()
	}
	if checked.OutputType() != cel.BoolType {
		return nil, fmt.Errorf("the expression is of the type %s: it must say true or false", checked.OutputType())
	}
	program, err := env.Program(checked, cel.CostLimit(costLimit))
	if err != nil {
		return nil, err
	}
	return &Constraint{Variables: variablesOf(checked), program: program}, nil
}

// Eval says whether the constraint holds. The error is for variables that it cannot be asked about, such as one that is
// missing, or no address.
func (c *Constraint) Eval(vars map[string]string) (bool, error) {
	value, _, err := c.program.Eval(map[string]any{"vars": vars})
	if err != nil {
		return false, err
	}
	holds, ok := value.Value().(bool)
	if !ok {
		return false, fmt.Errorf("the expression gives %v, not true or false", value.Value())
	}
	return holds, nil
}

// variablesOf collects vars.NAME and vars["NAME"].
func variablesOf(checked *cel.Ast) []string {
	names := map[string]bool{}
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.SelectKind:
			if isVars(e.AsSelect().Operand()) {
				names[e.AsSelect().FieldName()] = true
			}
		case ast.CallKind:
			call := e.AsCall()
			if call.FunctionName() != "_[_]" || len(call.Args()) != 2 || !isVars(call.Args()[0]) || call.Args()[1].Kind() != ast.LiteralKind {
				return
			}
			if name, ok := call.Args()[1].AsLiteral().Value().(string); ok {
				names[name] = true
			}
		}
	}))
	return slices.Sorted(maps.Keys(names))
}

func isVars(e ast.Expr) bool { return e.Kind() == ast.IdentKind && e.AsIdent() == "vars" }
