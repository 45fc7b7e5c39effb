package reproduce

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Parts of the pages of evidence are made from the results; what people write about them stands around
// them. A part is what stands between two lines, the first of which names results:
//
//	<!-- result NAME -->      claims and tables of one result
//	<!-- claims NAME... -->   how many claims there are, and how many of them hold
//	<!-- end -->
var pagePart = regexp.MustCompile(`(?s)<!-- (result|claims) ([a-z0-9 -]+) -->\n.*?<!-- end -->`)

// FillPage returns a page with its parts made from the results.
func FillPage(page string, results []*Result) (string, error) {
	var failed error
	if a, b := strings.Count(page, "<!-- result ")+strings.Count(page, "<!-- claims "), len(pagePart.FindAllString(page, -1)); a != b {
		return "", fmt.Errorf("the page has %d parts, %d of them with a line <!-- end -->", a, b)
	}
	out := pagePart.ReplaceAllStringFunc(page, func(part string) string {
		found := pagePart.FindStringSubmatch(part)
		var of []*Result
		for _, name := range strings.Fields(found[2]) {
			i := slices.IndexFunc(results, func(r *Result) bool { return r.ID == name })
			if i < 0 {
				failed = fmt.Errorf("there is no result %s", name)
				return part
			}
			of = append(of, results[i])
		}
		var b strings.Builder
		fmt.Fprintf(&b, "<!-- %s %s -->\n", found[1], found[2])
		if found[1] == "result" {
			of[0].writePart(&b)
		} else {
			writeClaims(&b, of)
		}
		return b.String() + "<!-- end -->"
	})
	return out, failed
}

// writePart writes claims and tables, one level below the headings of a page.
func (r *Result) writePart(b *strings.Builder) {
	fmt.Fprintf(b, "## %s: %s\n\nMeasured by %s, seed %d, %s.\n\n| claim | verdict | numbers |\n|---|---|---|\n", r.ID, r.Title, r.Build, r.Seed, r.repeats())
	for _, c := range r.Claims {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(strings.TrimPrefix(c.Text, "(ours) ")), c.Verdict, cell(c.Numbers))
	}
	for _, p := range r.Parts {
		p.Charts = nil
		var part strings.Builder
		p.write(&part, "")
		b.WriteString("\n#" + strings.TrimPrefix(part.String(), "\n"))
	}
	b.WriteString("\n")
}

// writeClaims counts the claims of results in a line.
func writeClaims(b *strings.Builder, of []*Result) {
	n, full := Counts(of...), 0
	var names []string
	for _, r := range of {
		names = append(names, "`"+r.ID+"`")
		if r.Full {
			full++
		}
	}
	how := "few repeats"
	switch {
	case full == len(of):
		how = "full repeats"
	case full > 0:
		how = "some with full repeats"
	}
	fmt.Fprintf(b, "Of %d claims %d are reproduced, %d partly, %d not (%s; %s; [VERDICTS.md](VERDICTS.md) has each).\n",
		n[Reproduced]+n[Partly]+n[Not], n[Reproduced], n[Partly], n[Not], strings.Join(names, ", "), how)
}

// repeats says how often it was measured.
func (r *Result) repeats() string {
	if r.Full {
		return "as many repeats as the paper"
	}
	return "few repeats"
}
