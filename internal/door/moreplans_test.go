package door

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

// moreMadeUp are the kinds that are no table of mixed columns: numbers of one unit, arrays, edges and records.
func moreMadeUp() map[string]func() (name string, content []byte, s Source) {
	return map[string]func() (string, []byte, Source){
		"expression in R": func() (string, []byte, Source) {
			m := shapes(21, 12, "sample_%02d")
			lines := strings.SplitAfterN(string(m.bytes('\t')), "\n", 2)
			return "data.tsv", []byte(strings.TrimPrefix(lines[0], "gene\t") + lines[1]), Source{}
		},
		"vectors": func() (string, []byte, Source) {
			m := newMade(23, 160)
			var b bytes.Buffer
			for i, x := range m.x {
				fmt.Fprintf(&b, `{"id": "v%04d", "embedding": [%.3f, %.3f, %.3f, %.3f, %.3f, %.3f]}`+"\n", i, x[0], x[1], x[2], x[3], x[4], x[5])
			}
			return "data.jsonl", b.Bytes(), Source{}
		},
		"vectors in cells": func() (string, []byte, Source) {
			m := newMade(29, 160)
			m.add("image", func(i int, _ []float64) string { return fmt.Sprintf("img/%06x.jpg", 7919*i) })
			m.add("embedding", func(_ int, x []float64) string {
				return fmt.Sprintf("[%.3f %.3f %.3f\n %.3f %.3f %.3f]", x[0], x[1], x[2], x[3], x[4], x[5])
			})
			return "data.csv", m.bytes(','), Source{}
		},
		"diary": func() (string, []byte, Source) {
			m := newMade(30, 160)
			m.add("patient", func(i int, _ []float64) string { return fmt.Sprintf("P-%04d", 31*i) })
			m.add("pressure", func(_ int, x []float64) string { return fmt.Sprintf("%.0f/%.0f", 140+7*x[0], 82+4*x[1]) })
			m.add("home", func(_ int, x []float64) string { return fmt.Sprintf("%.5f, %.5f", 48.1+0.02*x[2], 11.5+0.02*x[3]) })
			return "data.csv", m.number("pulse", "%.0f", 4, 74, 6).bytes(','), Source{}
		},
		"parcels and rooms": func() (string, []byte, Source) {
			m := newMade(31, 160)
			m.add("номер", func(i int, _ []float64) string { return fmt.Sprintf("RA%06dRU", 6133*i) })
			m.add("вес", func(_ int, x []float64) string {
				if v := 900 * math.Exp(0.5*x[0]); v < 1000 {
					return fmt.Sprintf("%.0f г", v)
				} else {
					return comma(fmt.Sprintf("%.2f кг", v/1000))
				}
			})
			m.add("rate", func(_ int, x []float64) string { return fmt.Sprintf("from $%.0f / night", 120+20*x[1]) })
			m.add("매매가", func(_ int, x []float64) string {
				v := int(20000 * math.Exp(0.3*x[2]))
				return fmt.Sprintf("%d억 %d만원", v/10000, max(v%10000, 1))
			})
			return "data.csv", m.add("면적", func(_ int, x []float64) string { return fmt.Sprintf("%.2f㎡(%.1f평)", 70+9*x[3], 21+2.7*x[3]) }).bytes(';'), Source{}
		},
		"few plants": func() (string, []byte, Source) {
			m := newMade(24, 60)
			m.add("plant", func(i int, _ []float64) string { return fmt.Sprintf("p%d", i+1) })
			m.number("height_cm", "%.1f", 0, 42, 9).number("leaves", "%.0f", 1, 14, 4).number("stem_mm", "%.2f", 2, 5, 1)
			return "data.csv", m.bytes(','), Source{}
		},
		"spectra": func() (string, []byte, Source) {
			m := newMade(32, 80)
			m.add("sample", func(i int, _ []float64) string { return fmt.Sprintf("S%03d", i+1) })
			level, drift := make([]float64, 80), make([]float64, 80)
			for i := range level {
				level[i], drift[i] = 0.4*m.rng.NormFloat64(), 0.002*m.rng.NormFloat64()
			}
			for w := range 240 {
				m.add(fmt.Sprintf("%d", 400+5*w), func(i int, x []float64) string {
					y := level[i] + drift[i]*float64(w-120) + 0.02*m.rng.NormFloat64()
					for f, height := range x {
						y += 0.2 * (3 + height) * math.Exp(-math.Pow(float64(w-15-30*f)/8, 2))
					}
					return fmt.Sprintf("%.4f", y)
				})
			}
			return "data.csv", m.bytes(','), Source{}
		},
		"points": func() (string, []byte, Source) {
			m := newMade(25, 160)
			for f := range 5 {
				m.number(fmt.Sprintf("x%d", f+1), "%.4f", f, 0, 1)
			}
			return "data.csv", m.bytes(','), Source{}
		},
		"contacts": func() (string, []byte, Source) {
			m := newMade(26, 160)
			m.add("contact_id", func(i int, _ []float64) string { return fmt.Sprintf("C%05d", 17*i) })
			m.add("given_name", func(int, []float64) string { return m.word() }).add("surname", func(int, []float64) string { return m.word() })
			m.add("phone", func(i int, _ []float64) string { return fmt.Sprintf("+49 30 %07d", 6133*i+1000000) })
			m.add("email", func(i int, _ []float64) string { return fmt.Sprintf("%s%d@example.com", strings.ToLower(m.word()), i) })
			return "data.csv", m.bytes(','), Source{Missing: "keep"}
		},
		"water": func() (string, []byte, Source) {
			m := newMade(27, 160)
			m.add("Sample", func(i int, _ []float64) string { return fmt.Sprintf("2025-%05d-W", 61*i) })
			m.add("Pb µg/L", func(_ int, x []float64) string {
				if v := math.Exp(0.6 * x[0]); v < 0.4 {
					return "<LOD"
				} else {
					return fmt.Sprintf("%.2f ± %.2f", v, 0.1*v)
				}
			})
			m.add("NO3", func(_ int, x []float64) string {
				if v := 4 * math.Exp(0.5*x[1]); v < 3 {
					return fmt.Sprintf("%.0f µg/L", 1000*v)
				} else {
					return fmt.Sprintf("%.2f mg/L", v)
				}
			})
			return "data.csv", m.number("pH", "%.2f", 2, 7.2, 0.4).number("T/°C", "%.1f", 3, 11, 3).bytes(','), Source{}
		},
		"interactions": func() (string, []byte, Source) {
			m := newMade(28, 60)
			var b strings.Builder
			b.WriteString("# physical interactions\nprotein1\tprotein2\tscore\n")
			for i := range m.x {
				for j := range i {
					if m.group[i] == m.group[j] && m.rng.IntN(4) == 0 {
						fmt.Fprintf(&b, "P%03d\tP%03d\t%d\n", i, j, 400+m.rng.IntN(500))
					}
				}
			}
			return "data.tsv", []byte(b.String()), Source{As: "graph"}
		},
	}
}

// shapes has rows that differ by their level and are alike by their shape.
func shapes(seed uint64, samples int, form string) *made {
	m := newMade(seed, 160)
	m.add("gene", func(i int, _ []float64) string { return fmt.Sprintf("ENSG%08d", 97*i) })
	level := make([]float64, len(m.x))
	for i := range level {
		level[i] = 8 + 3*m.rng.NormFloat64()
	}
	for s := range samples {
		m.add(fmt.Sprintf(form, s+1), func(i int, _ []float64) string {
			return fmt.Sprintf("%.3f", level[i]+0.5*math.Sin(float64(s)*0.9+1.5*float64(m.group[i]))+0.1*m.rng.NormFloat64())
		})
	}
	return m
}
