package door_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/input/columns"
)

// A role that is given one by one means the same as a line of a plan.
func TestSetRoleAsAPlan(t *testing.T) {
	table := "code,a,b,c\n"
	for i := range 40 {
		table += strings.Join([]string{"k" + string(rune('a'+i%26)) + string(rune('a'+i/26)), []string{"1", "9"}[i%2], []string{"2", "8"}[i%2], []string{"7", "8", "9"}[i%3]}, ",") + "\n"
	}
	var planned, given door.Source
	plan := "column,role,used,transform\ncode,id,false,\na,category,true,\nb,describe,,\nc,drop,,\n"
	if err := planned.UsePlan(strings.NewReader(plan), "plan.csv"); err != nil {
		t.Fatal(err)
	}
	given.Log = []string{columns.None}
	for _, step := range []struct {
		column string
		role   columns.Role
	}{{"c", columns.ID}, {"a", columns.Number}, {"code", columns.ID}, {"b", columns.Describe}, {"c", columns.Dropped}, {"a", columns.Category}} {
		if err := given.SetRole(step.column, step.role, nil); err != nil {
			t.Fatal(err)
		}
	}
	roles := func(s door.Source) string {
		read, err := door.Read(context.Background(), strings.NewReader(table), "t.csv", s)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range read.Plan().Lines() {
			out = append(out, c.Name+" "+string(c.Serves()))
		}
		return strings.Join(out, ", ")
	}
	want := "code id, a category, b describe, c drop"
	if got := roles(planned); got != want {
		t.Errorf("the plan gives %s, not %s", got, want)
	}
	if got := roles(given); got != want {
		t.Errorf("one by one they are %s, not %s", got, want)
	}
	if err := given.SetRole("a", "", nil); err != nil {
		t.Fatal(err)
	}
	if len(given.Category) != 0 {
		t.Errorf("a column that decides for itself is still given: %v", given.Category)
	}
	if err := given.SetRole("a", "colour", nil); err == nil {
		t.Error("an unknown role is accepted")
	}
}

// Settings that are given for one column mean the same as its line in a plan, and nothing for other columns.
func TestSetRoleWithSettings(t *testing.T) {
	var b strings.Builder
	b.WriteString("pay,tax,grade,size\n")
	for i := range 60 {
		pay, size := math.Exp(float64(i*37%60)/10), strconv.Itoa(i%7)
		if i%9 == 0 {
			size = "none"
		}
		fmt.Fprintf(&b, "%.2f,%.2f,%s,%s\n", pay, math.Exp(float64(i*23%60)/12), []string{"a", "b", "?"}[i%3], size)
	}
	plan := func(s door.Source) (*door.Plan, map[string]columns.Settings) {
		read, err := door.Read(context.Background(), strings.NewReader(b.String()), "t.csv", s)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]columns.Settings{}
		for _, c := range read.Plan().Lines() {
			out[c.Name] = read.Plan().SettingsOf(&c)
		}
		return read.Plan(), out
	}
	_, own := plan(door.Source{})
	if own["pay"].Transform != "log" || own["tax"].Transform != "log" {
		t.Fatalf("the table must have two columns with heavy tails: %+v", own)
	}
	var given door.Source
	for column, s := range map[string]columns.Settings{"pay": {Weight: "3"}, "grade": {Missing: "?"}, "size": {Transform: "log", Missing: "none|6"}} {
		role := columns.Number
		if column == "grade" {
			role = columns.Category
		}
		if err := given.SetRole(column, role, &s); err != nil {
			t.Fatal(err)
		}
	}
	p, got := plan(given)
	want := map[string]columns.Settings{"pay": {Weight: "3"}, "tax": own["tax"], "grade": {Missing: "?", Weight: "1"}, "size": {Transform: "log", Missing: "none|6", Weight: "1"}}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %+v, must be %+v", name, got[name], want[name])
		}
	}
	var file strings.Builder
	if err := p.Write(&file); err != nil {
		t.Fatal(err)
	}
	var planned door.Source
	if err := planned.UsePlan(strings.NewReader(file.String()), "plan.csv"); err != nil {
		t.Fatal(err)
	}
	if _, same := plan(planned); !maps.Equal(same, want) {
		t.Errorf("the plan as a file gives %+v, must be %+v", same, want)
	}
	if err := given.SetRole("pay", columns.Number, nil); err != nil {
		t.Fatal(err)
	}
	if _, back := plan(given); back["pay"] != own["pay"] {
		t.Errorf("a role without settings leaves %+v, must be %+v", back["pay"], own["pay"])
	}
	for _, bad := range []columns.Settings{{Weight: "-1"}, {Transform: "root"}, {Scale: "large"}, {Transform: "since "}} {
		if err := given.SetRole("pay", columns.Number, &bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}
