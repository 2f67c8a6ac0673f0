package main

// onlyFiles tells whether every entry of the intents is about a values file, so that no render is needed.
func (in *inputs) onlyFiles() bool {
	files := 0
	for _, intent := range in.intents {
		for _, allow := range intent.Spec.Allow {
			if allow.HelmValues == nil {
				return false
			}
			files++
		}
		for _, deny := range intent.Spec.Deny {
			if deny.HelmValues == nil {
				return false
			}
			files++
		}
	}
	return files > 0
}
