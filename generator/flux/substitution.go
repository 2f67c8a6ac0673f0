package flux

// Substitution is what a Kustomization's spec.postBuild does to its objects.
type Substitution struct {
	// Declared says that there is a spec.postBuild. Without one, ${VAR} ships as it stands.
	Declared bool
	// Active says that variables are replaced: there is one, or the strategy is Always.
	Active bool
	// Strict says that an undefined variable is an error (Flux 2.9 and later); otherwise it becomes the empty string.
	Strict bool
	// Variables are the values that are known, by name.
	Variables map[string]Variable
	// Missing are the references that are not optional and that nothing in the environment makes.
	Missing []Reference
	// Unseen are the references whose values the checkout does not show. Undefined variables may come from them, so they
	// stay in the objects as ${VAR}.
	Unseen []Reference
}

// Variable is a value that takes part in the substitution.
type Variable struct {
	Value string
	// From says where the value that wins comes from; its zero value is spec.postBuild.substitute.
	From Reference
	// Object is the ConfigMap or Secret; nil for spec.postBuild.substitute.
	Object *Object
}

// Reference is an entry of spec.postBuild.substituteFrom.
type Reference struct {
	Kind     string `json:"kind"`
	Name     string `json:"name"`
	Optional bool   `json:"optional,omitempty"`
	// Reason says why it is missing or unseen.
	Reason string `json:"reason,omitempty"`
}

// Use is a variable that an object's text refers to.
type Use struct {
	Name string
	// Defaulted says that every reference brings a default of its own.
	Defaulted bool
	// Defined says that there is a value.
	Defined bool
	// Unseen says that the value may stand in something that cannot be seen.
	Unseen bool
}
