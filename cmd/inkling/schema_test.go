package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// schemaRuns are runs of every command, with an exit code where it is not 0.
var schemaRuns = []struct {
	args string
	exit int
}{
	{"cluster example:iris.csv -k 3", 0},
	{"cluster example:iris.csv --labels example:iris-labels.csv --links example:iris-links.csv --unconstrained", 0},
	{"cluster example:iris.csv -k 3 --links example:iris-links.csv --method kmeans", 0},
	{"cluster example:iris.csv -k 3 --labels example:iris-labels.csv --method kmeans --restarts 1", 0},
	{"cluster example:iris.csv -k 3 --links example:iris-links.csv --method mpc-kmeans", 0},
	{"cluster example:iris.csv -k 3 --links example:iris-links.csv --method hmrf-kmeans --inference lp --timeout 1m", 0},
	{"cluster example:iris.csv -k 3 --links odd.csv --method pc-kmeans --strict", 5},
	{"cluster example:iris.csv -k 3 --links beliefs.csv --method csp", 0},
	{"cluster rows.csv -k 2 --missing drop", 0},
	{"cluster rows.csv -k 2 --missing mean --labels soft.csv", 0},
	{"cluster example:text.csv --text text --labels example:text-labels.csv", 0},
	{"cluster example:graph.edges -k 4 --links example:graph-links.csv", 0},
	{"cluster kernel.csv --as kernel -k 2", 0},
	{"cluster example:six-nodes.edges --method csp --labels example:six-nodes-truth.csv --beta 0.75", 0},
	{"cluster example:wine.csv -k 3 --columns alcohol,ash,proline --scale standard --view example:wine.csv --unconstrained", 0},
	{"cluster example:iris.csv -k 3 --save iris.ink -o iris.out", 0},
	{"cluster example:iris.csv -k 3 --labels example:iris-labels.csv --save named.ink", 0},
	{"cluster example:iris.csv -k 3 --report page.html", 0},
	{"check example:iris.csv", 0},
	{"check example:iris.csv --labels example:iris-labels.csv --links example:iris-links.csv -k 3", 0},
	{"check example:iris.csv --links odd.csv", 4},
	{"check example:iris.csv --links odd.csv --labels both.csv -k 3", 4},
	{"check example:iris.csv --links unknown.csv", 3},
	{"check example:iris.csv --links triangle.csv -k 2", 4},
	{"check example:wine.csv --view example:wine.csv --view example:iris.csv", 3},
	{"cluster example:iris.csv --labels example:iris-mislabelled.csv", 0},
	{"cluster example:iris.csv --labels example:iris-mislabelled.csv --robust drop", 0},
	{"suspect example:iris.csv --labels example:iris-mislabelled.csv --links odd.csv", 0},
	{"suspect example:graph.edges --links example:graph-links.csv", 0},
	{"dedupe example:contacts.csv", 0},
	{"dedupe example:contacts.csv --links example:contacts-links.csv --labels example:contacts-labels.csv -o entities.csv", 0},
	{"score example:iris-truth.csv iris.out", 0},
	{"score example:iris-truth.csv iris.out --data example:iris.csv --links example:iris-links.csv", 0},
	{"score example:iris-truth.csv iris.out --links beliefs.csv --common", 0},
	{"explain iris.ink example:iris.csv --row 70", 0},
	{"explain named.ink example:iris.csv --pair 0,100 --links odd.csv", 0},
	{"predict iris.ink example:iris.csv", 0},
	{"predict named.ink example:iris.csv -o placed.csv", 0},
	{"report iris.ink example:iris.csv -o report.html", 0},
	{"report named.ink example:iris.csv -o report.html --truth example:iris-truth.csv --against iris.out --links example:iris-links.csv", 0},
	{"curve example:iris.csv --truth example:iris-truth.csv --methods kmeans,cop-kmeans --pairs 0,10 --folds 2 --repeats 1 --restarts 1", 0},
	{"curve example:iris.csv --truth example:iris-truth.csv --methods kmeans --seeds 0,0.5 --folds 2 --repeats 1 --restarts 1", 0},
	{"curve example:iris.csv --truth example:iris-truth.csv --methods cop-kmeans --pairs 200 --noise 0,0.4 --folds 2 --repeats 1 --restarts 1", 0},
	{"curve example:iris.csv --truth example:iris-truth.csv --methods kmeans --pairs 5 --timeout 1ns", 0},
	{"segment example:scene.png --scribbles example:scene-strokes.png", 0},
	{"segment example:scene.png --scribbles example:scene-object.png --method csp -o mask.png", 0},
	{"ask example:iris.csv -k 3 --session s.jsonl --oracle example:iris-truth.csv --budget 4 --method pc-kmeans", 0},
	{"ask example:iris.csv -k 3 --session b.jsonl --questions 2 -o batch.csv --method pc-kmeans", 0},
	{"session show s.jsonl", 0},
	{"session replay s.jsonl", 0},
	{"web example:iris.csv -k 3 --no-open --timeout 300ms", 0},
	{"methods", 0},
	{"methods mpc-kmeans", 0},
	{"methods kmeans", 0},
	{"example", 0},
	{"example iris -o demo", 0},
	{"schema", 0},
	{"version", 0},
}

var schemaFiles = map[string]string{
	"odd.csv":      "a,b,kind\n0,1,must\n1,2,must\n0,2,cannot\n3,3,must\n0,1,must\n",
	"both.csv":     "id,label\n0,p\n0,q\n4,p\n",
	"unknown.csv":  "a,b,kind\n0,900,must\n",
	"triangle.csv": "a,b,kind\n0,1,cannot\n1,2,cannot\n0,2,cannot\n",
	"beliefs.csv":  "a,b,belief\n0,1,0.8\n0,100,-0.9\n60,100,0.7\n",
	"rows.csv":     "x,y\n0,0\n0,1\n9,\n9,8\n9,9\n",
	"soft.csv":     "id,label,weight\n0,low,1\n3,high,0.7\n3,low,0.3\n",
	"kernel.csv":   "a,b,c\n1,0.9,0\n0.9,1,0.1\n0,0.1,1\n",
}

// What every command prints with --json conforms to the schema that inkling
// schema prints for it.
func TestJSONConformsToSchema(t *testing.T) {
	dir := t.TempDir()
	for name, text := range schemaFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	covered := map[string]bool{}
	schema := map[string]any{} // by command
	for _, run := range schemaRuns {
		args := strings.Fields(run.args)
		if testing.Short() && (args[0] == "segment" || args[0] == "curve" || slices.Contains(args, "hmrf-kmeans")) {
			covered[args[0]] = true
			continue
		}
		value := decodeJSON(t, jsonOf(t, dir, run.exit, append(args, "--json")...))
		if schema[args[0]] == nil {
			schema[args[0]] = decodeJSON(t, jsonOf(t, dir, 0, "schema", args[0]))
		}
		for _, fault := range validate(schema[args[0]], value, "") {
			t.Errorf("inkling %s --json: %s", run.args, fault)
		}
		covered[args[0]] = true
		if got := value.(map[string]any)["schema"]; got != "inkling."+args[0]+"/1" {
			t.Errorf("inkling %s --json: the schema is called %v", run.args, got)
		}
	}
	for name := range schemas() {
		if !covered[name] {
			t.Errorf("no run of inkling %s", name)
		}
	}
}

// jsonOf runs the program, which must exit with a code, and returns its stdout.
func jsonOf(t *testing.T, dir string, exit int, args ...string) []byte {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command("inkling", args...)
	cmd.Dir, cmd.Stderr = dir, &said
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) || cmd.ProcessState.ExitCode() != exit {
		t.Fatalf("inkling %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, exit, said.String())
	}
	return out
}

func decodeJSON(t *testing.T, b []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in\n%s", err, b)
	}
	return v
}

// validate returns what is wrong with a value by a schema of the keywords that
// package jsonschema writes.
func validate(schema, value any, at string) (faults []string) {
	s, ok := schema.(map[string]any)
	if !ok {
		return []string{at + ": the schema is not an object"}
	}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		switch key {
		case "$schema", "$id", "title", "properties", "additionalProperties":
		case "type":
			if names, ok := s[key].([]any); ok && !slices.ContainsFunc(names, func(n any) bool { return hasType(value, n.(string)) }) ||
				!ok && !hasType(value, s[key].(string)) {
				return []string{fmt.Sprintf("%s is %v, want %v", at, value, s[key])}
			}
		case "const":
			if value != s[key] {
				faults = append(faults, fmt.Sprintf("%s is %v, want %v", at, value, s[key]))
			}
		case "anyOf":
			if !slices.ContainsFunc(s[key].([]any), func(option any) bool { return len(validate(option, value, at)) == 0 }) {
				faults = append(faults, at+" conforms to none of several schemas")
			}
		case "required":
			for _, name := range s[key].([]any) {
				if object, ok := value.(map[string]any); ok && !hasKey(object, name.(string)) {
					faults = append(faults, fmt.Sprintf("%s.%s is missing", at, name))
				}
			}
		case "items":
			if list, ok := value.([]any); ok {
				for i, item := range list {
					faults = append(faults, validate(s[key], item, fmt.Sprintf("%s[%d]", at, i))...)
				}
			}
		default:
			faults = append(faults, "unknown keyword "+key)
		}
	}
	if object, ok := value.(map[string]any); ok {
		faults = append(faults, validateObject(s, object, at)...)
	}
	return faults
}

func validateObject(s, object map[string]any, at string) (faults []string) {
	properties, _ := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := at + "." + name
		switch more := s["additionalProperties"]; {
		case properties[name] != nil:
			faults = append(faults, validate(properties[name], object[name], at)...)
		case more == false:
			faults = append(faults, at+" is not in the schema")
		case more != nil:
			faults = append(faults, validate(more, object[name], at)...)
		}
	}
	return faults
}

func hasKey(object map[string]any, name string) bool { _, ok := object[name]; return ok }

func hasType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && !strings.ContainsAny(string(v), ".eE")
	case []any:
		return name == "array"
	}
	return name == "object"
}

// The validator finds planted faults: a wrong key, a missing one, a wrong type.
func TestValidateFindsFaults(t *testing.T) {
	dir := t.TempDir()
	out := jsonOf(t, dir, 0, "cluster", "example:iris.csv", "--labels", "example:iris-labels.csv", "--json", "-o", "out.csv")
	schema := decodeJSON(t, jsonOf(t, dir, 0, "schema", "cluster"))
	for _, c := range []struct {
		fault string
		plant func(object map[string]any)
	}{
		{"", func(map[string]any) {}},
		{".wrong is not in the schema", func(o map[string]any) { o["wrong"] = "key" }},
		{".method is missing", func(o map[string]any) { delete(o, "method") }},
		{".n is 150.5, want integer", func(o map[string]any) { o["n"] = json.Number("150.5") }},
		{".sizes[0] is big, want integer", func(o map[string]any) { o["sizes"].([]any)[0] = "big" }},
		{".labels.wrong is not in the schema", func(o map[string]any) { o["labels"].(map[string]any)["wrong"] = true }},
		{".objective.terms.wrong is true, want number", func(o map[string]any) {
			o["objective"].(map[string]any)["terms"].(map[string]any)["wrong"] = true
		}},
	} {
		value := decodeJSON(t, out)
		c.plant(value.(map[string]any))
		if got := strings.Join(validate(schema, value, ""), "; "); got != c.fault {
			t.Errorf("got %q, want %q", got, c.fault)
		}
	}
}
