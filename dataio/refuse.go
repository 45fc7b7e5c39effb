package dataio

import (
	"fmt"
	"slices"
	"strings"

	"github.com/inklinghq/inkling/hint"
)

// refuseAs refuses to read format as anything but one of the kinds.
func refuseAs(name, format string, opt Options, kinds ...string) error {
	if opt.As == "" || slices.Contains(kinds, opt.As) {
		return nil
	}
	return &Error{File: name, Msg: fmt.Sprintf("%s cannot be read as %s, only as %s", format, opt.As, strings.Join(kinds, " or "))}
}

// refuseColumns refuses options that name columns, for formats whose columns
// have no names; label is the one value of Options.Label that makes sense.
func refuseColumns(name, format string, opt Options, label string) error {
	var given string
	if opt.IfNamed {
		opt.ID, opt.Text = "", ""
	}
	switch {
	case opt.ID != "":
		given = "the id column " + opt.ID
	case opt.Label != "" && opt.Label != label:
		given = "the label column " + opt.Label
	case opt.Text != "":
		given = "the text column " + opt.Text
	case len(opt.Drop) > 0:
		given = "column " + opt.Drop[0]
	case len(opt.Columns) > 0:
		given = "column " + opt.Columns[0]
	default:
		return nil
	}
	e := &Error{File: name, Msg: fmt.Sprintf("%s has no named columns, so not %s", format, given)}
	if label != "" {
		e.Hint = hint.Sprintf("the label column can be %q", label)
	}
	return e
}

// Rows cost memory even where nothing stands in them. Columns cost it later,
// in what is made of the rows; hashed features are commonly below 2²⁴.
const (
	freeRows    = 1 << 20
	freeColumns = 1 << 24
)

// outOfProportion tells a size that the entries read do not justify: a forged
// or mistaken number that would cost memory. A size up to free costs little.
func outOfProportion(size, free, entries int) bool { return size > free && size/64 > entries }

func implausible(size, entries int) bool { return outOfProportion(size, 1<<22, entries) }

// counted joins a number and a noun: "1 edge", "2 edges".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "x") {
		return fmt.Sprintf("%d %ses", n, noun)
	}
	if strings.HasSuffix(noun, "y") {
		return fmt.Sprintf("%d %sies", n, noun[:len(noun)-1])
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
