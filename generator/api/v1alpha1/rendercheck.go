package v1alpha1

import "github.com/berth-dev/berth/generator/api/strict"

// RenderCheck tells berth check what a repository is meant to be: its environments, and what holds between them. It is the
// repository's berth.yaml.
type RenderCheck struct {
	TypeMeta `json:",inline"`
	// Metadata names the check.
	Metadata FileMeta `json:"metadata"`
	// Spec is what is checked.
	Spec RenderCheckSpec `json:"spec"`

	// origin says where each field was read from; nil for an object that was made in code.
	origin *strict.Index
}

// RenderCheckSpec is the body of a RenderCheck. All paths are relative to the repository's root, with slashes.
type RenderCheckSpec struct {
	// FluxVersion is the version of Flux in the cluster, such as "2.9". Default: the newest that Berth knows.
	FluxVersion string `json:"fluxVersion,omitempty" jsonschema:"pattern=^v?2\\.[0-9]+(\\.[0-9]+)?$"`
	// Environments are the folders that Flux is pointed at. Default: those that the repository itself shows.
	Environments []CheckedEnvironment `json:"environments,omitempty"`
	// Intents are the files with TaintIntents and DevicePlugins that hold for every environment. Default: those found in the
	// repository; one below an environment's folder then holds for that environment only.
	Intents []string `json:"intents,omitempty" jsonschema:"uniqueItems=true"`
	// Variables says what holds for the variables of postBuild.substituteFrom.
	Variables *CheckedVariables `json:"variables,omitempty"`
	// RuntimeCRDs are kinds that no manifest in Git defines: a controller makes their CRDs when it meets an object.
	RuntimeCRDs []RuntimeCRD `json:"runtimeCRDs,omitempty"`
	// Provides are extended resources, such as nvidia.com/gpu, that something outside the repository advertises.
	Provides []string `json:"provides,omitempty" jsonschema:"uniqueItems=true"`
	// Optional are Kustomizations, by name or namespace/name, that nothing may wait for.
	Optional []string `json:"optional,omitempty" jsonschema:"uniqueItems=true"`
	// Generated are the folders that berth generate wrote. Their content is compared with what it would write today.
	Generated []GeneratedPath `json:"generated,omitempty"`
	// RequireRecord demands that each environment applies the record of its intents, which proves that Berth's function ran
	// over the render and on which intent.
	RequireRecord bool `json:"requireRecord,omitempty"`
	// Ignore are findings that are known and accepted.
	Ignore []IgnoredFinding `json:"ignore,omitempty"`
}

// CheckedEnvironment is one entrypoint of Flux.
type CheckedEnvironment struct {
	// Name is what the report calls it.
	Name string `json:"name" jsonschema:"minLength=1"`
	// Path is its folder, such as clusters/dev.
	Path string `json:"path" jsonschema:"minLength=1"`
	// Stage is active, or design-only for an environment that no cluster reconciles yet: placeholders are then reported, and
	// are no error. Default: active.
	Stage EnvironmentStage `json:"stage,omitempty" jsonschema:"enum=active,enum=design-only,default=active"`
	// Intents are files as in spec.intents that hold for this environment only.
	Intents []string `json:"intents,omitempty" jsonschema:"uniqueItems=true"`
}

// EnvironmentStage says whether a cluster reconciles an environment.
type EnvironmentStage string

// The stages of an environment.
const (
	Active     EnvironmentStage = "active"
	DesignOnly EnvironmentStage = "design-only"
)

// Position says where a field, such as spec.ignore[0], stands in the file that the check was read from. It is the zero
// Position for an object that was made in code.
func (c *RenderCheck) Position(path string) strict.Position { return c.origin.Position(path) }
