package table

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A number written with a comma is the number.
func TestCommaNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := rapid.Float64Range(-1e9, 1e9).Draw(t, "y")
		s := strings.Replace(strconv.FormatFloat(y, 'f', rapid.IntRange(0, 6).Draw(t, "digits"), 64), ".", ",", 1)
		plain, ok, _ := ParseDecimalComma([]byte(s))
		if want := strings.Replace(s, ",", ".", 1); !ok || string(plain) != want {
			t.Fatalf("%s became %s, %v", s, plain, ok)
		}
	})
	for s, want := range map[string]string{
		"1.234,5": "1234.5", "12.345.678": "12345678", "-1.234": "-1234", "": "", "1.5": "", "1.5e5": "", "1.2345": "", ".500": "", "1,": "",
		"1,2,3": "", "--1,5": "", "1.234.56": "", "0001.234": "", ",5": ".5", "x": "",
	} {
		if plain, ok, _ := ParseDecimalComma([]byte(s)); ok != (want != "") || ok && string(plain) != want {
			t.Errorf("%q became %q, %v, want %q", s, plain, ok, want)
		}
	}
}
