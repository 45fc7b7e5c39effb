package explain

import (
	"fmt"
	"strings"

	"github.com/inklinghq/inkling/internal/support/format"
)

// String returns the explanation for people.
func (r *Row) String() string {
	var b strings.Builder
	if r.Cluster == "" {
		return r.noiseText()
	}
	fmt.Fprintf(&b, "%s is in %s, confidence %.2f", r.ID, r.Cluster, r.Confidence)
	if r.Second == "" {
		b.WriteString("; there is no other cluster\n")
		return b.String()
	}
	fmt.Fprintf(&b, "; next best %s", r.Second)
	if r.SecondCost != nil {
		fmt.Fprintf(&b, " (costs %s there, %s here)", format.Number(*r.SecondCost), format.Number(r.Cost))
	}
	b.WriteString("\n")
	if r.Label != "" {
		fmt.Fprintf(&b, "you labelled it %s\n", r.Label)
	}
	if len(r.Features) > 0 {
		fmt.Fprintf(&b, "\n  %-24s %10s %10s %10s   %s\n", "column", "row", short(r.Cluster), short(r.Second), "share of the decision")
	}
	for _, f := range r.Features {
		fmt.Fprintf(&b, "  %-24s %10s %10s %10s   %5.1f %%\n", short24(f.Name), format.Number(f.Value), format.Number(f.Own), format.Number(f.Next), 100*f.Difference)
	}
	if len(r.Changes) > 0 {
		b.WriteString("\none change would be enough to move it to " + r.Second + ":\n")
	}
	for _, c := range r.Changes {
		fmt.Fprintf(&b, "  %s %s in place of %s\n", c.Feature, format.Number(c.To), format.Number(c.From))
	}
	return b.String() + r.labelledText() + noteLine(r.Note)
}

// labelledText lists the nearest labelled rows.
func (r *Row) labelledText() string {
	var b strings.Builder
	if len(r.Labelled) > 0 {
		b.WriteString("\nnearest labelled rows:\n")
	}
	for _, l := range r.Labelled {
		where := "in " + l.Cluster
		if l.Cluster == "" {
			where = "noise"
		}
		fmt.Fprintf(&b, "  %s, labelled %s, %s, distance %s\n", l.ID, l.Label, where, format.Number(l.Distance))
	}
	return b.String()
}

// String returns the explanation for people.
func (p *Pair) String() string {
	var b strings.Builder
	switch {
	case p.ClusterA == "" || p.ClusterB == "":
		fmt.Fprintf(&b, "%s %s, %s %s\n", p.A, placeText(p.ClusterA, p.ConfidenceA), p.B, placeText(p.ClusterB, p.ConfidenceB))
	case p.Together:
		fmt.Fprintf(&b, "%s and %s are both in %s, confidence %.2f and %.2f\n", p.A, p.B, p.ClusterA, p.ConfidenceA, p.ConfidenceB)
	default:
		fmt.Fprintf(&b, "%s is in %s (confidence %.2f), %s in %s (%.2f)\n", p.A, p.ClusterA, p.ConfidenceA, p.B, p.ClusterB, p.ConfidenceB)
	}
	if len(p.Chain) > 0 {
		fmt.Fprintf(&b, "your constraints put them together: %s\n", strings.Join(p.Chain, " = "))
	}
	if p.Cannot {
		b.WriteString("you gave a cannot-link of the two\n")
	}
	fmt.Fprintf(&b, "distance %s\n", format.Number(p.Distance))
	if len(p.Features) > 0 {
		fmt.Fprintf(&b, "\n  %-24s %10s %10s   %s\n", "column", short(p.A), short(p.B), "share")
	}
	for _, f := range p.Features {
		fmt.Fprintf(&b, "  %-24s %10s %10s   %5.1f %%\n", short24(f.Name), format.Number(f.A), format.Number(f.B), 100*f.Share)
	}
	return b.String() + noteLine(p.Note)
}

func noteLine(note string) string {
	if note == "" {
		return ""
	}
	return "\n" + note + "\n"
}

// short and short24 cut a name to the width of its column.
func short(name string) string   { return cut(name, 10) }
func short24(name string) string { return cut(name, 24) }

func cut(name string, width int) string {
	if letters := []rune(name); len(letters) > width {
		return string(letters[:width-1]) + "…"
	}
	return name
}
