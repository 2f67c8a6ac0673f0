package main

import (
	"github.com/spf13/cobra"

	"github.com/berth-dev/berth/generator/api/v1alpha1"
)

// newSchemaCommand returns `berth schema`, which prints what an editor needs to check and complete an intent file.
func newSchemaCommand(io streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [KIND]",
		Short: "Print the JSON Schema of a kind, for editors and validators",
		Long: `Print the JSON Schema (draft-07) of one of Berth's kinds; without KIND, of TaintIntent.

It knows the fields, their types and spellings. What fields say to each other, such as the name of
a taint that does not exist, only the commands that read the file check.`,
		Example: `  berth schema > taintintent.schema.json
  # then, as the first line of the intent, for every editor that runs yaml-language-server:
  # yaml-language-server: $schema=taintintent.schema.json`,
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: v1alpha1.SchemaKinds(),
		RunE: func(_ *cobra.Command, args []string) error {
			kind := v1alpha1.KindTaintIntent
			if len(args) > 0 {
				kind = args[0]
			}
			schema, err := v1alpha1.Schema(kind)
			if err != nil {
				return err
			}
			_, err = io.out.Write(schema)
			return err
		},
	}
}
