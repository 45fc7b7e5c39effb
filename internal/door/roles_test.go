package door_test

import (
	"context"
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
		if err := given.SetRole(step.column, step.role); err != nil {
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
	if err := given.SetRole("a", ""); err != nil {
		t.Fatal(err)
	}
	if len(given.Category) != 0 {
		t.Errorf("a column that decides for itself is still given: %v", given.Category)
	}
	if err := given.SetRole("a", "colour"); err == nil {
		t.Error("an unknown role is accepted")
	}
}
