package dedupe_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
	"github.com/inklinghq/inkling/dedupe"
)

// people are generated records with the person that each describes.
type people struct {
	dedupe.Records
	truth []int
}

func (p *people) add(person int, cells ...string) {
	if p.Cells == nil {
		p.Cells = make([][]string, len(p.Fields))
	}
	for f, c := range cells {
		p.Cells[f] = append(p.Cells[f], c)
	}
	p.truth = append(p.truth, person)
}

// invented returns count different names made of syllables.
func invented(rng *rand.Rand, count, least, most int) []string {
	onsets := strings.Fields("b br ch d dr f fl g gr h j k kl l m n p pl r s sch st t tr v w z")
	vowels := strings.Fields("a a e e i o o u ei ia au")
	codas := strings.Fields("n r l s t m k nd rt x _ _ _ _")
	seen := map[string]bool{}
	var out []string
	for len(out) < count {
		name := ""
		for range least + rng.IntN(most-least+1) {
			name += onsets[rng.IntN(len(onsets))] + vowels[rng.IntN(len(vowels))]
		}
		name = strings.TrimSuffix(name+codas[rng.IntN(len(codas))], "_")
		if !seen[name] {
			seen[name] = true
			out = append(out, strings.ToUpper(name[:1])+name[1:])
		}
	}
	return out
}

// zipf draws an element, the first most often.
func zipf(rng *rand.Rand, list []string) string {
	return list[int(float64(len(list))*math.Pow(rng.Float64(), 2))]
}

// typo makes one typing error.
func typo(rng *rand.Rand, s string) string {
	r := []rune(s)
	if len(r) < 2 {
		return s
	}
	letter := func() rune {
		if r[len(r)/2] >= '0' && r[len(r)/2] <= '9' {
			return rune('0' + rng.IntN(10))
		}
		return rune('a' + rng.IntN(26))
	}
	i := rng.IntN(len(r) - 1)
	switch rng.IntN(4) {
	case 0:
		r[i], r[i+1] = r[i+1], r[i]
	case 1:
		r = append(r[:i], r[i+1:]...)
	case 2:
		r[i] = letter()
	default:
		r = append(r[:i+1], append([]rune{letter()}, r[i+1:]...)...)
	}
	return string(r)
}

// customers generates records of a customer table: typing errors, first and last name
// swapped, missing cells, old addresses, numbers in several forms.
func customers(seed uint64, persons, records int) *people {
	rng := rand.New(rand.NewPCG(seed, 1))
	more := int(math.Sqrt(float64(max(persons/1000, 1)))) // larger tables have more names
	firsts, lasts := invented(rng, 150*more, 1, 2), invented(rng, 600*more, 2, 3)
	streets, cities := invented(rng, 300*more, 2, 2), invented(rng, 80*more, 2, 3)
	taken := map[string]bool{}
	p := &people{Records: dedupe.Records{Fields: []string{"first", "last", "email", "phone", "street", "city"}}}
	type person [6]string
	list := make([]person, persons)
	for i := range list {
		first, last := zipf(rng, firsts), zipf(rng, lasts)
		email := strings.ToLower(first + "." + last)
		if rng.IntN(2) == 0 {
			email = strings.ToLower(first[:1]+last) + fmt.Sprint(rng.IntN(100))
		}
		for base := email; taken[email]; { // an address belongs to one person
			email = base + fmt.Sprint(rng.IntN(10000))
		}
		taken[email] = true
		list[i] = person{first, last, email + []string{"@mail.example", "@post.example", "@web.example"}[rng.IntN(3)],
			fmt.Sprintf("0%d %d", 20+rng.IntN(80), 1000000+rng.IntN(9000000)),
			fmt.Sprintf("%s Street %d", zipf(rng, streets), 1+rng.IntN(120)), zipf(rng, cities)}
	}
	for r := range records {
		who := r
		if r >= persons {
			who = rng.IntN(persons)
		}
		c := list[who]
		for f := range c {
			if rng.Float64() < 0.12 {
				c[f] = typo(rng, c[f])
			}
		}
		if rng.Float64() < 0.06 {
			c[0], c[1] = c[1], c[0]
		}
		if rng.Float64() < 0.3 {
			c[3] = "+49 " + strings.ReplaceAll(strings.TrimPrefix(c[3], "0"), " ", "-")
		}
		if rng.Float64() < 0.1 { // moved
			c[4], c[5] = fmt.Sprintf("%s Street %d", zipf(rng, streets), 1+rng.IntN(120)), zipf(rng, cities)
		}
		for f := range c {
			miss := 0.15
			if f < 2 {
				miss = 0.04
			}
			if rng.Float64() < miss {
				c[f] = ""
			}
		}
		if rng.IntN(4) == 0 {
			c[0], c[1] = strings.ToUpper(c[0]), strings.ToUpper(c[1])
		}
		p.add(who, c[:]...)
	}
	return p
}

// patients generates records that are built otherwise: one field for the whole name, in
// several orders and with initials, households of one surname, address and phone, twins,
// dates of birth in two forms, nicknames and placeholders for missing cells.
func patients(seed uint64, persons, records int) *people {
	rng := rand.New(rand.NewPCG(seed, 2))
	firsts, lasts := invented(rng, 120, 2, 3), invented(rng, 400, 1, 3)
	towns := invented(rng, 40, 1, 2)
	p := &people{Records: dedupe.Records{Fields: []string{"name", "born", "phone", "town", "email"}}}
	type person struct {
		first, middle, last, phone, town, email string
		year, month, day                        int
	}
	var list []person
	for len(list) < persons {
		last, town := zipf(rng, lasts), zipf(rng, towns)
		phone := fmt.Sprintf("%03d%07d", 200+rng.IntN(700), rng.IntN(10000000))
		for range 1 + rng.IntN(3)*rng.IntN(2) { // a household
			x := person{first: zipf(rng, firsts), middle: zipf(rng, firsts), last: last, phone: phone, town: town,
				year: 1940 + rng.IntN(75), month: 1 + rng.IntN(12), day: 1 + rng.IntN(28)}
			if rng.IntN(3) == 0 {
				x.phone = fmt.Sprintf("%03d%07d", 200+rng.IntN(700), rng.IntN(10000000))
			}
			x.email = strings.ToLower(x.first) + []string{"", "_", "."}[rng.IntN(3)] + strings.ToLower(last) + "@" + []string{"mail.example", "inbox.example"}[rng.IntN(2)]
			list = append(list, x)
		}
	}
	list = list[:persons]
	for r := range records {
		who := rng.IntN(persons)
		if r < persons {
			who = r
		}
		x := list[who]
		errs := func(s string) string {
			for rng.Float64() < 0.1 {
				s = typo(rng, s)
			}
			return s
		}
		first, last := errs(x.first), errs(x.last)
		var name string
		switch rng.IntN(10) {
		case 0, 1:
			name = last + ", " + first
		case 2:
			name = first[:1] + ". " + last
		case 3, 4:
			name = first + " " + x.middle[:1] + ". " + last
		case 5:
			name = first + " " + errs(x.middle) + " " + last
		default:
			name = first + " " + last
		}
		born := fmt.Sprintf("%d-%02d-%02d", x.year, x.month, x.day)
		if rng.IntN(3) == 0 {
			born = fmt.Sprintf("%02d.%02d.%d", x.day, x.month, x.year)
		}
		cells := []string{name, errs(born), errs(x.phone), errs(x.town), errs(x.email)}
		if rng.Float64() < 0.05 {
			cells[3], cells[0] = cells[0], cells[3]
		}
		if rng.Float64() < 0.1 {
			cells[2] = fmt.Sprintf("%03d%07d", 200+rng.IntN(700), rng.IntN(10000000))
		}
		for f, miss := range []float64{0.02, 0.15, 0.2, 0.1, 0.4} {
			if rng.Float64() < miss {
				cells[f] = []string{"", "n/a", "-", "NULL", "?"}[rng.IntN(5)]
			}
		}
		p.add(who, cells...)
	}
	return p
}

// members generates records of a third kind, looked at only for the weight of the anchors: the address in one
// field, relatives, some people with many records, spellings that sound alike, cut and
// joined words.
func members(seed uint64, persons, records int) *people {
	rng := rand.New(rand.NewPCG(seed, 5))
	firsts, lasts, streets, towns := invented(rng, 200, 2, 2), invented(rng, 500, 2, 2), invented(rng, 200, 2, 3), invented(rng, 60, 2, 2)
	p := &people{Records: dedupe.Records{Fields: []string{"surname", "forename", "address", "birthday", "mobile"}}}
	sounds := strings.NewReplacer("sch", "sh", "k", "c", "ei", "ai", "f", "ph", "z", "s", "v", "w")
	type person [5]string
	list := make([]person, persons)
	for i := range list {
		list[i] = person{zipf(rng, lasts), zipf(rng, firsts), fmt.Sprintf("%s Road %d, %05d %s", zipf(rng, streets), 1+rng.IntN(80), 10000+rng.IntN(60)*100, zipf(rng, towns)),
			fmt.Sprintf("%02d/%02d/%d", 1+rng.IntN(28), 1+rng.IntN(12), 1935+rng.IntN(75)), fmt.Sprintf("07%09d", rng.IntN(1000000000))}
		if rng.IntN(8) == 0 && i > 0 { // a relative
			list[i][0], list[i][2] = list[i-1][0], list[i-1][2]
		}
	}
	for r := range records {
		who := r
		if r >= persons {
			who = int(float64(persons) * rng.Float64() * rng.Float64())
		}
		c := list[who]
		if rng.IntN(8) == 0 {
			c[0] = strings.ToUpper(c[0][:1]) + sounds.Replace(strings.ToLower(c[0][1:]))
		}
		if rng.IntN(12) == 0 {
			c[1] = c[1][:1]
		}
		if rng.IntN(10) == 0 {
			c[2] = strings.Replace(c[2], "Road", "Rd.", 1)
		}
		if rng.IntN(15) == 0 {
			c[2] = strings.Replace(c[2], " ", "", 1)
		}
		if rng.IntN(10) == 0 {
			c[2] = c[2][:strings.Index(c[2], ",")]
		}
		for f := range c {
			if rng.IntN(10) == 0 {
				c[f] = typo(rng, c[f])
			}
			if rng.Float64() < []float64{0.03, 0.05, 0.15, 0.25, 0.25}[f] {
				c[f] = ""
			}
		}
		if rng.IntN(20) == 0 {
			c[0], c[1] = c[1], c[0]
		}
		p.add(who, c[:]...)
	}
	return p
}

// pairwiseF returns precision, recall and F of the pairs of records that are together.
func pairwiseF(truth, found []int) (precision, recall, f float64) {
	pairs := func(key func(i int) [2]int) (s float64) {
		count := map[[2]int]float64{}
		for i := range truth {
			count[key(i)]++
		}
		for _, c := range count {
			s += c * (c - 1) / 2
		}
		return s
	}
	both := pairs(func(i int) [2]int { return [2]int{truth[i], found[i]} })
	inTruth := pairs(func(i int) [2]int { return [2]int{truth[i], -1} })
	inFound := pairs(func(i int) [2]int { return [2]int{found[i], -1} })
	return both / max(inFound, 1), both / max(inTruth, 1), 2 * both / max(inTruth+inFound, 1)
}

// answers returns count answers on pairs that are neither clear matches nor clearly
// different: those of the candidates with probabilities nearest to a half, drawn at
// random among the ten times as many.
func answers(r *dedupe.Result, truth []int, count int, seed uint64) *constraint.Set {
	rng := rand.New(rand.NewPCG(seed, 3))
	pairs := r.UncertainPairs(10 * count)
	rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	set := &constraint.Set{}
	for _, p := range pairs[:min(count, len(pairs))] {
		link := constraint.Pair{I: p.A, J: p.B, W: 1}
		if truth[p.A] == truth[p.B] {
			set.Must = append(set.Must, link)
		} else {
			set.Cannot = append(set.Cannot, link)
		}
	}
	return set
}

// randomAnswers returns 30 pairs of the same person and 30 of different ones, drawn at
// random: most are easy, and there are far more matches than among all pairs.
func randomAnswers(truth []int, seed uint64) *constraint.Set {
	rng := rand.New(rand.NewPCG(seed, 4))
	set := &constraint.Set{}
	for len(set.Must) < 30 || len(set.Cannot) < 30 {
		i, j := rng.IntN(len(truth)), rng.IntN(len(truth))
		if i == j {
			continue
		}
		p := constraint.Pair{I: i, J: j, W: 1}
		if truth[i] == truth[j] && len(set.Must) < 30 {
			set.Must = append(set.Must, p)
		} else if truth[i] != truth[j] && len(set.Cannot) < 30 {
			set.Cannot = append(set.Cannot, p)
		}
	}
	return set
}
