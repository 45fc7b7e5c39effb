package table

import (
	"bytes"
	"fmt"

	"github.com/inklinghq/inkling/internal/input/dataio/source"
)

// pathRows is how many rows are looked at for the paths of nested keys, fewer where they are long.
const pathRows = 2000

// mostLevels is how many objects may be inside one another: a path has the keys of all of them, so that the paths of
// ever deeper objects would need memory by the square of what is read.
const mostLevels = 100

// tooDeep refuses what is inside more objects than that.
func tooDeep(l *jsonLine, level int) *source.Error {
	if level <= mostLevels {
		return nil
	}
	return l.refuseAt(l.i, "", fmt.Sprintf("more than %d objects are inside one another", mostLevels))
}

// nested reports whether keys of objects in objects are columns.
func (t *jsonTable) nested() bool { return t.opt.Mixed && t.parent != nil }

// readPaths returns the paths of the values in the first rows, such as device.os, in the order in which they are
// met. Lists of numbers have a width, that of the first that is not empty. A row that is wrong ends it: it is refused when it is read, the first one at once.
func (t *jsonTable) readPaths(text []byte) (names []string, err *source.Error) {
	t.width, t.parent = nil, map[string]bool{}
	known, empty := map[string]bool{}, map[string]int{}
	for n := 0; n < pathRows && len(text) > 0; n++ {
		row, rest, _ := bytes.Cut(text, []byte{'\n'})
		text = rest
		l := &jsonLine{b: row}
		if l.peek() == 0 {
			continue
		}
		if err = t.addPaths(l, "", 1, known, empty, &names); err != nil {
			if n == 0 {
				return nil, err
			}
			break
		}
		t.looked++
	}
	return names, nil
}

func (t *jsonTable) addPaths(l *jsonLine, prefix string, level int, known map[string]bool, empty map[string]int, names *[]string) *source.Error {
	if err := tooDeep(l, level); err != nil {
		return err
	}
	return eachKey(l, func(key []byte) *source.Error {
		path := prefix + string(key)
		switch c := l.peek(); {
		case c == '{' && !known[path]:
			t.parent[path] = true
			return t.addPaths(l, path+".", level+1, known, empty, names)
		case c == '[' && known[path]: // the first lists of the key were empty
			if j, ok := empty[path]; ok {
				if t.width[j] = t.widthOf(*l); t.width[j] != 0 {
					delete(empty, path)
				}
			}
			return l.skipValue()
		case c == 'n' && t.parent[path] || known[path]:
			return l.skipValue()
		case c == 'n': // it may be an object in another row
			if t.laterObject(l) {
				return l.skipValue()
			}
		}
		known[path] = true
		n := t.widthOf(*l)
		if n == 0 {
			empty[path] = len(t.width)
		}
		*names, t.width = append(*names, path), append(t.width, n)
		return l.skipValue()
	})
}

// widthOf returns how many numbers the list at l has; -1 of what is none, or a list of texts.
func (t *jsonTable) widthOf(l jsonLine) int {
	if l.peek() != '[' || listsTexts(l) {
		return -1
	}
	return elements(l)
}

// laterObject is for values that are null where they are first met: they are left until a row has them.
func (t *jsonTable) laterObject(l *jsonLine) bool {
	word := *l
	return string(word.readToken()) == "null"
}

// eachKey calls f after each key of the object at l.
func eachKey(l *jsonLine, f func(key []byte) *source.Error) *source.Error {
	if err := l.expect('{'); err != nil {
		return err
	}
	for n := 0; !l.takeByte('}'); n++ {
		if n > 0 {
			if err := l.expect(','); err != nil {
				return err
			}
		}
		key, err := l.readString()
		if err != nil {
			return err
		}
		key = bytes.Clone(key)
		if err := l.expect(':'); err != nil {
			return err
		}
		if err := f(key); err != nil {
			return err
		}
	}
	return nil
}

// listsTexts reports whether the array at l begins with something else than a number.
func listsTexts(l jsonLine) bool {
	l.i++
	switch c := l.peek(); c {
	case '"', '{', '[', 't', 'f':
		return true
	}
	return false
}

// parsePaths reads an object whose keys are columns by their paths.
func (t *jsonTable) parsePaths(b *block, l *jsonLine, prefix string, level int, seen []int, row []float64) *source.Error {
	if err := tooDeep(l, level); err != nil {
		return err
	}
	return eachKey(l, func(key []byte) *source.Error {
		path := prefix + string(key)
		j, ok := t.key[path]
		c := l.peek()
		switch {
		case !ok && t.parent[path] && c == '{':
			return t.parsePaths(b, l, path+".", level+1, seen, row)
		case !ok && (t.parent[path] || c == 'n'):
			return l.skipValue()
		case !ok:
			if len(t.opt.Columns) == 0 && t.opt.Text == "" {
				return l.refuseAt(l.i, "name the keys to keep with {columns}", fmt.Sprintf("key %s is not in the first %d objects", source.Clip([]byte(path)), t.looked))
			}
			return l.skipValue()
		case seen[j] == b.rows:
			return l.refuseAt(l.i, "", fmt.Sprintf("key %q stands twice in one object", path))
		}
		seen[j] = b.rows
		return t.parseValue(b, l, j, row)
	})
}
