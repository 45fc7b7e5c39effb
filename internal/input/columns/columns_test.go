package columns_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/inklinghq/inkling/internal/input/columns"
	"github.com/inklinghq/inkling/internal/input/dataio"
)

// read reads a table as mixed.
func read(t testing.TB, text string, opt dataio.Options) *dataio.Dataset {
	t.Helper()
	opt.Mixed, opt.TableMissing = true, true
	ds, err := dataio.Read(strings.NewReader(text), "f.csv", opt)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// column makes a table of one column beside a column of numbers, with n rows that
// repeat the cells.
func column(name string, n int, cells ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "x,%s\n", name)
	for i := range n {
		fmt.Fprintf(&b, "%d.5,\"%s\"\n", i, cells[i%len(cells)])
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	words := make([]string, 60)
	for i := range words {
		words[i] = fmt.Sprintf("the order number %d came late", i)
	}
	names, people := make([]string, 60), make([]string, 60)
	for i := range names {
		names[i] = fmt.Sprintf("person%d", i)
		people[i] = fmt.Sprintf("%c%c%c", 'K'+rune(i%7), 'a'+rune(i%26), 'a'+rune(i/26))
	}
	for _, c := range []struct {
		about, name string
		cells       []string
		role        columns.Role
		used        bool
		why         string
	}{
		{"words", "region", []string{"north", "south", "east"}, columns.Category, true, "3 different values"},
		{"truth values", "active", []string{"yes", "no"}, columns.Category, true, "truth values"},
		{"truth values and their letters", "active", []string{"Yes", "no", "y", "N"}, columns.Category, true, "truth values, 2 different values"},
		{"letters of truth values", "surface", []string{"f", "k", "s", "y"}, columns.Category, true, "4 different values"},
		{"capital truth values", "active", []string{"True", "False", "True"}, columns.Category, true, "truth values"},
		{"codes", "branch", []string{"01067", "80331", "10115"}, columns.Category, true, "codes with leading zeros"},
		{"whole numbers with few values", "grade", []string{"1", "2", "3"}, columns.Number, true, "numbers"},
		{"decimals with a leading zero", "p", []string{"0.5", "00.25", "0.75"}, columns.Number, true, "numbers"},
		{"units", "weight", []string{"12 kg", "7.5 kg", "9kg"}, columns.Number, true, "numbers in kg"},
		{"percent", "share", []string{"12%", "7.5 %"}, columns.Number, true, "numbers in %"},
		{"currency", "price", []string{"$1,250.50", "$3", "-$4"}, columns.Number, true, "numbers in $"},
		{"currency after", "price", []string{"1.250,50 €", "3 €", "4 €"}, columns.Number, true, "numbers in €"},
		{"thousands", "pop", []string{"1,250", "12,500", "1,250,000"}, columns.Number, true, "numbers"},
		{"blanks between thousands", "pop", []string{"1 250", "12 500", "900"}, columns.Number, true, "numbers"},
		{"decimal commas", "m", []string{"1,5", "2,25", "1.250,75"}, columns.Number, true, "numbers"},
		{"two units", "m", []string{"1 kg", "2 g", "1 kg", "3 g"}, columns.Number, true, "numbers in kg, g converted"},
		{"units of different things", "m", []string{"1 kg", "2 m", "1 kg", "3 m"}, columns.Category, true, "3 different values"},
		{"ISO dates", "day", []string{"2024-01-31", "2023-05-01"}, columns.Date, true, "dates from 2023-05-01 to 2024-01-31"},
		{"times", "at", []string{"2024-01-31T12:30:00Z", "2024-02-01 13:00"}, columns.Date, true, "dates from 2024-01-31 to 2024-02-01"},
		{"German dates", "day", []string{"31.1.2024", "1.2.2024"}, columns.Date, true, "dates from 2024-01-31 to 2024-02-01"},
		{"day first", "day", []string{"31/01/2024", "01/02/2024"}, columns.Date, true, "dates from 2024-01-31 to 2024-02-01"},
		{"month first", "day", []string{"01/31/2024", "02/01/2024"}, columns.Date, true, "dates from 2024-01-31 to 2024-02-01"},
		{"unclear", "day", []string{"01/02/2024", "03/04/2024"}, columns.Date, true, "day first"},
		{"names of months", "day", []string{"Jan 31, 2024", "1 February 2024", "2-Mar-2024"}, columns.Date, true, "dates from 2024-01-31 to 2024-03-02"},
		{"months in other languages", "day", []string{"31. Januar 2024", "1 févr. 2024", "2 de marzo de 2024", "3 maja 2024"}, columns.Date, true, "dates from 2024-01-31 to 2024-05-03"},
		{"years of two digits", "day", []string{"31.12.99", "01.02.24"}, columns.Date, true, "dates from 1999-12-31 to 2024-02-01"},
		{"months and years of two digits", "day", []string{"01-Jan-24", "15-Feb-24"}, columns.Date, true, "dates from 2024-01-01 to 2024-02-15"},
		{"Japanese dates", "日", []string{"2025年6月3日", "2024年12月25日"}, columns.Date, true, "dates from 2024-12-25 to 2025-06-03"},
		{"numbers after words", "駅", []string{"徒歩7分", "徒歩12分", "徒歩3分"}, columns.Number, true, "numbers in 分"},
		{"rooms", "room", []string{"Room 12", "Room 7", "Room 3"}, columns.Category, true, "3 different values"},
		{"ranges", "players", []string{"2–4", "1–4", "2–5", "3–6", "2", "1–2", "4–8", "2–6", "3–5", "1–5", "2–8"}, columns.Number, true, "the middle of each range"},
		{"ranges with a unit", "time", []string{"10-20 min", "15-30 min", "20-40 min", "30-45 min", "45-60 min", "60-90 min", "90-120 min", "5-10 min", "10-15 min", "20-30 min", "40-80 min"}, columns.Number, true, "numbers in min, the middle of each range"},
		{"short phones", "phone", []string{"555-1234", "555-1987", "444-9876", "333-4567", "222-7654", "111-8765", "123-9999", "321-4444", "456-7777", "654-8888", "777-9191"}, columns.Category, true, "11 different values"},
		{"ends of matches", "score", []string{"2-1", "0-3", "1-1", "4-2", "0-0", "3-2", "1-4", "2-2", "5-1", "0-1", "3-0"}, columns.Category, true, "11 different values"},
		{"marks of letters", "art", []string{"A-", "B+", "C", "B", "A", "D"}, columns.Number, true, "levels in order, 1 for d up to 6 for a"},
		{"marks and a course left", "art", slices.Concat(slices.Repeat([]string{"A-", "B+", "C", "B"}, 8), []string{"W"}), columns.Number, true, "W taken as missing"},
		{"codes of letters", "grade", []string{"A", "B", "C", "D"}, columns.Category, true, "4 different values"},
		{"blood groups", "blood", []string{"A+", "B-", "AB+", "O+", "O-", "A-"}, columns.Category, true, "6 different values"},
		{"durations", "took", []string{"45 min", "1 h 5 min", "30 min", "50 min"}, columns.Number, true, "numbers in min"},
		{"times of day", "rise", []string{"6:45 AM", "7:10 AM", "11:30 PM"}, columns.Number, true, "durations"},
		{"free text", "notes", words, columns.Text, false, "free text"},
		{"many names", "who", people, columns.Unique, false, "every row has its own value"},
		{"the only codes", "who", names, columns.ID, false, "every row has its own value"},
		{"flags of a laboratory", "Na", []string{"136", "138", "139", "140", "141", "142", "143", "171 H", "140", "137", "139", "97 L", "138", "141.5"}, columns.Number, true, "numbers, without the flags H and L"},
		{"footnotes", "score", []string{"12.5", "13.1*", "9.9", "11.7", "14.2**", "10.4"}, columns.Number, true, "numbers, without the flags * and **"},
		{"litres", "drunk", []string{"2", "3", "1 L", "2 L", "4", "3 L", "5", "1.5"}, columns.Number, true, "numbers in L"},
		{"sizes of files", "size", []string{"24K", "1.3M", "2.1G", "512", "900K"}, columns.Number, true, "numbers, G and K and M converted"},
		{"dates of mails", "sent", []string{"Wed, 03 Jan 2024 10:00:00 +0100", "Thu, 4 Jan 2024 23:10:09 -0500"}, columns.Date, true, "dates from 2024-01-03 to 2024-01-05"},
		{"quarters", "when", []string{"2019-Q3", "Q1 2020", "2020Q4"}, columns.Date, true, "dates from 2019-07-01 to 2020-10-01"},
		{"months", "when", []string{"Mär 2018", "April 2019", "Dec 2018"}, columns.Date, true, "dates from 2018-03-01 to 2019-04-01"},
		{"places on the globe", "at", []string{"45°12'33″N", "46° 1' 2″ N", "44°59'3″S"}, columns.Number, true, "numbers"},
		{"ratios", "leverage", []string{"4:1", "20:1", "5:1"}, columns.Number, true, "numbers in :1"},
		{"dates of logs", "at", []string{"02/May/2024:10:23:44 +0000", "03/Jun/2024:00:00:01 +0000"}, columns.Date, true, "dates from 2024-05-02 to 2024-06-03"},
		{"times of half days", "at", []string{"4/10/2025 8:28 AM", "4/30/2025 11:05 pm", "12/1/2025 1:00 p.m."}, columns.Date, true, "dates from 2025-04-10 to 2025-12-01"},
		{"months in numbers", "when", []string{"02/2025", "11/2024", "12/2024"}, columns.Date, true, "dates from 2024-11-01 to 2025-02-01"},
		{"weeks", "when", []string{"2025-W01", "2025W13", "2026-W53"}, columns.Date, true, "dates from 2024-12-30 to 2026-12-28"},
		{"short years", "when", []string{"Apr 26, '25", "28 Mar '24"}, columns.Date, true, "dates from 2024-03-28 to 2025-04-26"},
		{"lengths of employment", "for", []string{"10+ years", "< 1 year", "3 years", "1 year"}, columns.Number, true, "converted"},
		{"lakhs and crores", "price", []string{"₹1.25 Cr", "₹85 Lac", "₹ 90 L", "₹2 Cr"}, columns.Number, true, "numbers in ₹"},
		{"lakhs and crores alone", "price", []string{"1.25 Cr", "85 L", "90 L", "2 Cr"}, columns.Number, true, "Cr and L converted"},
		{"one volume in three units", "bottle", []string{"750 ml", "0.75 l", "75 cl"}, columns.Constant, false, "same value"},
		{"strength", "abv", []string{"12.5% vol", "13 % vol", "11% vol"}, columns.Number, true, "numbers in % vol"},
		{"states", "status", []string{"open", "closed", "pending"}, columns.Category, true, "3 different values"},
		{"levels of a log", "level", []string{"info", "info", "warn", "error"}, columns.Category, true, "3 different values"},
		{"a rare refusal", "plan", append(slices.Repeat([]string{"basic", "full", "extra"}, 14), "refused"), columns.Category, true, "3 different values"},
		{"numbers and a word for a failure", "m", append(slices.Repeat([]string{"1.5", "2", "7", "2.5"}, 10), "error", "error", "error"), columns.Number, true, "numbers"},
		{"ids by name", "customer_id", names, columns.ID, false, "every row has its own value"},
		{"constant", "c", []string{"same"}, columns.Constant, false, "same value"},
		{"constant number", "c", []string{"5"}, columns.Constant, false, "same value"},
		{"empty", "c", []string{""}, columns.Empty, false, "no cell"},
		{"mostly numbers", "c", append(slices.Repeat([]string{"1", "2"}, 15), "abc"), columns.Number, true, `but for 1 cell, "abc" on line 32`},
	} {
		n := max(len(c.cells), 31)
		if len(c.cells) == 60 {
			n = 60
		}
		// A column of texts beside it, so that the table is not numbers alone.
		text := strings.ReplaceAll(column(c.name, n, c.cells...), "\n", ",a\n")
		text = strings.Replace(text, ",a\n", ",kind\n", 1)
		ds := read(t, text, dataio.Options{})
		p, err := columns.Decide(ds, columns.Rules{})
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		got := p.Columns[1]
		if got.Name != c.name || got.Role != c.role || got.Used != c.used || !strings.Contains(got.Why, c.why) {
			t.Errorf("%s: %+v, want %s, used %v, %q", c.about, got, c.role, c.used, c.why)
		}
	}
}

// Names of rows as R and pandas write them are ids, also in a table of numbers alone.
func TestRowNamesAreIDs(t *testing.T) {
	for _, name := range []string{"rownames", "Unnamed: 0", "row", "row_names"} {
		ds := read(t, numbersTable(name+",x,y", 40, func(i int) string { return fmt.Sprintf("%d,%d,%d", 85+i+i/9, i*i%17, i%5) }), dataio.Options{})
		if p, err := columns.Decide(ds, columns.Rules{}); err != nil || p.IDColumn() != name {
			t.Errorf("%s: id column %q, %v", name, p.IDColumn(), err)
		}
	}
}

// A value that nearly all rows have describes no group, whether it is a word or a number.
func TestAlmostConstantColumnsAreLeftOut(t *testing.T) {
	few := func(i, every int, rare, usual string) string {
		if i%every == 0 {
			return rare
		}
		return usual
	}
	ds := read(t, numbersTable("country,flag,kind,x", 400, func(i int) string {
		return fmt.Sprintf("%s,%s,%s,%d", few(i, 200, "Palau", "USA"), few(i, 150, "1", "0"), few(i, 40, "a", "b"), i*i%97)
	}), dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []columns.Role{columns.Constant, columns.Constant, columns.Category, columns.Number} {
		if p.Columns[i].Role != want {
			t.Errorf("%+v, want %s", p.Columns[i], want)
		}
	}
	named, err := columns.Decide(ds, columns.Rules{Category: []string{"country"}, Number: []string{"flag"}})
	if err != nil || !named.Columns[0].Used || !named.Columns[1].Used {
		t.Errorf("%+v, %v", named, err)
	}
}

// The tails of degrees are places: no logarithm, whereas the same numbers under another name are logged.
func TestCoordinatesAreNotLogged(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ds := read(t, numbersTable("latitude,price,kind", 300, func(i int) string {
		y := math.Exp(1 + .9*r.NormFloat64())
		return fmt.Sprintf("%.3f,%.3f,%s", min(y, 80), y, []string{"u", "v", "w"}[i%3])
	}), dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil || p.Columns[0].Spec.Log || !p.Columns[1].Spec.Log {
		t.Errorf("%+v, %v", p, err)
	}
}

// A second column of ids is left out, as the first is.
func TestSecondIDsAreLeftOut(t *testing.T) {
	ds := read(t, numbersTable("rownames,HorseID,price,sex", 60, func(i int) string {
		return fmt.Sprintf("%d,%d,%d,%s", i+1, 97+(i*37)%400, i*i%91, []string{"m", "f"}[i%2])
	}), dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil || p.IDColumn() != "rownames" || p.Columns[1].Used || !p.Columns[2].Used {
		t.Errorf("%+v, %v", p, err)
	}
}

// A table of numbers alone keeps its columns whatever they look like, ids and constants too.
func TestNumbersAloneStayAsTheyAre(t *testing.T) {
	ds := read(t, "id,x,c,code\n1,2,5,1\n2,3,5,2\n3,9,5,1\n", dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil || !p.Plain || ds.IDs != nil {
		t.Fatalf("%+v, %v", p, err)
	}
	for _, c := range p.Columns {
		if c.Role != columns.Number || !c.Used {
			t.Errorf("%+v", c)
		}
	}
	if tip := p.Columns[3].Tip.String(); !strings.Contains(tip, "category=code") {
		t.Errorf("no suggestion for a column called code: %q", tip)
	}
}

func TestRulesDecide(t *testing.T) {
	text := "key,a,b,c,day\nu,1,x,5,20240131\nv,2,y,6,20240201\nw,3,x,7,20240202\n"
	ds := read(t, text, dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{Category: []string{"a"}, Log: []string{"c"}, Date: []string{"day"}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Columns {
		got = append(got, fmt.Sprintf("%s=%s", c.Name, c.Role))
	}
	if want := "key=id a=category b=category c=number day=date"; strings.Join(got, " ") != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !p.Columns[3].Spec.Log || !slices.Equal(ds.IDs, []string{"u", "v", "w"}) {
		t.Errorf("%+v, ids %q", p.Columns[3], ds.IDs)
	}
	for about, r := range map[string]columns.Rules{
		`no column "z"`:         {Number: []string{"z"}},
		"a number and a date":   {Number: []string{"a"}, Date: []string{"a"}},
		`column "b" has no num`: {Number: []string{"b"}},
		"which has no log":      {Category: []string{"a"}, Log: []string{"a"}},
	} {
		if _, err := columns.Decide(read(t, text, dataio.Options{}), r); err == nil || !strings.Contains(err.Error(), about) {
			t.Errorf("%v: %v", about, err)
		}
	}
}

// A plan is written and read: the rules that it gives lead to the same plan.
func TestPlanFile(t *testing.T) {
	text := "id,a,b,income,notes,k\n"
	for i := range 60 {
		text += fmt.Sprintf("u%d,%d,%s,%d,\"some long text %d here\",7\n", i, i%7, []string{"x", "y"}[i%2], 1<<(i%20), i)
	}
	ds := read(t, text, dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{Log: []string{columns.Auto}})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	rules, err := columns.ReadRules(bytes.NewReader(b.Bytes()), "plan.csv")
	if err != nil {
		t.Fatal(err)
	}
	again, err := columns.Decide(read(t, text, dataio.Options{ID: rules.ID, Drop: rules.Drop}), rules)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range p.Columns {
		d := again.Columns[i]
		if c.Name != d.Name || c.Used != d.Used || c.Used && (c.Role != d.Role || !reflect.DeepEqual(c.Spec, d.Spec)) {
			t.Errorf("%+v became %+v", c, d)
		}
	}
	for in, want := range map[string]string{
		"x,y\n":                                   "not a plan",
		"column,role\na,numbr\n":                  "no role",
		"column,role\na,number\na,date\n":         "twice",
		"column,role\na,id\nb,id\n":               "both be the id",
		"column,role,transform\na,number,sq\n":    "must be log, since and a column of dates, or empty",
		"column,role,transform\na,category,log\n": "must be presence, list or empty",
		"column,role,weight\na,number,-1\n":       "must be a number above 0",
	} {
		if _, err := columns.ReadRules(strings.NewReader(in), "p"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func FuzzDecide(f *testing.F) {
	f.Add("id,a,b\nu,1,x\nv,2,y\n", "b")
	f.Add("d,n\n1/2/2024,1 kg\n31.12.1999,2 kg\n,\n", "d")
	f.Add("c,t\n007,true\n08,false\n", "c")
	f.Fuzz(func(t *testing.T, text, name string) {
		ds, err := dataio.Read(strings.NewReader(text), "f.csv", dataio.Options{Mixed: true, TableMissing: true, Format: "csv"})
		if err != nil {
			return
		}
		for _, r := range []columns.Rules{{}, {Log: []string{columns.Auto}, DateParts: true}, {Category: []string{name}}, {Number: []string{name}}, {Date: []string{name}}} {
			again := *ds
			p, err := columns.Decide(&again, r)
			if err != nil || p == nil {
				continue
			}
			p.Notes()
			for _, c := range p.Columns {
				if c.Used && c.At >= 0 && c.Spec.Role != c.Role {
					t.Fatalf("%+v", c)
				}
			}
		}
	})
}

func FuzzReadRules(f *testing.F) {
	f.Add("column,role\na,id\n")
	f.Fuzz(func(t *testing.T, text string) { _, _ = columns.ReadRules(strings.NewReader(text), "p") })
}

// Columns of a profile are read as others are, and are no features.
func TestProfileColumns(t *testing.T) {
	const text = "a,b,city,day\n1,10,Bonn,2024-01-02\n2,20,Ulm,2024-01-03\n3,30,Bonn,2024-01-04\n4,40,,2024-01-05\n5,50,Ulm,2024-01-06\n6,60,Ulm,2024-01-07\n"
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Profile: []string{"b", "city", "day"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Columns {
		switch {
		case c.Used != (c.Name == "a") || (c.Shown != nil) == c.Used:
			t.Errorf("%s is used: %v, shown: %v", c.Name, c.Used, c.Shown)
		case c.Name == "b" && c.Shown.Numbers[1] != 20, c.Name == "city" && (c.Shown.Texts[0] != "Bonn" || c.Shown.Texts[3] != ""):
			t.Errorf("%s holds %+v", c.Name, c.Shown)
		case c.Name == "day" && (!c.Shown.Dates || c.Shown.Numbers[0] != 19724):
			t.Errorf("%s holds %+v", c.Name, c.Shown)
		}
	}
	if _, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Profile: []string{"c"}}); err == nil {
		t.Error("a column that is not there is taken")
	}
}

// Where constraints name the values of a column, that column names the rows, wherever it stands.
func TestNamesOfConstraintsFindTheIDs(t *testing.T) {
	const table = "x,remark,y\n1,ab 1,5\n2,cd 2,6\n3,ef 3,7\n9,gh 4,8\n"
	for _, c := range []struct {
		named []string
		want  []string
	}{
		{[]string{"cd 2", "gh 4"}, []string{"ab 1", "cd 2", "ef 3", "gh 4"}},
		{[]string{"5", "8"}, []string{"5", "6", "7", "8"}},
		{[]string{"5.0", "8.0"}, []string{"5", "6", "7", "8"}},
		{[]string{"cd 2", "zz"}, nil},
		{nil, nil},
	} {
		ds, err := dataio.Read(strings.NewReader(table), "t.csv", dataio.Options{Mixed: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := columns.Decide(ds, columns.Rules{Named: c.named}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(ds.IDs, c.want) {
			t.Errorf("named %q: ids %q, want %q", c.named, ds.IDs, c.want)
		}
	}
}

// numbersTable makes a table of ids and columns that f computes.
func numbersTable(header string, n int, f func(i int) string) string {
	var b strings.Builder
	b.WriteString(header + "\n")
	for i := range n {
		b.WriteString(f(i) + "\n")
	}
	return b.String()
}

// A number that names the rows is no feature, and one that stands twice is refused with both lines.
// A column that counts the rows gives way to one that is called as ids are; codes in a later column are ids where there are no others.
func TestWhichColumnIsTheIDs(t *testing.T) {
	for _, c := range []struct{ header, want string }{{"Rk,player_id,x,kind", "player_id"}, {"Rk,club,x,kind", "Rk"}, {"y,UPN,x,kind", "UPN"}} {
		ds := read(t, numbersTable(c.header, 60, func(i int) string {
			first, code := fmt.Sprint(i+1), fmt.Sprintf("p%03d", (i*7)%60)
			if c.header[0] == 'y' {
				first = fmt.Sprint(i % 9)
			}
			if strings.Contains(c.header, "club") {
				code = []string{"north", "south"}[i%2]
			}
			return fmt.Sprintf("%s,%s,%d,%s", first, code, i%7, []string{"a", "b"}[i%2])
		}), dataio.Options{})
		p, err := columns.Decide(ds, columns.Rules{})
		if err != nil || p.IDColumn() != c.want || len(ds.IDs) != 60 {
			t.Errorf("%s: ids %q, %v", c.header, p.IDColumn(), err)
		}
		for _, column := range p.Columns {
			if column.Name == "Rk" && column.Used {
				t.Errorf("%s: clustered on the rank", c.header)
			}
		}
	}
}

func TestNumbersAsIDs(t *testing.T) {
	text := numbersTable("case_no,x,kind", 60, func(i int) string { return fmt.Sprintf("%d,%d,%s", 40000+37*i, i%7, []string{"a", "b"}[i%2]) })
	ds := read(t, text, dataio.Options{})
	p, err := columns.Decide(ds, columns.Rules{})
	if err != nil || p.Columns[0].Role != columns.ID || p.Columns[0].Used || ds.IDs[1] != "40037" {
		t.Fatalf("%+v, %v", p, err)
	}
	text = numbersTable("key,x,kind", 60, func(i int) string {
		return fmt.Sprintf("K-%d,%d,%s", max(0, i-1)+100*min(i, 1), i%7, []string{"a", "b"}[i%2])
	})
	text = strings.Replace(text, "K-102,", "K-101,", 1)
	_, err = columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err == nil || !strings.Contains(err.Error(), `f.csv:5: column "key": id "K-101" is already on line 4`) {
		t.Errorf("a duplicate id: %v", err)
	}
	if _, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{NoID: true}); err != nil {
		t.Errorf("with numbered rows: %v", err)
	}
	text = numbersTable("handle,uid,x,kind", 60, func(i int) string {
		return fmt.Sprintf("neo_%d,%d,%d,%s", 100+max(1, i), 9000+i*37%61, i%7, []string{"a", "b"}[i%2])
	})
	if p, err = columns.Decide(read(t, text, dataio.Options{}), columns.Rules{}); err != nil || p.IDColumn() != "uid" || p.Columns[0].Used {
		t.Errorf("a name twice beside ids: %+v, %v", p, err)
	}
	text = strings.Replace(text, "handle", "key", 1)
	if _, err = columns.Decide(read(t, text, dataio.Options{}), columns.Rules{}); err == nil {
		t.Error("a duplicate id beside other ids is not refused")
	}
}

// A value that is rare in its column and common in the table is nothing special where all columns have one range.
func TestPixelsStayAsTheyAre(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pixels := func(last func() int) string {
		return numbersTable("a,b,c,d,e", 300, func(i int) string {
			rare := 0
			if i%7 == 0 {
				rare = 1
			}
			if i%100 == 0 {
				rare = last()
			}
			return fmt.Sprintf("%d,%d,%d,%d,%d", r.IntN(17), r.IntN(17), 16*r.IntN(2), r.IntN(17), rare)
		})
	}
	if p, err := columns.Decide(read(t, pixels(func() int { return 16 }), dataio.Options{}), columns.Rules{}); err != nil || !p.Plain || p.Extremes {
		t.Errorf("pixels: %+v, %v", p, err)
	}
	if p, err := columns.Decide(read(t, pixels(func() int { return 1600 }), dataio.Options{}), columns.Rules{}); err != nil || !p.Extremes {
		t.Errorf("three values a hundred times as large as all others are none: %+v, %v", p, err)
	}
}

// Rows that differ by their level are compared by their shape, and columns that nothing predicts are left out.
func TestShapeAndRelevance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	noise := func() float64 { return r.Float64() - .5 }
	text := numbersTable("gene,a,b,c,d,e,f,g,h", 200, func(i int) string {
		s := fmt.Sprintf("g%d", i)
		for j := range 8 {
			shape := float64(j) / 8
			if i%2 == 0 {
				shape = -shape
			}
			s += fmt.Sprintf(",%.3f", float64(i%50)+shape+.2*noise())
		}
		return s
	})
	p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil || p.Shape != columns.RowShape {
		t.Fatalf("shape %q, %v", p.Shape, err)
	}
	// Levels that are groups stay, as do levels without any shape beside them.
	for name, level := range map[string]func(i int) float64{
		"two groups": func(i int) float64 { return float64(i%2)*20 + 4*noise() },
		"no shape":   func(i int) float64 { return float64(i % 50) },
	} {
		text := numbersTable("gene,a,b,c,d,e,f,g,h", 200, func(i int) string {
			s, base := fmt.Sprintf("g%d", i), level(i)
			for j := range 8 {
				shape := float64(j) / 8
				if i%3 == 0 {
					shape = -shape
				}
				if name == "no shape" {
					shape = noise()
				}
				s += fmt.Sprintf(",%.3f", base+shape+.2*noise())
			}
			return s
		})
		if p, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{}); err != nil || p.Shape != "" {
			t.Errorf("%s: shape %q, %v", name, p.Shape, err)
		}
	}
	text = numbersTable("name,x,y,z,lucky,kind", 400, func(i int) string {
		g := float64(i % 4)
		return fmt.Sprintf("n%d,%.3f,%.3f,%.3f,%.3f,%s", i, g+.3*noise(), 2*g+.3*noise(), -g+.3*noise(), noise(), []string{"u", "v"}[i%2])
	})
	p, err = columns.Decide(read(t, text, dataio.Options{}), columns.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Columns {
		if want := c.Name != "name" && c.Name != "lucky"; c.Used != want || c.Irrelevant != (c.Name == "lucky") {
			t.Errorf("%s is used: %v (%s)", c.Name, c.Used, c.Why)
		}
	}
	named, err := columns.Decide(read(t, text, dataio.Options{}), columns.Rules{Number: []string{"lucky"}})
	if err != nil || !named.Columns[4].Used {
		t.Errorf("a column that was named is left out: %v", err)
	}
	if lines := p.Notes(); len(lines) > 8 {
		t.Errorf("%d lines", len(lines))
	}
}
