package dataio

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/inklinghq/inkling/internal/input/dataio/constraints"
)

// wideText writes s in UTF-16 with its mark.
func wideText(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// A table means the same in UTF-8, UTF-16 and Windows-1252, and ids in it those
// of a file of links in another.
func TestTableInOtherLetters(t *testing.T) {
	const table = "größe;preis €\nmüller;1\nsüß;2\n"
	in1252 := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "ü", "\xfc", "€", "\x80").Replace(table)
	for name, in := range map[string]string{
		"UTF-8": table, "Windows-1252": in1252,
		"UTF-16 LE": wideText(table, binary.LittleEndian), "UTF-16 BE": wideText(table, binary.BigEndian),
	} {
		t.Run(name, func(t *testing.T) {
			ds, err := Read(strings.NewReader(in), "x.csv", Options{ID: "größe"})
			if err != nil {
				t.Fatal(err)
			}
			if want := []string{"müller", "süß"}; !slices.Equal(ds.IDs, want) || !slices.Equal(ds.Columns, []string{"preis €"}) {
				t.Errorf("ids %q, columns %q", ds.IDs, ds.Columns)
			}
			if said := strings.Contains(string(ds.Notes[0]), "not UTF-8, read as Latin-1"); said != (name == "Windows-1252") {
				t.Errorf("notes %q", ds.Notes)
			}
		})
	}
	links, err := constraints.ReadLinks(strings.NewReader("a,b,kind\nm\xfcller,s\xfc\xdf,must\n"), "l.csv")
	if err != nil || links[0].A != "müller" || links[0].B != "süß" {
		t.Errorf("links %v, %v", links, err)
	}
	ds, err := Read(strings.NewReader("m\xfcller s\xfc\xdf\n"), "x.edges", Options{})
	if err != nil || !slices.Equal(ds.IDs, []string{"müller", "süß"}) {
		t.Errorf("nodes %v, %v", ds.IDs, err)
	}
	ds, err = Read(strings.NewReader("{\"t\":\"s\xfc\xdf\"}\n"), "x.jsonl", Options{Text: "t"})
	if err != nil || !slices.Equal(ds.Docs, []string{"süß"}) || !strings.Contains(string(ds.Notes[0]), "not UTF-8, read as Latin-1") {
		t.Errorf("documents %v, %v", ds, err)
	}
}
