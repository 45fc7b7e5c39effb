package door_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster/score"
	"github.com/inklinghq/inkling/internal/door"
	"github.com/inklinghq/inkling/internal/support/longtest"
)

// customers returns a table with four planted segments, which show in categories and in
// numbers, and the segment of each row. A label is known of the first rows. In later
// tables there are other regions.
func customers(seed uint64, n, labels int, later bool) (string, []int) {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(sure float64, usual string, all ...string) string {
		if r.Float64() < sure {
			return usual
		}
		return all[r.IntN(len(all))]
	}
	words := strings.Fields("please call about invoice delivery late return order broken thanks support product size refund account login")
	var b strings.Builder
	b.WriteString("customer_id,region,plan,active,signup,branch,age,income,visits,spend,score,tenure,notes,segment\n")
	truth := make([]int, n)
	for i := range n {
		k := r.IntN(4)
		truth[i] = k
		regions := []string{"north", "south", "east", "west"}
		region := pick(0.75, regions[k], regions...)
		if later && i%20 == 0 {
			region = "abroad"
		}
		var notes []string
		for range 4 + r.IntN(8) {
			notes = append(notes, words[r.IntN(len(words))])
		}
		cells := []string{
			region, pick(0.75, []string{"basic", "pro", "team", "free"}[k], "basic", "pro", "team", "free"),
			pick(0.8, []string{"yes", "no"}[k%2], "yes", "no"),
			fmt.Sprintf("20%02d-%02d-%02d", 15+r.IntN(8), 1+r.IntN(12), 1+r.IntN(28)),
			[]string{"01067", "01069", "04109", "10115", "80331"}[r.IntN(5)],
			fmt.Sprint(math.Round([]float64{35, 38, 52, 55}[k] + 9*r.NormFloat64())),
			fmt.Sprintf("%.2f", []float64{40e3, 45e3, 58e3, 60e3}[k]+10e3*r.NormFloat64()),
			fmt.Sprint(r.IntN(30)), fmt.Sprintf("%.3f", math.Exp(3+1.2*r.NormFloat64())),
			fmt.Sprintf("%.5f", []float64{0.4, 0.5, 0.45, 0.55}[k]+0.15*r.NormFloat64()), fmt.Sprint(r.IntN(4000)), strings.Join(notes, " "),
		}
		for j := range cells {
			if r.Float64() < 0.03 {
				cells[j] = ""
			}
		}
		label := ""
		if i < labels {
			label = "segment-" + string(rune('A'+k))
		}
		fmt.Fprintf(&b, "C%06d,%s,%s\n", i, strings.Join(cells, ","), label)
	}
	return b.String(), truth
}

func readTable(t *testing.T, text string, s door.Source) *door.Table {
	t.Helper()
	x, err := door.Read(context.Background(), strings.NewReader(text), "customers.csv", s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestPlanOfCustomers(t *testing.T) {
	text, _ := customers(1, 5000, 60, false)
	x := readTable(t, text, door.Source{LabelColumn: "segment"})
	var got []string
	for _, c := range x.Plan().Columns {
		got = append(got, fmt.Sprintf("%s:%s:%v", c.Name, c.Role, c.Used))
	}
	want := "customer_id:id:false region:category:true plan:category:true active:category:true signup:date:false branch:category:false " +
		"age:number:true income:number:true visits:number:false spend:number:false score:number:true tenure:number:false notes:text:false segment:label:false"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
	notes := fmt.Sprint(x.Notes())
	for _, say := range []string{"text=notes", "do not predict them: signup, branch, visits, spend", "date=signup uses it", "numbers: age, income"} {
		if !strings.Contains(notes, say) {
			t.Errorf("the notes do not say %q: %s", say, notes)
		}
	}
	if x.ID(0) != "C000000" {
		t.Errorf("the id of the first row is %q", x.ID(0))
	}
}

// Categories beside numbers find the planted segments better than numbers alone.
func TestCategoriesHelp(t *testing.T) {
	t.Parallel()
	draws, rows := longtest.Size(5, 5, 10), 1000
	gain := 0.0
	for seed := range uint64(draws) {
		text, truth := customers(seed, rows, 60, false)
		ari := func(s door.Source) float64 {
			s.LabelColumn = "segment"
			x := readTable(t, text, s)
			r, err := door.Cluster(context.Background(), x, nil, door.Options{Method: "seeded-kmeans", NoSuspects: true})
			if err != nil {
				t.Fatal(err)
			}
			a, err := score.ARI(truth, r.Assignment())
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		all := ari(door.Source{})
		numbers := ari(door.Source{Drop: []string{"region", "plan", "active", "signup", "branch", "notes"}})
		gain += (all - numbers) / float64(draws)
	}
	t.Logf("the adjusted Rand index rises by %.3f on average", gain)
	if gain < 0.1 {
		t.Errorf("categories raise the adjusted Rand index by %.3f, want 0.1 at least", gain)
	}
}

func TestPredictKnowsThePlan(t *testing.T) {
	text, _ := customers(3, 600, 60, false)
	x := readTable(t, text, door.Source{LabelColumn: "segment"})
	r, err := door.Cluster(context.Background(), x, nil, door.Options{Method: "kmeans", NoSuspects: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Plan) != 14 {
		t.Errorf("the result has a plan of %d columns", len(r.Plan))
	}
	var b bytes.Buffer
	if err := r.Save(&b); err != nil {
		t.Fatal(err)
	}
	m, err := door.Load(&b)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "later.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	same, err := m.Open(context.Background(), write(text), door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Predict(context.Background(), same, 0)
	if err != nil {
		t.Fatal(err)
	}
	fitted, placed := slices.Collect(r.Rows()), slices.Collect(again.Rows())
	if !slices.Equal(fitted, placed) {
		t.Error("the fitted rows are elsewhere when predicted")
	}
	text, _ = customers(4, 200, 0, true)
	later, err := m.Open(context.Background(), write(text), door.Source{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(context.Background(), later, 0)
	if err != nil {
		t.Fatal(err)
	}
	notes := fmt.Sprint(p.Notes)
	if p.Len() != 200 || !strings.Contains(notes, `counted as other: "abroad"`) || !strings.Contains(notes, "missing cells: ") {
		t.Errorf("%d rows, notes %s", p.Len(), notes)
	}
}

// A plan that was written is what is read back, and decides.
func TestSourceUsesPlan(t *testing.T) {
	text, _ := customers(5, 300, 60, false)
	x := readTable(t, text, door.Source{LabelColumn: "segment", Log: []string{"auto"}})
	var b bytes.Buffer
	if err := x.Plan().Write(&b); err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(b.String(), "region,category,true", "region,drop,true", 1)
	var s door.Source
	if err := s.UsePlan(strings.NewReader(edited), "plan.csv"); err != nil {
		t.Fatal(err)
	}
	again := readTable(t, text, s)
	for i, c := range again.Plan().Columns {
		was := x.Plan().Columns[i]
		if c.Name == "region" && c.Used || c.Name != "region" && (c.Used != was.Used || c.Used && !reflect.DeepEqual(c.Spec, was.Spec)) {
			t.Errorf("%+v became %+v", was, c)
		}
	}
	if again.ID(0) != "C000000" {
		t.Errorf("the id of the first row is %q", again.ID(0))
	}
}

func TestConstraintsOnUnknownIDsCanBeIgnored(t *testing.T) {
	x := readTable(t, "name,x\nu,1\nv,2\nw,9\n", door.Source{ID: "name"})
	path := filepath.Join(t.TempDir(), "labels.csv")
	if err := os.WriteFile(path, []byte("class,name\npremium,u\nPremium ,w\nother,z\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	files := door.ConstraintFiles{Labels: []string{path}}
	c, err := door.ReadConstraints(context.Background(), x, files)
	if err != nil || c.Err() == nil || !strings.Contains(c.Err().Error(), `no row "z"`) {
		t.Errorf("%v, %v", err, c.Err())
	}
	files.IgnoreUnknown = true
	c, err = door.ReadConstraints(context.Background(), x, files)
	if err != nil || c.Err() != nil || c.Len() != 2 {
		t.Fatalf("%v, %v, %d constraints", err, c.Err(), c.Len())
	}
	notes := fmt.Sprint(c.Notes())
	if !strings.Contains(notes, "ignored 1 constraint on ids that") || !strings.Contains(notes, `"premium" and "Premium" differ only by case`) {
		t.Errorf("notes %s", notes)
	}
}
