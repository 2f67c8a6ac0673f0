package live

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// mirror holds the objects of one resource as a reflector hands them on. Its methods are those of cache.ReflectorStore.
type mirror struct {
	reading
	changed func()
	broken  func(error) // an object that cannot be read, which ends the whole

	mu    sync.Mutex
	parts map[string]part // by namespace/name; nil before the first list
}

// addTo adds what the mirror holds; false before it has been filled.
func (m *mirror) addTo(s *Snapshot) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, add := range m.parts { // a snapshot is sorted in the end
		add(s)
	}
	return m.parts != nil
}

// Replace takes what a list holds for everything that there is.
func (m *mirror) Replace(list []any, _ string) error {
	parts := make(map[string]part, len(list))
	for _, object := range list {
		id, add, err := m.read(object)
		if err != nil {
			return err
		}
		parts[id] = add
	}
	m.mu.Lock()
	m.parts = parts
	m.mu.Unlock()
	m.changed()
	return nil
}

// Add takes an object that is new.
func (m *mirror) Add(object any) error { return m.Update(object) }

// Update takes an object that changed.
func (m *mirror) Update(object any) error {
	id, add, err := m.read(object)
	if err != nil {
		return err
	}
	m.set(id, add)
	return nil
}

// Delete forgets an object.
func (m *mirror) Delete(object any) error {
	if from, ok := object.(*unstructured.Unstructured); ok {
		m.set(idOf(from), nil)
	}
	return nil
}

// Resync is for stores that hand on again what they hold.
func (m *mirror) Resync() error { return nil }

func (m *mirror) set(id string, add part) {
	m.mu.Lock()
	if add == nil {
		delete(m.parts, id)
	} else {
		m.parts[id] = add
	}
	m.mu.Unlock()
	m.changed()
}

func (m *mirror) read(object any) (string, part, error) {
	from, ok := object.(*unstructured.Unstructured)
	if !ok {
		return "", nil, fmt.Errorf("following %s: the server sent %T", m.of.Resource, object)
	}
	add, err := m.decode(from)
	if err != nil {
		m.broken(err)
	}
	return idOf(from), add, err
}

func idOf(from *unstructured.Unstructured) string { return from.GetNamespace() + "/" + from.GetName() }
