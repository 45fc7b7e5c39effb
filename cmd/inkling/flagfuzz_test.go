package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/spf13/pflag"

	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/method/catalog"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// Values that programs stumble over, by the type of a flag.
var extremeValues = map[string][]string{
	"integer":   {"-1", "0", "1", "2", "3", "7", "65537", "100000000", "4611686018427387904", "9223372036854775807", "9223372036854775808", "1e3", "NaN", "", " 1", "٣"},
	"count":     {"0", "1", "2", "3", "6", "7", "2-4", "4-2", "1-9223372036854775807", "auto", "-1", "100000000", "9223372036854775807", "x", ""},
	"float64":   {"0", "1", "-1", "0.5", "NaN", "Inf", "-Inf", "1e308", "-1e308", "1e-308", "1e-320", "5e-324", "1e300", "1e-300", "1e154", "x", ""},
	"uint64":    {"0", "18446744073709551615", "18446744073709551616", "-1", "x"},
	"duration":  {"1ns", "1ms", "100ms", "0s", "-1s", "9223372036854775807ns", "1", "x", ""},
	"bool":      {"true", "false", "maybe"},
	"intSlice":  {"0", "1,2", "2,1,2", "-1", "9223372036854775807", "1,", "x", ""},
	"fractions": {"0", "0,0.5", "1", "2", "-1", "NaN", "Inf", "1e-320", "1,", "x", ""},
	"string": {"", "-", ".", "/", "/dev/null", "there/is/none", "auto", "none", "0", "1", "-1", "NaN", "1e-300", "1e308", "Inf", "1e-320", "9223372036854775807", "x", "y", "a,b", "kind,,",
		"\x1b[31m", "\u202eevil", "\x00", "é\xff", "rbf", "poly", "csv", "graph", "kernel", "text", "image", "standard", "l2", "drop", "mean", "weight"},
}

// oddFiles are inputs of every kind, right and wrong. They are small: what may take
// long are the flags.
var oddFiles = map[string]string{
	"rows.csv":     "id,x,y,kind\na,0,0,one\nb,0.5,1,one\nc,1,0,one\nd,9,9,two\ne,10,9,two\nf,9,10,two\ng,5,5,\n",
	"tiny.csv":     "x,y\n1e-320,0\n0,1e-320\n1e-310,1e-310\n2e-320,5e-324\n0,0\n",
	"huge.csv":     "x,y\n1e308,-1e308\n-1e308,1e308\n1e300,0\n0,1e154\n1,1\n",
	"holes.csv":    "x,y\n1,\n,2\nNA,NaN\n3,4\n5,6\n",
	"one.csv":      "x\n1\n",
	"equal.csv":    "x,y\n1,1\n1,1\n1,1\n1,1\n",
	"empty.csv":    "",
	"graph.edges":  "0 1 1\n1 2 1\n2 0 1\n3 4 1\n4 5 1\n5 3 1\n2 3 0.1\n6 6 1\n",
	"odd.edges":    "0 1 1e308\n1 2 1e-320\n2 3 5e-324\n3 0 1e308\n",
	"labels.csv":   "id,label\na,one\nd,two\n",
	"numbered.csv": "id,label\n0,one\n3,two\n",
	"links.csv":    "a,b,kind\na,b,must\nc,d,cannot\n",
	"beliefs.csv":  "a,b,belief\na,b,1e-320\nc,d,-1\n",
	"weights.csv":  "a,b,kind,weight\na,b,must,1e308\nc,d,cannot,1e-320\na,d,cannot,1e308\n",
	"bad.csv":      "a,b\n1,2,3\n\"\n",
	"rows.tsv":     "x\ty\n0\t1\n1\t0\n9\t9\n",
	"rows.jsonl":   "{\"x\":0,\"y\":{\"z\":1}}\n{\"x\":1}\n{\"x\":9}\n",
	"rows.npy":     "\x93NUMPY\x01\x00\x36\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}\n\x00\x00\x80\x3f",
	"rows.svm":     "1 1:2 3:1e308\n-1 2:1e-320\n1 1:5\n",
	"rows.mtx":     "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n3 2 0.5\n",
	"rows.metis":   "3 2\n2\n1 3\n2\n",
	"rows.txt":     "one two three\ntwo three four\n\nfive\n",
}

// fileOfFormat names one of oddFiles, or of what prepareOddFiles makes, for each format that
// the program reads.
var fileOfFormat = map[string]string{"csv": "rows.csv", "tsv": "rows.tsv", "jsonl": "rows.jsonl", "npy": "rows.npy", "parquet": "rows.parquet", "svm": "rows.svm",
	"mtx": "rows.mtx", "edges": "graph.edges", "metis": "rows.metis", "text": "rows.txt", "image": "scene.png"}

// startOfCommand returns a command line of each command that works, to which flags are
// added. There are several for some.
var startOfCommand = map[string][]string{
	"cluster":    {"cluster rows.csv --id id --drop kind -k 2", "cluster rows.csv --id id --label-col kind", "cluster graph.edges -k 2", "cluster tiny.csv -k 2", "cluster huge.csv -k 2", "cluster odd.edges -k 2", "cluster rows.csv --id id --drop kind -k 2 --links links.csv", "cluster holes.csv -k 2", "cluster equal.csv -k 3"},
	"check":      {"check rows.csv --id id --drop kind --links links.csv", "check rows.csv --id id --label-col kind -k 2"},
	"suspect":    {"suspect rows.csv --id id --label-col kind", "suspect rows.csv --id id --drop kind -k 2 --links links.csv"},
	"dedupe":     {"dedupe rows.csv --id id"},
	"explain":    {"explain model.ink rows.csv --row a", "explain model.ink rows.csv --pair a,d"},
	"score":      {"score numbered.csv numbered.csv", "score labels.csv labels.csv --data rows.csv --id id"},
	"predict":    {"predict model.ink rows.csv", "predict model.ink huge.csv"},
	"report":     {"report model.ink rows.csv -o page.html"},
	"curve":      {"curve rows.csv --id id --label-col kind --methods kmeans,pc-kmeans --pairs 0,2 --folds 2 --repeats 1"},
	"segment":    {"segment scene.png --scribbles scene-strokes.png -o mask.png"},
	"methods":    {"methods", "methods hmrf-kmeans"},
	"example":    {"example iris -o demo"},
	"schema":     {"schema cluster"},
	"version":    {"version"},
	"completion": {"completion bash"},
	"help":       {"help cluster"},
}

// drawFlags returns one to three flags with values from the lists.
func drawFlags(rng *rand.Rand, flags []*pflag.Flag, files []string) (args []string) {
	for range 1 + rng.IntN(3) {
		f := flags[rng.IntN(len(flags))]
		if f.Name == "method" || f.Name == "methods" || f.Name == "help" || f.Name == "help-all" {
			continue
		}
		values := extremeValues[f.Value.Type()]
		if values == nil {
			values = extremeValues["string"]
		}
		value := values[rng.IntN(len(values))]
		if f.Value.Type() == "string" || f.Value.Type() == "stringArray" {
			switch { // half of the time a file, or what the flag lists in its help
			case rng.IntN(2) == 0 && strings.Contains(f.Usage, "FILE"):
				value = files[rng.IntN(len(files))]
			case rng.IntN(2) == 0:
				words := strings.FieldsFunc(f.Usage, func(r rune) bool { return strings.ContainsRune("|,:() ", r) })
				value = words[rng.IntN(len(words))]
			}
		}
		args = append(args, "--"+f.Name+"="+value)
	}
	return args
}

// No combination of flags and files makes a command panic, exit with a code outside the
// table, print what is not JSON where that was asked for, or run past its limit.
// INKLING_FLAG_DRAWS is how many command lines are tried, INKLING_FLAG_SEED which.
func TestFlagsAtTheirExtremes(t *testing.T) {
	draws, seed := longtest.Size(300, 300, 1500), uint64(1)
	if n, err := strconv.Atoi(os.Getenv("INKLING_FLAG_DRAWS")); err == nil {
		draws = n
	}
	if n, err := strconv.ParseUint(os.Getenv("INKLING_FLAG_SEED"), 10, 64); err == nil {
		seed = n
	}
	home := t.TempDir()
	prepareOddFiles(t, home)
	root := (&app{stdout: &outlet{to: io.Discard}}).root()
	var names []string
	flags := map[string][]*pflag.Flag{}
	for _, c := range root.Commands() {
		names = append(names, c.Name())
		if startOfCommand[c.Name()] == nil { // a new one: without its own arguments at least nothing breaks
			startOfCommand[c.Name()] = []string{c.Name() + " rows.csv", c.Name()}
		}
		add := func(f *pflag.Flag) { flags[c.Name()] = append(flags[c.Name()], f) }
		c.Flags().VisitAll(add)
		root.PersistentFlags().VisitAll(add)
	}
	slices.Sort(names)
	// What is drawn is what the program has: a new format needs a file here.
	extremeValues["string"] = slices.Concat(extremeValues["string"], door.Format("").Values(), door.As("").Values())
	for _, format := range door.Format("").Values() {
		if _, err := os.Stat(filepath.Join(home, "files", fileOfFormat[format])); fileOfFormat[format] == "" || err != nil {
			t.Fatalf("fileOfFormat has no file of format %s: %v", format, err)
		}
		startOfCommand["cluster"] = append(startOfCommand["cluster"], "cluster "+fileOfFormat[format]+" -k 2 --format "+format)
	}
	methods := append(catalog.Names(), "auto")
	files := make([]string, 0, len(oddFiles))
	for name := range oddFiles {
		files = append(files, name)
	}
	slices.Sort(files)
	var wait sync.WaitGroup
	room := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	for draw := range draws {
		rng := rand.New(rand.NewPCG(seed, uint64(draw)))
		name := names[rng.IntN(len(names))]
		if rng.IntN(2) == 0 { // the command with the most flags
			name = "cluster"
		}
		starts := startOfCommand[name]
		if len(starts) == 0 {
			continue
		}
		args := strings.Fields(starts[rng.IntN(len(starts))])
		if name == "cluster" && rng.IntN(4) > 0 {
			args = append(args, "--method="+methods[rng.IntN(len(methods))])
		}
		args = append(args, drawFlags(rng, flags[name], files)...)
		limited := slices.ContainsFunc(flags[name], func(f *pflag.Flag) bool { return f.Name == "timeout" })
		if limited && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--timeout") }) {
			args = append(args, "--timeout=2s")
		}
		room <- struct{}{}
		wait.Go(func() {
			defer func() { <-room }()
			tryCommand(t, home, draw, args, limited)
		})
	}
	wait.Wait()
}

// tryCommand runs one command line in a folder of its own.
func tryCommand(t *testing.T, home string, draw int, args []string, limited bool) {
	dir := filepath.Join(home, "run"+strconv.Itoa(draw))
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(home, "files"))); err != nil {
		t.Error(err)
		return
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "inkling", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMEMLIMIT=1GiB")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	code := cmd.ProcessState.ExitCode()
	line := "inkling " + strings.Join(args, " ")
	var exit *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exit):
		if strings.Contains(err.Error(), "invalid argument") { // a zero byte, which no system passes on
			return
		}
		t.Errorf("%d: %q: %v", draw, line, err)
	case ctx.Err() != nil:
		t.Errorf("%d: %q does not end\n%s", draw, line, clipped(said.String()))
	case !slices.Contains([]int{exitOK, exitUsage, exitInput, exitConflict, exitViolated, exitNoTime}, code):
		t.Errorf("%d: %q: exit code %d\n%s", draw, line, code, clipped(said.String()))
	case strings.Contains(said.String(), "goroutine ") || strings.Contains(said.String(), "panic"):
		t.Errorf("%d: %q panics\n%s", draw, line, clipped(said.String()))
	case limited && cmd.ProcessState.UserTime() > 20*time.Second:
		t.Errorf("%d: %q took %s although it had 2s at most", draw, line, cmd.ProcessState.UserTime())
	case code == exitOK && slices.Contains(args, "--json=true") && !slices.Contains([]string{"help", "completion", "engine"}, args[0]) && out.Len() > 0 && !json.Valid(out.Bytes()):
		t.Errorf("%d: %q prints no JSON: %s", draw, line, clipped(out.String()))
	}
}

func clipped(text string) string {
	const most = 1500
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// prepareOddFiles writes what the commands read, a model and images among them.
func prepareOddFiles(t *testing.T, home string) {
	dir := filepath.Join(home, "files")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range oddFiles {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var table bytes.Buffer
	if err := parquet.Write(&table, []struct{ X, Y float64 }{{0, 1}, {1, 0}, {9, 9}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "rows.parquet"), table.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"cluster rows.csv --id id --drop kind -k 2 --method mpc-kmeans --save model.ink -q -o clusters.csv", "example scene -o ."} {
		cmd := exec.Command("inkling", strings.Fields(line)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("inkling %s: %v\n%s", line, err, out)
		}
	}
}
