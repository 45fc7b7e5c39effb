package constraints

import (
	"strings"
	"testing"
)

func TestHeadersThatPeopleWrite(t *testing.T) {
	for text, id := range map[string]string{
		"id,label\nu,x\n":                      "",
		"customer,segment\nu,x\n":              "",
		"segment,customer\nx,u\n":              "customer",
		"class,customer_id,when\nx,u,monday\n": "customer_id",
		"ID;Class;w\nu;x;2\n":                  "",
		"name\tgroup\nu\tx\n":                  "",
		"key,y\nu,x\n":                         "",
	} {
		rows, err := ReadLabelsOf(strings.NewReader(text), "f", id, nil)
		if err != nil || len(rows) != 1 || rows[0].ID != "u" || rows[0].Label != "x" {
			t.Errorf("%q: %+v, %v", text, rows, err)
		}
	}
	for text, want := range map[string]string{
		"0,setosa\n1,other\n":  `the header is "0,setosa"`,
		"a,b,kind\nu,v,must\n": "a,b,kind",
		"u\nv\n":               `the header is "u"`,
	} {
		if _, err := ReadLabels(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, header := range []string{"a,b,kind", "id1,id2,type", "left,right,link", "from,to,relation", "x,y,z"} {
		for kind, want := range map[string]string{"must": Must, "must-link": Must, "Must_Link": Must, "ML": Must, "1": Must, "same": Must,
			"cannot": Cannot, "cannot-link": Cannot, "CL": Cannot, "-1": Cannot, "0": Cannot, "Different": Cannot} {
			rows, err := ReadLinks(strings.NewReader(header+"\nu,v,"+kind+"\n"), "f")
			if err != nil || len(rows) != 1 || rows[0].A != "u" || rows[0].B != "v" || rows[0].Kind != want || rows[0].Weight != 1 {
				t.Errorf("%s %s: %+v, %v", header, kind, rows, err)
			}
		}
	}
	if rows, err := ReadLinks(strings.NewReader("id1,id2,belief\nu,v,-0.5\n"), "f"); err != nil || rows[0].Kind != Belief || rows[0].Weight != -0.5 {
		t.Errorf("%+v, %v", rows, err)
	}
}
