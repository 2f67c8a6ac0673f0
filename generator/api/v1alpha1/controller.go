package v1alpha1

// Controller names the controller that adds and removes a taint of this key by itself, such as the node lifecycle
// controller; it is empty for a key of your own.
func (t Taint) Controller() string { return controllerOf(t.Key) }
