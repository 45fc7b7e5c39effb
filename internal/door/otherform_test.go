package door_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
)

// Whole numbers that name rows are found whether they are written with a decimal 0 or without; what is another number is not.
func TestWholeNumbersAsIDs(t *testing.T) {
	for _, id := range []string{"", "customer"} { // found, and named: then the ids are as they are written
		for _, form := range []string{"%d", "%d.0"} {
			table := "customer,a,kind\n"
			for i := range 40 {
				table += fmt.Sprintf(form+",%d,%s\n", 17000+37*i, i%7, []string{"u", "v"}[i%2])
			}
			read, err := door.Read(context.Background(), strings.NewReader(table), "t.csv", door.Source{ID: id})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				id   string
				want int
			}{{"17037", 1}, {"17037.0", 1}, {"17037.5", -1}, {"17038.0", -1}, {"x.0", -1}, {"", -1}} {
				if i, ok := read.Row(c.id); ok != (c.want >= 0) || ok && i != c.want {
					t.Errorf("id %q, rows "+form+": %q is row %d, %v; want %d", id, 17037, c.id, i, ok, c.want)
				}
			}
		}
	}
}
