package flux

import "github.com/berth-dev/berth/generator/stream"

// Copy returns a copy of the object that may be edited.
func (o *Object) Copy() *stream.Item { return stream.New(o.node.Copy()) }
