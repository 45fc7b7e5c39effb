package door

import (
	"bytes"
	"context"
	"encoding/csv"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/cluster"
)

var updatePlans = flag.Bool("update-plans", false, "write the plans of the made-up tables again")

// A made is a made-up table as people have them: rows in four groups that the latent columns differ in.
type made struct {
	rng   *rand.Rand
	group []int
	x     [][]float64 // latent, by row
	names []string
	cells [][]string // by column
}

func newMade(seed uint64, rows int) *made {
	m := &made{rng: rand.New(rand.NewPCG(seed, 33))}
	centre := make([][]float64, 4)
	for g := range centre {
		centre[g] = make([]float64, 8)
		for f := range centre[g] {
			centre[g][f] = 2 * m.rng.NormFloat64()
		}
	}
	for range rows {
		g := m.rng.IntN(4)
		row := make([]float64, 8)
		for f := range row {
			row[f] = centre[g][f] + 0.6*m.rng.NormFloat64()
		}
		m.group, m.x = append(m.group, g), append(m.x, row)
	}
	return m
}

// add appends a column whose cells are made from the number of the row and its latent values.
func (m *made) add(name string, cell func(i int, x []float64) string) *made {
	column := make([]string, len(m.x))
	for i, x := range m.x {
		column[i] = cell(i, x)
	}
	m.names, m.cells = append(m.names, name), append(m.cells, column)
	return m
}

func (m *made) number(name, form string, f int, mean, spread float64) *made {
	return m.add(name, func(_ int, x []float64) string { return fmt.Sprintf(form, mean+spread*x[f]) })
}

// money is a heavy tail.
func (m *made) money(name, form string, f int, mean float64) *made {
	return m.add(name, func(_ int, x []float64) string { return fmt.Sprintf(form, mean*math.Exp(0.5*x[f])) })
}

// level is a category that mostly follows the group; with follows false it does not.
func (m *made) level(name string, follows bool, levels ...string) *made {
	return m.add(name, func(i int, _ []float64) string {
		if follows && m.rng.Float64() < 0.8 {
			return levels[m.group[i]%len(levels)]
		}
		return levels[m.rng.IntN(len(levels))]
	})
}

func (m *made) date(name, layout string, f int) *made {
	return m.add(name, func(_ int, x []float64) string {
		day := 200 + int(60*x[f])
		return strings.NewReplacer("YYYY", fmt.Sprint(2020+day/360), "MM", fmt.Sprintf("%02d", 1+(day+3600)/30%12), "DD", fmt.Sprintf("%02d", 1+(day+3600)%28)).Replace(layout)
	})
}

func (m *made) word() string {
	a, b, c := []string{"ka", "lo", "mi", "ra", "te", "vo", "su", "ne"}, []string{"rin", "na", "lu", "tos", "ska", "ver"}, []string{"", "s", "a", "o"}
	w := a[m.rng.IntN(len(a))] + b[m.rng.IntN(len(b))] + c[m.rng.IntN(len(c))]
	return strings.ToUpper(w[:1]) + w[1:]
}

func (m *made) bytes(delimiter rune) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = delimiter
	_ = w.Write(m.names)
	for i := range m.x {
		row := make([]string, len(m.names))
		for c := range row {
			row[c] = m.cells[c][i]
		}
		_ = w.Write(row)
	}
	w.Flush()
	return b.Bytes()
}

func comma(s string) string { return strings.ReplaceAll(s, ".", ",") }

// topics are words that texts of a group have in common.
var topics = []string{"invoice payment refund card charged", "password login account locked reset", "parcel delivery courier late address", "crash error screen update install"}

func (m *made) sentence(i int) string {
	words := strings.Fields(topics[m.group[i]])
	out := []string{}
	for range 4 {
		out = append(out, words[m.rng.IntN(len(words))])
	}
	return strings.Join(append(out, strings.ToLower(m.word()), "and the", strings.ToLower(m.word())), " ")
}

// madeUp returns the tables by name, each with its source. They are of the kinds that people have: none is a
// file of a benchmark.
func madeUp() map[string]func() (name string, content []byte, s Source) {
	csvOf := func(m *made) (string, []byte, Source) { return "data.csv", m.bytes(','), Source{} }
	return map[string]func() (string, []byte, Source){
		"customers": func() (string, []byte, Source) {
			m := newMade(1, 160)
			m.add("customer_no", func(i int, _ []float64) string { return fmt.Sprintf("C-%05d", 10007*i%99991) })
			m.add("full name", func(int, []float64) string { return m.word() + " " + m.word() })
			m.add("email", func(int, []float64) string { return strings.ToLower(m.word() + "." + m.word() + "@mail.example") })
			m.date("since", "YYYY-MM-DD", 0).money("total spend", "€ %.2f", 1, 300).number("orders", "%.0f", 2, 20, 4)
			m.add("discount", func(_ int, x []float64) string { return fmt.Sprintf("%.1f %%", 20+4*x[3]) })
			return csvOf(m.level("plan", true, "basic", "plus", "pro", "team").level("newsletter", false, "yes", "no"))
		},
		"tickets": func() (string, []byte, Source) {
			m := newMade(2, 160)
			m.add("ticket", func(i int, _ []float64) string { return fmt.Sprint(4000 + 3*i) })
			m.add("text", func(i int, _ []float64) string { return m.sentence(i) }).level("channel", false, "mail", "chat", "phone")
			return "data.csv", m.bytes(','), Source{Text: "text"}
		},
		"texts alone": func() (string, []byte, Source) {
			m := newMade(3, 160)
			m.add("id", func(i int, _ []float64) string { return fmt.Sprintf("m%04d", i) })
			return csvOf(m.add("message", func(i int, _ []float64) string { return m.sentence(i) }))
		},
		"accounts": func() (string, []byte, Source) {
			m := newMade(4, 160)
			m.add("IBAN", func(i int, _ []float64) string { return fmt.Sprintf("DE%02d%018d", 10+i%80, 7919*(i+13)) })
			m.add("Inhaber", func(int, []float64) string { return m.word() + ", " + m.word() })
			m.add("Saldo", func(_ int, x []float64) string { return comma(fmt.Sprintf("%.2f", 700*math.Sinh(x[0]))) })
			m.add("Eingang", func(_ int, x []float64) string { return comma(fmt.Sprintf("%.2f", 1500*math.Exp(0.6*x[1]))) }).number("Buchungen", "%.0f", 2, 30, 5)
			m.date("Eröffnet", "DD.MM.YYYY", 3).level("Filiale", false, "101", "102", "103", "104", "105", "106", "107", "108")
			return "data.csv", m.bytes(';'), Source{}
		},
		"questionnaire": func() (string, []byte, Source) {
			m := newMade(5, 160)
			m.add("no", func(i int, _ []float64) string { return fmt.Sprint(1000 + i) })
			for q := range 10 {
				m.add(fmt.Sprintf("Q%02d", q+1), func(_ int, x []float64) string {
					if m.rng.IntN(30) == 0 {
						return "99"
					}
					return fmt.Sprint(min(5, max(1, int(math.Round(3+0.6*x[q%5]+0.3*m.rng.NormFloat64())))))
				})
			}
			return csvOf(m.add("commentaire", func(i int, _ []float64) string { return m.sentence(i) }))
		},
		"sensors": func() (string, []byte, Source) {
			m := newMade(6, 160)
			m.add("serial", func(i int, _ []float64) string { return fmt.Sprintf("SN-%06d-%d", 7121*i, i%7) })
			m.add("length", func(i int, x []float64) string {
				if i%3 == 0 {
					return fmt.Sprintf("%.2f cm", 5+0.6*x[0])
				}
				return fmt.Sprintf("%.1f mm", 50+6*x[0])
			})
			m.add("temp_C", func(i int, x []float64) string {
				if i%40 == 7 {
					return "-9999"
				}
				return fmt.Sprintf("%.1f", 40+5*x[1])
			}).number("flow l/min", "%.2f", 2, 12, 2)
			m.add("firmware", func(int, []float64) string {
				return fmt.Sprintf("%d.%d.%d", 1+m.rng.IntN(3), m.rng.IntN(9), m.rng.IntN(30))
			})
			return csvOf(m.number("pressure [bar]", "%.2f", 3, 9, 1))
		},
		"products": func() (string, []byte, Source) {
			m := newMade(7, 160)
			m.add("SKU", func(i int, _ []float64) string { return fmt.Sprintf("%c%c-%04d", 'A'+i%26, 'A'+i*7%26, 37*i) })
			m.add("title", func(i int, _ []float64) string { return m.word() + " " + m.sentence(i) })
			m.add("price", func(i int, x []float64) string {
				v := 40 * math.Exp(0.5*x[0])
				if i%2 == 0 {
					return comma(fmt.Sprintf("€ %.2f", v))
				}
				return fmt.Sprintf("$%.2f", 1.1*v)
			})
			m.add("weight", func(_ int, x []float64) string {
				if g := 600 * math.Exp(0.6*x[1]); g > 800 {
					return fmt.Sprintf("%.2f kg", g/1000)
				} else {
					return fmt.Sprintf("%.0f g", g)
				}
			})
			return csvOf(m.level("shelf", true, "Home > Kitchen", "Sport > Hiking", "Office", "Garden").money("reviews", "%.0f", 2, 20))
		},
		"sessions": func() (string, []byte, Source) {
			m := newMade(8, 160)
			var b bytes.Buffer
			for i, x := range m.x {
				fmt.Fprintf(&b, `{"session": "%08x-%04x", "user": {"country": %q, "agent": "Mozilla/5.0 (%s) Safari/%d"}, "entry": "https://www.example.com/%s/%d", "stats": {"views": %.0f, "duration": "%02.0f:%02d", "depth": %.2f}}`+"\n",
					uint32(i*2654435761), i, []string{"FR", "DE", "ES"}[m.rng.IntN(3)], m.word(), i, []string{"shop", "blog", "help"}[m.rng.IntN(3)], i,
					math.Max(1, 5*math.Exp(0.4*x[0])), math.Max(0, 4+1.5*x[1]), m.rng.IntN(60), 0.5+0.1*x[2])
			}
			return "data.jsonl", b.Bytes(), Source{}
		},
		"laboratory": func() (string, []byte, Source) {
			m := newMade(9, 160)
			m.add("case", func(i int, _ []float64) string { return fmt.Sprintf("K%05d", 31*i) })
			m.add("CRP mg/l", func(_ int, x []float64) string {
				if v := 8 * math.Exp(0.8*x[0]); v < 0.5 {
					return "<0.5"
				} else {
					return fmt.Sprintf("%.1f", v)
				}
			}).number("Hb", "%.1f", 1, 12, 1).number("pulse", "%.0f", 2, 80, 8)
			m.add("diabetes", func(i int, x []float64) string {
				return []string{"yes", "no", "y", "n", "ja", "nein"}[2*m.rng.IntN(3)+m.group[i]%2]
			})
			return csvOf(m.add("ICD", func(int, []float64) string {
				return fmt.Sprintf("%c%02d.%d", 'A'+m.rng.IntN(20), m.rng.IntN(90), m.rng.IntN(9))
			}))
		},
		"houses": func() (string, []byte, Source) {
			m := newMade(10, 160)
			m.add("ref", func(i int, _ []float64) string { return fmt.Sprintf("inm-%06d", 613*i) })
			m.add("dirección", func(i int, _ []float64) string { return fmt.Sprintf("Calle de %s, %d", m.word(), 1+m.rng.IntN(200)) })
			m.number("latitud", "%.5f", 0, 41.4, 0.02).number("longitud", "%.5f", 1, 2.17, 0.02)
			m.add("superficie", func(_ int, x []float64) string { return fmt.Sprintf("%.0f m²", 90*math.Exp(0.3*x[2])) })
			return csvOf(m.add("precio", func(_ int, x []float64) string {
				v := int(300 * math.Exp(0.4*x[3]))
				return fmt.Sprintf("%d.000 €", v)
			}).level("ascensor", false, "sí", "no"))
		},
		"expression": func() (string, []byte, Source) {
			m := newMade(11, 160)
			m.add("gene", func(i int, _ []float64) string { return fmt.Sprintf("ENSG%08d", 97*i) })
			level := make([]float64, 160)
			for i := range level {
				level[i] = 8 + 3*m.rng.NormFloat64()
			}
			for s := range 12 {
				m.add(fmt.Sprintf("sample_%02d", s+1), func(i int, x []float64) string {
					return fmt.Sprintf("%.3f", level[i]+0.5*math.Sin(float64(s)*0.9+1.5*float64(m.group[i]))+0.1*m.rng.NormFloat64())
				})
			}
			return "data.tsv", m.bytes('\t'), Source{}
		},
		"plain numbers": func() (string, []byte, Source) {
			m := newMade(12, 160)
			return csvOf(m.number("a", "%.4f", 0, 0, 1).number("b", "%.4f", 1, 0, 1).number("c", "%.4f", 2, 0, 1))
		},
	}
}

// The lines that say what is done with the columns of tables as people have them, at most eight, are as somebody has
// read and approved them: testdata/plans.
func TestGoldenPlans(t *testing.T) {
	t.Parallel()
	kinds := madeUp()
	maps.Copy(kinds, moreMadeUp())
	for kind, make := range kinds {
		t.Run(kind, func(t *testing.T) {
			name, content, source := make()
			table, err := Read(context.Background(), bytes.NewReader(content), name, source)
			if err != nil {
				t.Fatal(err)
			}
			lines := table.Plan().Notes()
			if table.Input() != cluster.InputRows { // there is no plan, only what was read
				for _, n := range table.Notes() {
					lines = append(lines, n.Text)
				}
			}
			if len(lines) > 8 {
				t.Errorf("%d lines", len(lines))
			}
			var got strings.Builder
			for _, line := range lines {
				fmt.Fprintln(&got, line.String())
			}
			file := filepath.Join("testdata", "plans", strings.ReplaceAll(kind, " ", "-")+".txt")
			if *updatePlans {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("the plan is\n%s\nit was\n%s\n(-update-plans writes it again)", got.String(), want)
			}
		})
	}
}
