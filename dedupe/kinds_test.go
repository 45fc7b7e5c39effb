package dedupe

import "testing"

// The kind of a field follows from its cells; the name decides only between kinds that look alike.
func TestDetectKind(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells []string
		want  kind
	}{
		{"x", []string{"a@b.test", "c.d@e.test", "n/a"}, email},
		{"born", []string{"1954-09-07", "07.09.1954", "13/02/2001"}, date},
		{"tel", []string{"+49 89 1234567", "089/1234567", "0049 89 123456"}, phone},
		{"price", []string{"12.50", "1.234,50 €", "$ 7"}, number},
		{"zip", []string{"10115", "80331", "22767"}, code},
		{"model", []string{"AB-1234", "ZX 99", "QQ17"}, code},
		{"street", []string{"Elm Street 4", "12 High Road", "Am Markt 7"}, address},
		{"last name", []string{"Müller", "O'Neill", "de la Cruz"}, person},
		{"company name", []string{"Müller", "Bauer", "Klein"}, text},
		{"title", []string{"a long title of some work about many things", "another one about much else"}, text},
		{"empty", []string{"", "-", "n/a"}, text},
	} {
		if got := detectKind(test.name, test.cells); got != test.want {
			t.Errorf("%s %q: %v, want %v", test.name, test.cells, got, test.want)
		}
	}
}

func compared(t *testing.T, k, a, b string) level {
	t.Helper()
	r := &Records{Fields: []string{"f"}, Kinds: []string{k}, Cells: [][]string{{a, b, "other words", "31.12.1999"}}}
	d, err := newDistinct(t.Context(), r, 1)
	if err != nil {
		t.Fatal(err)
	}
	return d.compareValues(d.valuesOf(d.of[0])[0], d.valuesOf(d.of[1])[0])
}

func TestComparators(t *testing.T) {
	for _, test := range []struct {
		kind, a, b string
		want       level
	}{
		{"person", "Anna Lind", "Lind, Anna", equal},
		{"person", "Elizabeth", "Liz", near},
		{"person", "Иван Петров", "Ivan Petrov", equal},
		{"person", "A. Lind", "Anna Lind", similar},
		{"person", "Anna", "Peter", different},
		{"email", "ana.hoffmann33@x.test", "ana.hoffmann10@x.test", similar},
		{"email", "ana.hoffmann33@x.test", "hans.hoffmann10@x.test", different},
		{"email", "ana.hoffmann@x.test", "ana.hofmann@x.test", near},
		{"email", "ana@x.test", "ana@y.test", near},
		{"phone", "+49 89 1234567", "089/1234567", equal},
		{"phone", "089 1234567", "089 1234568", near},
		{"date", "1954-09-07", "07.09.1954", equal},
		{"date", "1954-09-07", "1954-07-09", near},
		{"date", "1954-09-07", "1954-01-22", weak},
		{"number", "1.234,50 €", "1234.5", equal},
		{"number", "1990", "1991", near},
		{"number", "10.5", "90.1", different},
		{"code", "AB-1234", "ab 1234", equal},
		{"code", "AB12345", "AB12346", near},
		{"address", "Elm Street 4", "Elm St. 4", equal},
		{"address", "Elm Garden Street 4", "Elm Garden Street 9", replaced},
		{"text", "kettle 2 l black", "kettle 2 l black new", similar},
		{"text", "", "x", missing},
	} {
		if got := compared(t, test.kind, test.a, test.b); got != test.want {
			t.Errorf("%s: %q and %q: level %d, want %d", test.kind, test.a, test.b, got, test.want)
		}
	}
}

// The table of thresholds is consistent: precision rises, recall falls, entities do not become fewer, one row is taken.
func TestThresholdTable(t *testing.T) {
	r := &Records{Fields: []string{"name", "city"}, Cells: [][]string{{}, {}}}
	for i := range 60 {
		r.Cells[0] = append(r.Cells[0], string(rune('a'+i%20))+"lda Brisko"+string(rune('a'+i%7)))
		r.Cells[1] = append(r.Cells[1], []string{"Birkau", "Ilmtal", ""}[i%3])
	}
	found, err := Entities(t.Context(), r, nil, Options{Precision: 0.9})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for i, row := range found.Thresholds {
		taken += boolInt(row.Taken)
		if i == 0 {
			continue
		}
		if before := found.Thresholds[i-1]; row.Threshold <= before.Threshold || row.Precision < before.Precision-1e-9 || row.Recall > before.Recall+1e-9 || row.Entities < before.Entities {
			t.Errorf("after %+v comes %+v", before, row)
		}
	}
	if taken != 1 || found.ThresholdFrom != FromPrecision {
		t.Errorf("%d rows taken, from %s", taken, found.ThresholdFrom)
	}
}
