package main

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// lookScript returns what a page looks like, its folded parts opened: its parts, how
// many charts each has, how far it is too wide, the contrast of each kind of text, and
// the colours of cards and legend.
const lookScript = `(async () => {
  await document.fonts.ready
  const folded = document.querySelectorAll('details:not([open])').length
  for (const d of document.querySelectorAll('details')) d.open = true
  const rgb = s => (s.match(/[\d.]+/g) || [0, 0, 0]).map(Number)
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    return .2126 * r + .7152 * g + .0722 * b }
  const paper = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c }
    return [255, 255, 255] }
  const contrast = e => { const s = getComputedStyle(e), a = light(rgb(e.ownerSVGElement ? s.fill : s.color)), b = light(paper(e))
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05) }
  const look = {parts: {}, contrast: {}, wide: document.documentElement.scrollWidth - innerWidth, paper: getComputedStyle(document.body).backgroundColor, empty: 0, folded}
  for (const s of document.querySelectorAll('section, details')) look.parts[s.id || s.className] = s.querySelectorAll('svg').length
  for (const k of ['h1', 'p', '.note', 'th', 'td', 'pre', '.bad', 'svg text', 'svg .soft']) {
    const e = document.querySelector(k); if (e) look.contrast[k] = contrast(e) }
  for (const e of document.querySelectorAll('svg')) { const b = e.getBBox(); if (!(b.width > 0 && b.height > 0)) look.empty++ }
  look.dots = [...document.querySelectorAll('#map path[stroke-linecap]')].reduce((n, p) => n + p.getAttribute('d').split('M').length - 1, 0)
  const colours = k => [...document.querySelectorAll(k)].map(e => getComputedStyle(e).backgroundColor)
  look.cards = colours('.card .dot'); look.legend = colours('.legend .dot')
  look.order = [...document.querySelectorAll('main > section, main > div')].map(e => e.id || e.className)
  return look
})()`

type look struct {
	Parts    map[string]int
	Contrast map[string]float64
	Wide     float64
	Paper    string
	Empty    int
	Dots     int
	Folded   int
	Cards    []string // colours
	Legend   []string
	Order    []string // of the parts of the page
}

// The report opens in a browser in light and dark, on wide and narrow windows:
// nothing on the console, no request but for itself, every chart there, all
// text readable. INKLING_SHOTS names a folder for pictures of what was seen.
func TestReportInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a browser: not in short mode")
	}
	b := startBrowser(t)
	dir := t.TempDir()
	many, thirty, shop := writeMany(t, dir, 50_000), writeThirty(t, dir), filepath.Join(dir, "shop.csv")
	if err := os.WriteFile(shop, []byte("id,spent_in_the_last_year,plan,churned,town,since\na,10,free,yes,Ulm,2020-01-01\nb,12,free,yes,Ulm,2020-02-01\nc,11,free,no,Ulm,2020-03-01\n"+
		"d,13,free,yes,Ulm,2020-01-11\ne,14,free,yes,Bonn,2020-01-21\nf,510,paid,no,Bonn,2024-01-01\ng,512,paid,no,Bonn,2024-01-03\nh,511,paid,no,Bonn,2023-12-01\ni,509,paid,yes,Bonn,2024-02-01\nj,515,paid,no,Ulm,2024-03-01\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		rows  int
		parts []string // that have a chart
		args  []string
	}{
		{"iris", 150, []string{"map", "sizes", "compared", "silhouettes", "trace"}, strings.Fields("cluster example:iris.csv --labels example:iris-labels.csv " +
			"--links example:iris-links.csv --unconstrained --truth example:iris-truth.csv -o iris.csv --report iris.html")},
		{"wine", 356, []string{"map", "sizes", "weights", "silhouettes", "trace"}, strings.Fields("cluster example:wine.csv -k 3 --method mpc-kmeans " +
			"--links example:wine-links.csv -o wine.csv --save wine.ink --report wine.html")},
		{"placed", 356, []string{"map", "sizes", "weights", "compared", "silhouettes"}, strings.Fields("report wine.ink example:wine.csv -o placed.html " +
			"--truth example:wine-truth.csv --links example:wine-links.csv --against wine.csv")},
		{"full", 356, []string{"map", "sizes", "weights", "silhouettes", "trace"}, strings.Fields("cluster example:wine.csv -k 3 --scale standard --method mpc-kmeans " +
			"--metric full --complexity none --links example:wine-links.csv -o full.csv --report full.html")},
		{"own", 356, []string{"map", "sizes", "weights", "silhouettes", "trace"}, strings.Fields("cluster example:wine.csv -k 3 --method hmrf-kmeans " +
			"--metric per-cluster-diagonal --complexity none --weight 0.01 --links example:wine-links.csv -o own.csv --report own.html")},
		{"text", 78, []string{"map", "sizes", "compared", "silhouettes", "trace"}, strings.Fields("cluster example:text.csv --text text " +
			"--labels example:text-labels.csv -o text.csv --report text.html")},
		{"shop", 10, []string{"map", "sizes"}, []string{"cluster", shop, "-k", "2", "--profile", "churned,town", "-o", "shop-out.csv", "--report", "shop.html"}},
		{"graph", 400, []string{"map", "sizes", "trace"}, strings.Fields("cluster example:graph.edges -k 4 --links example:graph-links.csv -o graph.csv --report graph.html")},
		{"thirty", 900, []string{"map", "sizes", "silhouettes"}, []string{"cluster", thirty, "-k", "30", "--id", "id", "-o", "thirty.csv", "--report", "thirty.html"}},
		{"many", 50_000, []string{"map", "sizes", "silhouettes", "trace"}, []string{"cluster", many, "-k", "8", "--restarts", "1", "-o", "many.csv", "--report", "many.html"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("inkling", append(c.args, "-q")...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", c.args, err, out)
			}
			page := filepath.Join(dir, c.name+".html")
			info, err := os.Stat(page)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes", info.Size())
			if info.Size() >= 3_000_000 {
				t.Errorf("the page has %d bytes, it must be below 3 MB", info.Size())
			}
			light := checkLook(t, b, page, 1250, "light", c.rows, c.parts)
			dark := checkLook(t, b, page, 400, "dark", c.rows, c.parts)
			if light.Paper == dark.Paper {
				t.Errorf("the paper is %s in light and dark", light.Paper)
			}
			if c.name == "thirty" {
				checkColours(t, light, 30)
			}
			checkPaper(t, b, page)
			if os.Getenv("INKLING_SHOTS") != "" {
				checkLook(t, b, page, 1250, "dark", c.rows, c.parts)
				checkLook(t, b, page, 400, "light", c.rows, c.parts)
			}
		})
	}
}

// checkLook opens a page and fails the test for whatever is wrong with it.
func checkLook(t *testing.T, b *browser, page string, width int, scheme string, rows int, parts []string) (got look) {
	t.Helper()
	address := (&url.URL{Scheme: "file", Path: page}).String()
	tb := b.open(t, address, width, scheme)
	what := fmt.Sprintf("%s, %d pixels, %s", filepath.Base(page), width, scheme)
	if err := tb.eval(lookScript, &got); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	faults, requests := tb.seen()
	if len(faults) > 0 {
		t.Errorf("%s: on the console: %s", what, strings.Join(faults, "\n"))
	}
	if !slices.Equal(requests, []string{address}) {
		t.Errorf("%s: it asked for %q", what, requests)
	}
	for _, part := range parts {
		if got.Parts[part] == 0 {
			t.Errorf("%s: there is no chart in the part %q; there are %v", what, part, got.Parts)
		}
	}
	if got.Empty > 0 {
		t.Errorf("%s: %d charts are empty", what, got.Empty)
	}
	if got.Dots != rows {
		t.Errorf("%s: %d dots for %d rows", what, got.Dots, rows)
	}
	if got.Wide > 0 {
		t.Errorf("%s: it is %v pixels too wide", what, got.Wide)
	}
	for kind, ratio := range got.Contrast {
		if ratio < 4.5 {
			t.Errorf("%s: the contrast of %s is %.1f, for easy reading 4.5 is needed", what, kind, ratio)
		}
	}
	if got.Folded == 0 {
		t.Errorf("%s: the statistics are not folded", what)
	}
	if at := slices.Index(got.Order, "clusters"); at != 0 || slices.Index(got.Order, "map") > slices.Index(got.Order, "stats") {
		t.Errorf("%s: the parts come in the order %q", what, got.Order)
	}
	checkColours(t, got, len(got.Cards))
	shoot(t, tb, strings.TrimSuffix(filepath.Base(page), ".html"), width, scheme)
	return got
}

// checkPaper opens a page as it is printed on A4: folded parts are open, and nothing is
// too wide.
func checkPaper(t *testing.T, b *browser, page string) {
	t.Helper()
	tb := b.open(t, (&url.URL{Scheme: "file", Path: page}).String(), 794, "light")
	if err := tb.call("Emulation.setEmulatedMedia", map[string]any{"media": "print"}, nil); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Hidden []string
		Wide   float64
	}
	if err := tb.eval(`({hidden: [...document.querySelectorAll('details')].filter(d => !(d.querySelector('div').getBoundingClientRect().height > 0)).map(d => d.id || d.className),
		wide: document.documentElement.scrollWidth - innerWidth})`, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Hidden) > 0 || got.Wide > 0 {
		t.Errorf("%s on paper: %q are folded, it is %v pixels too wide", filepath.Base(page), got.Hidden, got.Wide)
	}
	shoot(t, tb, strings.TrimSuffix(filepath.Base(page), ".html"), 794, "paper")
}

// checkColours wants n cards and n names in the legend, every cluster with one colour of
// its own in both.
func checkColours(t *testing.T, got look, n int) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range got.Cards {
		if c == "" || c == "rgba(0, 0, 0, 0)" || seen[c] {
			t.Errorf("the colour %q of a card is missing or occurs twice", c)
		}
		seen[c] = true
	}
	if len(got.Cards) != n || !slices.Equal(got.Cards, got.Legend) {
		t.Errorf("%d cards with the colours %q, the legend has %q", len(got.Cards), got.Cards, got.Legend)
	}
}

// shoot keeps a picture of the page where INKLING_SHOTS asks for it.
func shoot(t *testing.T, tb *tab, name string, width int, scheme string) {
	t.Helper()
	dir := os.Getenv("INKLING_SHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	if err := tb.call("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true}, &shot); err != nil {
		t.Fatal(err)
	}
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme)), png, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The checks above can fail: a page with faults is found out.
func TestBrowserSeesFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a browser: not in short mode")
	}
	b := startBrowser(t)
	page := filepath.Join(t.TempDir(), "bad.html")
	bad := `<!doctype html><title>bad</title><body style="width:3000px"><p style="color:#eee;background:#fff">pale</p>
<img src="missing.png"><script>console.error("no"); undefined.x</script>`
	if err := os.WriteFile(page, []byte(bad), 0o666); err != nil {
		t.Fatal(err)
	}
	tb := b.open(t, (&url.URL{Scheme: "file", Path: page}).String(), 800, "light")
	var got look
	if err := tb.eval(lookScript, &got); err != nil {
		t.Fatal(err)
	}
	faults, requests := tb.seen()
	if len(faults) < 2 || len(requests) < 2 || got.Wide < 2000 || !(got.Contrast["p"] < 2) {
		t.Errorf("faults %q, requests %q, %+v", faults, requests, got)
	}
}

// writeThirty writes a table of thirty heaps of thirty rows.
func writeThirty(t *testing.T, dir string) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 30))
	var b strings.Builder
	b.WriteString("id,age,income,visits_per_month\n")
	for i := range 900 {
		h := i % 30
		fmt.Fprintf(&b, "customer-%d,%.1f,%.0f,%.1f\n", i, float64(20+h%6*10)+r.NormFloat64(), float64(20000+h/6*5000)+300*r.NormFloat64(), float64(h%5*4)+0.3*r.NormFloat64())
	}
	path := filepath.Join(dir, "thirty-heaps.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeMany writes a table of n rows in eight heaps.
func writeMany(t *testing.T, dir string, n int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 50))
	var b strings.Builder
	b.WriteString("a,b,c,d,e\n")
	for i := range n {
		h := float64(i % 8)
		fmt.Fprintf(&b, "%.3f,%.3f,%.3f,%.3f,%.3f\n", h+r.NormFloat64(), 9-h*h/7+r.NormFloat64(), float64(i%2)*4+r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
	}
	path := filepath.Join(dir, "many-rows.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
