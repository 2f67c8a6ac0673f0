package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/berth-dev/berth/generator/api/strict"
	"github.com/berth-dev/berth/generator/check"
	"github.com/berth-dev/berth/generator/finding"
)

// All returns every rule, by group and code.
func All() []*check.Rule {
	all := []*check.Rule{
		allowNotArrived, blanketToleration, daemonSetUndecided, denyNotArrived, entryMatchesNothing, generatedStale, helmJobStranded,
		hiddenGrant, noHome, nodeManifest, nodeNameBypass, pinnedUntolerated, planStranded, recordMissing, recordStale,
		serviceLBStranded, tolerationEmptied, tolerationInvalid, tolerationUnlisted,

		constraintBroken, placeholder, shellExpansion, substituteFromMissing, substitutionFailed, substitutionMissing,
		valueHardcoded, valueTypeChanged, variableInherited, variableUndefined, variablesNotFound,

		buildFailed, kustomizationInvalid, namespaceMissing, notAString, objectTwice, overlayAdds, overlayForks, overlayPatches,
		pathNotFound, sourceMissing, strayIntent, yamlUnreached,

		crdDeadlock, crdOrder, dependsOnCycle, dependsOnMissing, dependsOnSuspended, optionalGates, storageProfileLate,
		listReplaced, patchMatchesNothing, tolerationsReplaced,
		consumerMatchesNothing, consumerNotArrived, deviceHostPath, evidenceMissing, imageUnpinned, remoteBase, resourceUnadvertised, stageNotConsume,
		encryptedUndecrypted, plainSecret,
		ignoreExpired, ignoreUnused, intentInvalid,
	}
	slices.SortStableFunc(all, func(a, b *check.Rule) int {
		return cmp.Or(cmp.Compare(slices.Index(check.Groups(), a.Group), slices.Index(check.Groups(), b.Group)), cmp.Compare(a.Code, b.Code))
	})
	return all
}

// Find returns the rule of a code. The error names the code that was probably meant.
func Find(code string) (*check.Rule, error) {
	var codes []string
	for _, rule := range All() {
		if rule.Code == code {
			return rule, nil
		}
		codes = append(codes, rule.Code)
	}
	if near := strict.Nearest(code, codes); near != "" {
		return nil, fmt.Errorf("there is no rule %q: did you mean %s?", code, near)
	}
	return nil, fmt.Errorf("there is no rule %q: the rules are %s", code, strings.Join(codes, ", "))
}

var ignoreExpired = &check.Rule{
	Code: check.CodeIgnoreExpired, Group: check.Settings, Severity: finding.Error,
	Title: "The day until which a finding was accepted has passed",
	Help: `Each entry under spec.ignore of berth.yaml has a last day. After it the finding counts again, and the entry is reported until
somebody mends what it accepted or decides anew.`,
}

var ignoreUnused = &check.Rule{
	Code: check.CodeIgnoreUnused, Group: check.Settings, Severity: finding.Warning,
	Title: "An entry under spec.ignore accepts nothing",
	Help: `What the entry accepted is not found any more, or the entry names another file or object than the finding. It would hide the
next finding of its kind.

Remove the entry.`,
}
