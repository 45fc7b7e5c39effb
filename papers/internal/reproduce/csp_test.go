package reproduce

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/cluster/data"
	"github.com/inklinghq/inkling/internal/method/csp"
	"github.com/inklinghq/inkling/internal/numeric/eigen"
)

// cook runs a recipe and returns all that it wrote, and its log.
func cook(t *testing.T, ctx context.Context, r Recipe, l Lab) (page string, s *Sheet, log []byte, err error) {
	t.Helper()
	var b bytes.Buffer
	l.Program, l.TrialLog = "test", &b
	s, err = r.Run(ctx, &l)
	if err != nil {
		return "", nil, b.Bytes(), err
	}
	var out strings.Builder
	out.WriteString(written(t, s, false))
	for _, f := range s.Files() {
		fmt.Fprintf(&out, "%s\n%s\n", f.Name, f.Content)
	}
	return out.String(), s, b.Bytes(), nil
}

// steady runs a recipe on one worker and on two, from half a log, and after it
// was cancelled: every time with the same bytes.
func steady(t *testing.T, r Recipe, l Lab) *Sheet {
	t.Helper()
	l.Seed, l.Workers = 1, 1
	want, sheet, log, err := cook(t, background, r, l)
	if err != nil {
		t.Fatal(err)
	}
	same := func(what, got string, err error) {
		t.Helper()
		if err != nil || got != want {
			t.Errorf("%s: %v, another page:\n%s\nwant\n%s", what, err, got, want)
		}
	}
	l.Workers = 2
	if lines := bytes.SplitAfter(log, []byte("\n")); len(lines) > 2 {
		cut := bytes.Join(lines[:len(lines)/2], nil)
		had, _, err := ReadTrials(bytes.NewReader(append(cut, lines[len(lines)/2][:10]...)))
		if err != nil {
			t.Fatal(err)
		}
		resumed := l
		resumed.Trials = had
		got, _, _, err := cook(t, background, r, resumed)
		same("from half a log", got, err)
		same("on two workers", cancelled(t, r, l), nil)
	}
	complete(t, sheet)
	return sheet
}

// cancelled ends a run in its middle, and another goes on from its log.
func cancelled(t *testing.T, r Recipe, l Lab) string {
	t.Helper()
	ctx, cancel := context.WithCancel(background)
	heard := 0
	l.Observe = func(Progress) {
		if heard++; heard == 7 {
			cancel()
		}
	}
	_, _, log, err := cook(t, ctx, r, l)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("a run that was cancelled ended with %v", err)
	}
	l.Observe = nil
	if l.Trials, _, err = ReadTrials(bytes.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	got, _, _, err := cook(t, background, r, l)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// complete holds a sheet to what every one must have.
func complete(t *testing.T, s *Sheet) {
	t.Helper()
	if len(s.Claims) == 0 || len(s.Parts) == 0 {
		t.Fatalf("%d claims, %d parts", len(s.Claims), len(s.Parts))
	}
	for _, c := range s.Claims {
		if c.Text == "" || c.Numbers == "" || !slices.Contains([]Verdict{Reproduced, Partly, Not}, c.Verdict) || strings.Contains(c.Numbers, "NaN") {
			t.Errorf("claim %+v", c)
		}
	}
	names := map[string]bool{}
	for _, p := range s.Parts {
		for _, row := range p.Rows {
			if len(row) != len(p.Head) || strings.Contains(strings.Join(row, " "), "NaN") {
				t.Errorf("%s: a row of %d for a head of %d: %v", p.Title, len(row), len(p.Head), row)
			}
		}
		for _, f := range p.Files {
			if names[f.Name] || len(f.Content) == 0 {
				t.Errorf("%s: the file %s is empty, or there are two", p.Title, f.Name)
			}
			names[f.Name] = true
		}
	}
}

// The numbers of section 4.4, and where the paper errs.
func TestCSPToy(t *testing.T) {
	r, err := Select("csp-toy")
	if err != nil {
		t.Fatal(err)
	}
	s := steady(t, r[0], Lab{})
	want := []Verdict{Reproduced, Reproduced, Partly, Reproduced, Reproduced, Partly, Partly}
	var got []Verdict
	for _, c := range s.Claims {
		got = append(got, c.Verdict)
	}
	if !slices.Equal(got, want) {
		t.Errorf("verdicts %v, want %v", got, want)
	}
	if row := s.Parts[0].Rows[0]; row[0] != "2.6667" || row[5] != "0.0000" {
		t.Errorf("eigenvalues %v", row)
	}
	// By hand and by the reference: u at β = vol.
	if row := s.Parts[1].Rows[2]; row[0] != "1 vol" || row[8] != "+0.44" || row[9] != "-0.21" {
		t.Errorf("β = vol: %v", row)
	}
}

func TestCSPRangeIsSteady(t *testing.T) {
	r := Recipe{ID: "csp-range", run: func(ctx context.Context, l *Lab) error { return l.jointRanges(ctx, 24, 12, 8) }}
	s := steady(t, r, Lab{})
	if c := s.Claims[1]; c.Verdict != Reproduced { // lemma 1
		t.Errorf("%+v", c)
	}
}

// Feasible vectors solve equation (13), and there are as many as eigenvalues of
// Q̄ above b, less one where the trivial vector is counted among them.
func TestFeasibleVectorsSolveTheirEquation(t *testing.T) {
	l := &Lab{}
	for seed := range uint64(20) {
		l.Seed = seed
		rng := l.stream("test")
		const n = 12
		x := &data.Dense{Cols: 2, V: make([]float64, 2*n)}
		for i := range x.V {
			x.V[i] = rng.NormFloat64()
		}
		lap, err := eigen.NewLaplacian(kernelGraph(x, 1, false), eigen.Normalised)
		if err != nil {
			t.Fatal(err)
		}
		q := eigen.NewDense(n)
		for range 10 {
			i, j := rng.IntN(n), rng.IntN(n)
			y := (2*float64(rng.IntN(2)) - 1) / math.Sqrt(lap.Degree[i]*lap.Degree[j])
			q.V[i*n+j], q.V[j*n+i] = y, y
		}
		top, err := eigen.Symmetric(background, q, eigen.Options{K: n, End: eigen.High})
		if err != nil {
			t.Fatal(err)
		}
		b := 0.3 * top.Values[0]
		if !(b > 0) {
			continue
		}
		found, err := feasible(background, lap, q, b)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, y := range top.Values {
			if y > b {
				want++
			}
		}
		if form(q, lap.Null(1)[0]) > b {
			want--
		}
		if len(found) != want {
			t.Errorf("seed %d: %d feasible vectors, want %d", seed, len(found), want)
		}
		for _, v := range found {
			lv, qv := make([]float64, n), make([]float64, n)
			lap.Apply(lv, v)
			q.Apply(qv, v)
			lambda := form(eigen.ToDense(context.Background(), lap), v) / (form(q, v) - b)
			for i := range v {
				if e := lv[i] - lambda*(qv[i]-b*v[i]); math.Abs(e) > 1e-8*(1+lambda) || lambda <= 0 {
					t.Errorf("seed %d: λ = %v, residual %v", seed, lambda, e)
				}
			}
		}
	}
}

func TestCSPMoonsIsSteady(t *testing.T) {
	r := Recipe{ID: "csp-moons", run: func(ctx context.Context, l *Lab) error { return l.moonCurves(ctx, 20, 40, 2, 1) }}
	s := steady(t, r, Lab{})
	if len(s.Files()) != len(moonWidths) {
		t.Errorf("%d charts", len(s.Files()))
	}
}

func TestCSPNoiseIsSteady(t *testing.T) {
	r := Recipe{ID: "csp-noise", run: func(ctx context.Context, l *Lab) error {
		return l.noiseCurves(ctx, 30, []float64{0, 3, 6}, 1)
	}}
	s := steady(t, r, Lab{})
	pictures := 0
	for _, f := range s.Files() {
		if strings.Contains(f.Name, "moons-cut") {
			pictures++
			if n := bytes.Count(f.Content, []byte("<circle")); n != 36 {
				t.Errorf("%s has %d points, want 36", f.Name, n)
			}
		}
	}
	if pictures != 3 {
		t.Errorf("%d pictures, want 3", pictures)
	}
}

func TestCSPUCIIsSteady(t *testing.T) {
	r := Recipe{ID: "csp-uci-iris", run: func(ctx context.Context, l *Lab) error {
		s, err := l.pick("iris", 4, "versicolor", "virginica") // built in
		if err != nil {
			return err
		}
		return l.uciCurves(ctx, s, 0.25, []float64{20, 60}, 2)
	}}
	s := steady(t, r, Lab{Data: t.TempDir()})
	if len(s.Claims) != 15 || len(s.Parts) != 13 {
		t.Errorf("%d claims, %d parts", len(s.Claims), len(s.Parts))
	}
}

// The pairs of section 7.3 are those that the unconstrained cut has wrong, each
// given by the truth.
func TestUCIPairsContradictTheCut(t *testing.T) {
	l := &Lab{Data: t.TempDir(), Seed: 1}
	s, err := l.pick("iris", 2, "versicolor", "virginica")
	if err != nil {
		t.Fatal(err)
	}
	u, err := newUCIGraph(background, s, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := plainCut(background, u.g, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range []int{0, 30, 1 << 20} {
		known := u.draw(s.Truth, count, l.stream("test"))
		if got := len(known.Must) + len(known.Cannot); got != min(count, len(u.wrong)) {
			t.Errorf("%d pairs of %d, asked for %d", got, len(u.wrong), count)
		}
		if got := kept(known, s.Truth); got != 1 {
			t.Errorf("the truth satisfies %v", got)
		}
		if got := kept(known, cut); count > 0 && got != 0 {
			t.Errorf("the unconstrained cut satisfies %v", got)
		}
	}
}

// Two triangles joined by an edge fall apart at it, and where a must-link ties
// them and cannot-links cut one node off, the edited graph falls apart there.
func TestPlainAndEditedCuts(t *testing.T) {
	g, err := toyGraph()
	if err != nil {
		t.Fatal(err)
	}
	cut, err := plainCut(background, g, nil, 0)
	if err != nil || cut[0] != cut[2] || cut[3] != cut[5] || cut[2] == cut[3] {
		t.Errorf("%v, %v", cut, err)
	}
	known := &constraint.Set{Cannot: []constraint.Pair{{I: 3, J: 4, W: 1}, {I: 3, J: 5, W: 1}}}
	cut, err = editedCut(background, g, known, 0)
	if err == nil && (cut[2] != cut[3] || cut[3] == cut[4]) {
		t.Errorf("edited: %v", cut)
	}
	if w := g.W; slices.Contains(w, 0) {
		t.Error("the graph that was given is another")
	}
	if _, err := indicator(background, &data.Graph{Start: []int{0, 0, 0}}); err == nil {
		t.Error("nodes without edges have an indicator")
	}
}

// The kernel is symmetric, and has loops on request.
func TestKernelGraph(t *testing.T) {
	x := &data.Dense{Cols: 2, V: []float64{0, 0, 3, 4, 1, 1}}
	g := kernelGraph(x, 5, false)
	if len(g.W) != 6 || math.Abs(g.W[0]-math.Exp(-0.5)) > 1e-15 || g.W[0] != g.W[2] {
		t.Errorf("%v", g.W)
	}
	if g := kernelGraph(x, 5, true); len(g.W) != 9 || g.W[0] != 1 || g.To[4] != 1 {
		t.Errorf("%v, %v", g.To, g.W)
	}
}

// A cut that cannot be is a failure of the method, and has no score.
func TestInfeasibleCutsAreCounted(t *testing.T) {
	none := rival{"none", func(context.Context, *data.Graph, *constraint.Set, uint64) ([]int, error) {
		return nil, fmt.Errorf("wrapped: %w", &csp.InfeasibleError{})
	}}
	half := rival{"half", func(context.Context, *data.Graph, *constraint.Set, uint64) ([]int, error) {
		return []int{0, 0, 1, 1}, nil
	}}
	known := &constraint.Set{Must: []constraint.Pair{{I: 0, J: 1}, {I: 1, J: 2}}, Cannot: []constraint.Pair{{I: 0, J: 3}, {I: 2, J: 3}}}
	got, err := scored(background, []rival{none, half}, nil, []int{0, 0, 1, -1}, known, 0)
	if err != nil || !got[0].Failed || got[1] != (cutScore{1, 0.5, false}) {
		t.Fatalf("%+v, %v", got, err)
	}
	c := newCuts("constraints", []rival{none, half}, []float64{5})
	c.at[0] = [][]cutScore{got, got}
	table, err := c.ari()
	if err != nil || table.Cells[0][0].Failed != 2 || table.Cells[1][0].Score.Mean != 1 {
		t.Errorf("%+v, %v", table, err)
	}
	broken := rival{"broken", func(context.Context, *data.Graph, *constraint.Set, uint64) ([]int, error) {
		return nil, errors.New("broken")
	}}
	if _, err := scored(background, []rival{broken}, nil, nil, known, 0); err == nil {
		t.Error("an error is no error")
	}
}

// Elephants of the simplest kind: two dark squares between a bright sky and a
// middle ground. Where the real ones are, the recipe runs on these too.
func TestCSPImages(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts an image of 1536 pixels several times: not in short mode")
	}
	r := Recipe{ID: "csp-images", run: func(ctx context.Context, l *Lab) error {
		return l.images(ctx, pixelWidths[:1], []string{csp.BetaEq19})
	}}
	l := Lab{Data: t.TempDir(), Seed: 1, Workers: 2}
	if _, _, _, err := cook(t, background, r, l); err == nil || !errors.As(err, new(*MissingError)) {
		t.Fatalf("without data: %v", err)
	}
	drawElephants(t, filepath.Join(l.Data, elephants))
	page, s, log, err := cook(t, background, r, l)
	if err != nil {
		t.Fatal(err)
	}
	complete(t, s)
	for _, c := range s.Claims[1:] {
		if c.Verdict != Reproduced {
			t.Errorf("so plain a picture, yet: %+v", c)
		}
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	if l.Trials, _, err = ReadTrials(bytes.NewReader(bytes.Join(lines[1:], nil))); err != nil {
		t.Fatal(err)
	}
	if again, _, _, err := cook(t, background, r, l); err != nil || again != page {
		t.Errorf("from its log, %v: another page", err)
	}
}

// drawElephants writes a data set as csp-images reads it.
func drawElephants(t *testing.T, dir string) {
	t.Helper()
	object := func(x, y int) (string, uint8, uint8) {
		switch {
		case y >= 6 && y < 24 && x >= 3 && x < 20:
			return "elephant_left", 2, 60
		case y >= 6 && y < 24 && x >= 21 && x < 42:
			return "elephant_right", 3, 70
		case y < 14:
			return "sky", 1, 230
		}
		return "ground", 4, 150
	}
	var table, labels bytes.Buffer
	fmt.Fprintln(&table, "row,col,gray")
	photo, drawn := image.NewGray(image.Rect(0, 0, 480, 320)), image.NewGray(image.Rect(0, 0, 480, 320))
	for y := range 320 {
		for x := range 480 {
			name, number, grey := object(x/10, y/10)
			photo.SetGray(x, y, color.Gray{grey + uint8((x*7+y*3)%5)})
			drawn.SetGray(x, y, color.Gray{number})
			if x%10 == 0 && y%10 == 0 {
				fmt.Fprintf(&table, "%d,%d,%d\n", y/10, x/10, grey)
				fmt.Fprintln(&labels, name)
			}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	put := func(name string, content []byte) {
		t.Helper()
		if strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write(content)
			_ = w.Close()
			content = b.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("data.csv.gz", table.Bytes())
	put("labels.txt.gz", labels.Bytes())
	for name, m := range map[string]image.Image{"image.png": photo, "seg_1.png": drawn} {
		b, err := pngOf(m)
		if err != nil {
			t.Fatal(err)
		}
		put(name, b)
	}
}
