package example

import (
	"errors"
	"fmt"
	"strings"
)

// An Entry is one built-in set in the list.
type Entry struct {
	Name  string
	Title string
	load  func() (*Set, error)
}

// ErrUnknown is wrapped by Load's error for a name that is not in the list.
var ErrUnknown = errors.New("no such built-in set")

// List returns the built-in sets, in the order in which to show them.
func List() []Entry {
	return []Entry{
		{"iris", "150 iris flowers of 3 species, 4 measurements in cm", loadIris},
		{"wine", "178 wines of 3 cultivars, 13 measurements on very different scales", loadWine},
		{"blobs", "1000 points, 10 overlapping Gaussian clusters in 16 dimensions", loadBlobs},
		{"two-moons", "200 points on 2 interlocking half circles", loadTwoMoons},
		{"two-circles", "300 points on 2 circles, one inside the other", loadTwoCircles},
		{"noisy-moons", "500 points on 2 interlocking half circles and 100 points of background noise", loadNoisyMoons},
		{"text", "78 short English texts on cooking, astronomy and football", loadText},
		{"graph", "400 nodes in 4 groups, with more edges inside groups than between them", loadGraph},
		{"contacts", "300 address records of 100 invented people, with typing errors, swapped and missing cells", loadContacts},
		{"six-nodes", "6 nodes, 7 edges: the worked example of the paper on constrained spectral clustering", loadSixNodes},
		{"scene", "an image of 192 by 128 pixels, a balloon over hills, with strokes", loadScene},
	}
}

// Names returns the names of the built-in sets.
func Names() []string {
	var names []string
	for _, e := range List() {
		names = append(names, e.Name)
	}
	return names
}

// Load returns a built-in set, a new copy each time.
func Load(name string) (*Set, error) {
	for _, e := range List() {
		if e.Name != name {
			continue
		}
		s, err := e.load()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Name, s.Title = e.Name, e.Title
		if s.Source == "" {
			s.Source, s.Licence = "made for inkling", "Apache-2.0"
		}
		return s, nil
	}
	return nil, fmt.Errorf("%q: %w; there are %s", name, ErrUnknown, strings.Join(Names(), ", "))
}
