package example

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/cluster/constraint"
)

const (
	contactPeople  = 100
	contactRecords = 300
	contactLinks   = 60
)

// Invented names: nobody is meant.
const (
	contactFirsts = "Alda Berin Caro Delin Edro Fenna Goran Hilke Ivo Jorina Kelda Lorin Mirel Nolan Odile Perrin Quira Rasmin Selda Torvin Ulja Varin Wenja Yorick Zelma"
	contactLasts  = "Abendrath Brisko Cordvall Dremmel Eskilt Farnow Grolle Hattinger Immsen Jorwick Kestrup Lindauer Morvath Nessling Ostrow Pelkin Quandt Rothbusch Sandvoss Tremmel Ulbrink Vossler Wernigk Zaddach Ahlgrim Bolten Crusius Dorfeld Ebrecht Fiedrich"
	contactCities = "Altmünde Birkau Dornfels Eschwall Fährbrück Grünsted Hohenau Ilmtal"
)

// loadContacts makes the records of people who wrote their address three times on
// average: with typing errors, first and last name swapped, cells left out, upper case,
// and phone numbers in two forms.
func loadContacts() (*Set, error) {
	rng := stream(7)
	firsts, lasts, cities := strings.Fields(contactFirsts), strings.Fields(contactLasts), strings.Fields(contactCities)
	people := make([][]string, contactPeople)
	for i := range people {
		first, last := firsts[rng.IntN(len(firsts))], lasts[rng.IntN(len(lasts))]
		email := strings.ToLower(first) + "." + strings.ToLower(last)
		if rng.IntN(2) == 0 {
			email = strings.ToLower(first[:1]+last) + strconv.Itoa(10+rng.IntN(90))
		}
		people[i] = []string{first, last, email + []string{"@mail.example", "@post.example"}[rng.IntN(2)],
			fmt.Sprintf("0%d %d", 300+rng.IntN(600), 100000+rng.IntN(900000)), cities[rng.IntN(len(cities))]}
	}
	s := &Set{K: contactPeople, Columns: []string{"first", "last", "email", "phone", "city"}}
	order := rng.Perm(contactPeople)
	for r := range contactRecords {
		who := rng.IntN(contactPeople)
		if r < contactPeople {
			who = order[r]
		}
		s.Records = append(s.Records, contactRecord(rng, people[who]))
		s.Truth = append(s.Truth, "person-"+strconv.Itoa(who))
	}
	return s, nil
}

// contactRecord returns what somebody writes of an address.
func contactRecord(rng *rand.Rand, person []string) []string {
	c := append([]string(nil), person...)
	for f := range c {
		if rng.Float64() < 0.2 {
			c[f] = mistyped(rng, c[f])
		}
	}
	if rng.Float64() < 0.06 {
		c[0], c[1] = c[1], c[0]
	}
	if rng.Float64() < 0.3 {
		c[3] = "+49 " + strings.ReplaceAll(strings.TrimPrefix(c[3], "0"), " ", "/")
	}
	if rng.Float64() < 0.2 {
		c[0], c[1] = strings.ToUpper(c[0]), strings.ToUpper(c[1])
	}
	for f, missing := range []float64{0.05, 0.05, 0.3, 0.3, 0.15} {
		if rng.Float64() < missing {
			c[f] = ""
		}
	}
	return c
}

// mistyped returns s with one letter missing, doubled, or exchanged with the next.
func mistyped(rng *rand.Rand, s string) string {
	r := []rune(s)
	i := rng.IntN(len(r) - 1)
	switch rng.IntN(3) {
	case 0:
		r[i], r[i+1] = r[i+1], r[i]
	case 1:
		return string(r[:i]) + string(r[i+1:])
	default:
		return string(r[:i+1]) + string(r[i:])
	}
	return string(r)
}

// contactAnswers returns the links of the contacts: pairs of the same person of which at
// most two cells are equal, and pairs of different people of which at least two are, as somebody
// would answer them who was asked about doubtful pairs.
func (s *Set) contactAnswers(rng *rand.Rand) *constraint.Set {
	set := &constraint.Set{}
	seen := map[[2]int]bool{}
	for len(set.Must)+len(set.Cannot) < contactLinks {
		i, j := rng.IntN(s.Len()), rng.IntN(s.Len())
		if i >= j || seen[[2]int{i, j}] {
			continue
		}
		equal := 0
		for f, cell := range s.Records[i] {
			if cell != "" && strings.EqualFold(cell, s.Records[j][f]) {
				equal++
			}
		}
		switch same := s.Truth[i] == s.Truth[j]; {
		case same && equal <= 2 && len(set.Must) < contactLinks/2:
			set.Must = append(set.Must, constraint.Pair{I: i, J: j, W: 1})
		case !same && equal >= 2 && len(set.Cannot) < contactLinks/2:
			set.Cannot = append(set.Cannot, constraint.Pair{I: i, J: j, W: 1})
		default:
			continue
		}
		seen[[2]int{i, j}] = true
	}
	return set
}

// fewPeople keeps of the labels two for each of the first ten people who have more than
// two records.
func fewPeople(labels []constraint.Label, truth []int) (out []constraint.Label) {
	const people, each = 10, 2
	size, kept := map[int]int{}, map[int]int{}
	for _, c := range truth {
		size[c]++
	}
	for _, l := range labels {
		if size[l.Class] > each && kept[l.Class] < each && (kept[l.Class] > 0 || len(kept) < people) {
			kept[l.Class]++
			out = append(out, l)
		}
	}
	return out
}
