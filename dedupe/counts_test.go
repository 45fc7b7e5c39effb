package dedupe

import "testing"

// Words may be left out of a text or written wrong, but numbers that count something tell things apart: volumes, sizes, parts.
func TestCountsInTexts(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		best, worst level
	}{
		{"Trofa kettle 16 L black", "Trofa kettle 16l black", near, near},
		{"Trofa kettle 16 L black", "Trofa kettle black", replaced, replaced},
		{"Trofa kettle 16 L black", "Trofa kettle 32 L black", weak, weak},
		{"Trofa kettle 016 L black", "Trofa ketle 16 L black", near, near},
		{"Brajoba vol. 2", "Brajoba vol. II", near, similar},
		{"Brajoba vol. 2", "Brajoba vol. III", weak, weak},
		{"Brajoba klom 1984", "Brajoba klom 1985", near, near}, // a year may be a typing error
		{"Brajoba klom", "Brajoba klom nuli", similar, similar},
	} {
		r := &Records{Fields: []string{"title"}, Cells: [][]string{{c.a, c.b, "Nuli sapro", "Wert hanko"}}, Kinds: []string{"text"}}
		d, err := newDistinct(t.Context(), r, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.compareValues(d.valuesOf(d.of[0])[0], d.valuesOf(d.of[1])[0]); got < c.best && c.a != c.b && d.of[0] != d.of[1] || got > c.worst {
			t.Errorf("%q and %q: level %d, want %d to %d", c.a, c.b, got, c.best, c.worst)
		}
	}
}
