package columns_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// A number that stands for missing values in two columns does so in the others, however seldom, unless
// it is among their values or the column was named.
func TestSentinelsAreShared(t *testing.T) {
	text := numbersTable("kind,a,b,seldom,age,named", 60, func(i int) string {
		cells := []int{1 + i%5, 1 + i*3%5, 1 + i*7%5, 20 + i*83/60, 1 + i*2%5}
		if i%12 == 0 {
			cells[0] = 99
		}
		if i%11 == 0 {
			cells[1] = 99
		}
		if i == 17 {
			cells[2], cells[3], cells[4] = 99, 99, 99
		}
		return fmt.Sprintf("%c,%d,%d,%d,%d,%d", 'p'+i%3, cells[0], cells[1], cells[2], cells[3], cells[4])
	})
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Number: []string{"named"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Columns {
		want := slices.Contains([]string{"a", "b", "seldom"}, c.Name)
		if got := slices.Contains(c.Spec.Sentinels, 99); got != want {
			t.Errorf("%s: 99 taken as missing: %v (%s)", c.Name, got, c.Why)
		}
	}
}
