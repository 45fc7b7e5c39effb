package door

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/inklinghq/inkling/internal/input/example"
	"github.com/inklinghq/inkling/internal/support/hint"
)

// BuiltinPrefix is how the paths of built-in files begin: example:iris.csv.
const BuiltinPrefix = "example:"

// Builtin returns the bytes of a built-in file. found is false for a path that
// does not begin with BuiltinPrefix; a path that does and names no file is an
// error.
func Builtin(path string) (b []byte, found bool, err error) {
	name, found := strings.CutPrefix(path, BuiltinPrefix)
	if !found {
		return nil, false, nil
	}
	b, meant, err := example.Content(name)
	if err != nil || b != nil {
		return b, true, err
	}
	bad := &InputError{File: path, Msg: "there is no such built-in file", Hint: "`inkling example` lists the built-in data"}
	if meant != "" {
		bad.Hint = hint.Sprintf("did you mean %s? %s", BuiltinPrefix+meant, bad.Hint)
	}
	return nil, true, bad
}

// suggestBuiltin points somebody who asks for a file that does not exist, but is
// built in, to that one.
func suggestBuiltin(path string, err error) error {
	var bad *InputError
	if !errors.As(err, &bad) || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, found, none := Builtin(BuiltinPrefix + path); found && none == nil {
		bad.Hint = hint.Sprintf("did you mean %s, which is built in?", BuiltinPrefix+path)
	}
	return err
}
