package columns

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Levels that have an order are numbers, 1 for the least: answers on a scale of words, answers that begin with their number, and
// ranges that do not overlap, such as 1-10, 11-50 and 51+. Two that are next to each other are alike, which a category does
// not know.
const (
	leastOrdered = 3 // levels
	mostOrdered  = 30
)

// scales are words of answers, from the least to the most; a slash divides words for the same. Only one that has all the levels of a column orders it.
var scales = parseScales(`
strongly disagree/disagree strongly/totally disagree/completely disagree,disagree,somewhat disagree/slightly disagree/rather disagree,neutral/neither agree nor disagree/neither/undecided/neither nor,somewhat agree/slightly agree/rather agree,agree,strongly agree/agree strongly/totally agree/completely agree
never,almost never/very rarely,rarely/seldom,occasionally,sometimes,frequently,often,usually/mostly,very often,almost always,always
very dissatisfied,dissatisfied,somewhat dissatisfied,neutral/neither/neither satisfied nor dissatisfied,somewhat satisfied,satisfied,very satisfied
terrible,very poor/very bad,poor/bad,fair/average/ok/okay,good,very good,excellent
very unlikely,unlikely,neutral/neither/possible,likely,very likely
not at all,a little/slightly,somewhat/moderately,quite a bit/quite/very much/very,extremely/completely
not important/unimportant/not at all important,slightly important,moderately important/neutral/somewhat important,important,very important,extremely important
very low,low/lo,medium/moderate/middle/med/mid,high/hi,very high
none,mild,moderate,severe,very severe
xxs,xs,s,m,l,xl,xxl,xxxl
small,medium,large,extra large
stimme überhaupt nicht zu/stimme gar nicht zu/trifft überhaupt nicht zu/trifft gar nicht zu,stimme nicht zu/trifft nicht zu,stimme eher nicht zu/trifft eher nicht zu,teils teils/teils/teils-teils/teils/weder noch/neutral/unentschieden,stimme eher zu/trifft eher zu,stimme zu/trifft zu,stimme voll zu/stimme voll und ganz zu/trifft voll zu/trifft voll und ganz zu
nie/niemals,sehr selten,selten,gelegentlich,manchmal,häufig,oft,meistens,sehr oft/sehr häufig,immer
sehr unzufrieden,unzufrieden,eher unzufrieden,neutral/teils teils/weder noch,eher zufrieden,zufrieden,sehr zufrieden
sehr schlecht,schlecht,eher schlecht,mittel/mittelmäßig/befriedigend,eher gut,gut,sehr gut
sehr niedrig/sehr gering,niedrig/gering,mittel,hoch,sehr hoch
klein,mittel,groß,sehr groß
pas du tout d'accord,pas d'accord,plutôt pas d'accord,neutre/ni d'accord ni pas d'accord,plutôt d'accord,d'accord,tout à fait d'accord
jamais,rarement,parfois/quelquefois,souvent,très souvent,toujours
très insatisfait,insatisfait,plutôt insatisfait,neutre,plutôt satisfait,satisfait,très satisfait
très mauvais,mauvais,moyen,bon,très bon,excellent
très faible,faible/bas,moyen,élevé/haut,très élevé
totalmente en desacuerdo/muy en desacuerdo,en desacuerdo,neutral/ni de acuerdo ni en desacuerdo/indiferente,de acuerdo,totalmente de acuerdo/muy de acuerdo
nunca,casi nunca,raramente/rara vez,a veces,a menudo/frecuentemente,casi siempre,siempre
muy insatisfecho,insatisfecho,neutral,satisfecho,muy satisfecho
muy malo,malo,regular,bueno,muy bueno,excelente
muy bajo,bajo,medio,alto,muy alto
per niente d'accordo/fortemente in disaccordo,in disaccordo/poco d'accordo,neutrale/né d'accordo né in disaccordo,d'accordo/abbastanza d'accordo,molto d'accordo/fortemente d'accordo
mai,raramente,qualche volta/a volte,spesso,sempre
discordo totalmente,discordo,neutro/nem concordo nem discordo,concordo,concordo totalmente
nunca,raramente,às vezes,frequentemente/muitas vezes,sempre
helemaal oneens/zeer oneens,oneens,neutraal,eens,helemaal eens/zeer eens
nooit,zelden,soms,vaak,altijd
zeer slecht,slecht,matig,voldoende,goed,zeer goed,uitstekend
kesinlikle katılmıyorum/hiç katılmıyorum,katılmıyorum,kararsızım/ne katılıyorum ne katılmıyorum,katılıyorum,kesinlikle katılıyorum/tamamen katılıyorum
zdecydowanie nie zgadzam się/zdecydowanie się nie zgadzam,nie zgadzam się/raczej się nie zgadzam,ani tak ani nie/trudno powiedzieć,zgadzam się/raczej się zgadzam,zdecydowanie zgadzam się/zdecydowanie się zgadzam
bardzo niezadowolony/bardzo niezadowolona,niezadowolony/niezadowolona/raczej niezadowolony/raczej niezadowolona,ani zadowolony ani niezadowolony/neutralnie/trudno powiedzieć,zadowolony/zadowolona/raczej zadowolony/raczej zadowolona,bardzo zadowolony/bardzo zadowolona
nigdy,prawie nigdy/bardzo rzadko,rzadko,czasami/czasem,często,bardzo często/prawie zawsze,zawsze
hiç memnun değilim,memnun değilim,kararsızım/ne memnunum ne değilim,memnunum,çok memnunum
hiçbir zaman/asla/hiç,nadiren,bazen/ara sıra,sık sık/genellikle/çoğu zaman,her zaman/daima
rozhodně nesouhlasím,spíše nesouhlasím/nesouhlasím,nevím/ani souhlas ani nesouhlas,spíše souhlasím/souhlasím,rozhodně souhlasím
nikdy,zřídka/málokdy,občas/někdy,často,vždy
instämmer inte alls/tar helt avstånd,instämmer inte/instämmer delvis inte,varken eller/neutral,instämmer/instämmer delvis,instämmer helt
aldrig,sällan,ibland,ofta,alltid
полностью не согласен/совершенно не согласен,не согласен/скорее не согласен,нейтрально/затрудняюсь ответить,согласен/скорее согласен,полностью согласен
никогда,редко,иногда,часто,всегда
全くそう思わない,そう思わない/あまりそう思わない,どちらともいえない/どちらでもない,そう思う/ややそう思う,とてもそう思う/非常にそう思う
とても不満/非常に不満,不満/やや不満,どちらともいえない/どちらでもない/普通,満足/やや満足,とても満足/非常に満足
unsatisfactory/below/below expectations/does not meet expectations/needs improvement,partially meets expectations,meets/meets expectations/fully meets expectations,exceeds/exceeds expectations,outstanding/far exceeds expectations/greatly exceeds expectations
none/no formal education,primary/primary school/elementary/elementary school,lower secondary/some high school/less than high school,secondary/high school/upper secondary/secondary school,vocational/some college/associate/associate's/associate degree,bachelor/bachelors/bachelor's/bachelor degree/bachelor's degree/undergraduate,master/masters/master's/master degree/master's degree/graduate,doctorate/phd/doctoral/doctoral degree
intern/trainee,junior/entry,mid/mid-level/middle/intermediate,senior,lead/principal/staff,director,vp/vice president
beginner/novice,intermediate,advanced,expert
unfurnished/not furnished,semi-furnished/semi furnished/partly furnished/part furnished/partially furnished,furnished/fully furnished
bronze,silver,gold,platinum,diamond
trivial,minor,moderate/normal/medium,major,critical/severe,blocker
low,normal/medium,high,urgent,critical`)

// gradeScale are marks of schools, of credit and of the use of energy, from the least; letters alone, without + or - beside one of them or two alike, may be codes.
var gradeScale = parseScales(`g,f,e,d-,d,d+,cc-/cc,ccc-,ccc,ccc+,c-,c,c+,b-,b,b+,bb-,bb,bb+,bbb-,bbb,bbb+,a-,a,a+,a++,a+++,aa-,aa,aa+,aaa`)[0]

// gradesOf returns the place of a mark of a letter.
func gradesOf(levels []string) func(string) (int, bool) {
	if !slices.ContainsFunc(levels, func(s string) bool { return strings.ContainsAny(s, "+-") || s == "bbb" }) {
		return func(string) (int, bool) { return 0, false }
	}
	return placeIn(gradeScale)
}

func placeIn(scale map[string]int) func(string) (int, bool) {
	return func(s string) (int, bool) { at, ok := scale[strings.ReplaceAll(s, "−", "-")]; return at, ok }
}

func parseScales(text string) (list []map[string]int) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		scale := map[string]int{}
		for at, words := range strings.Split(line, ",") {
			for _, w := range strings.Split(words, "/") {
				if _, twice := scale[w]; !twice {
					scale[w] = at
				}
			}
		}
		list = append(list, scale)
	}
	return list
}

// plainLevel is a level without capitals and needless blanks.
func plainLevel(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(s, "’", "'")), " "))
}

// fewStrangers is the share of the cells that may be on no place of a scale, such as W for a course that was left.
const fewStrangers = 0.1

// orderOf returns the levels of a column from the least to the most, in plain form; nil where they have no order. Words for the same
// level stand side by side with | between them. Up to two others that few cells have are gone: they have no place.
func orderOf(all map[string]int) (order, gone []string) {
	count := map[string]int{}
	total := 0
	for s, k := range all {
		count[plainLevel(s)] += k
		total += k
	}
	levels := slices.Sorted(maps.Keys(count))
	if len(levels) < leastOrdered || len(levels) > mostOrdered {
		return nil, nil
	}
	for _, scale := range scales {
		if place := places(levels, placeIn(scale)); place != nil {
			return ordered(levels, place), nil
		}
	}
	for _, scale := range scales {
		if order, gone := nearlyOrdered(all, count, total, placeIn(scale)); order != nil {
			return order, gone
		}
	}
	if order, gone := nearlyOrdered(all, count, total, gradesOf(levels)); order != nil {
		return order, gone
	}
	if place := places(levels, leadingNumber); place != nil && distinctCount(place) == len(levels) {
		return ordered(levels, place), nil
	}
	return rangesInOrder(levels), nil
}

// nearlyOrdered orders the levels that have a place; nil where more than two, or more than few of the cells, have none.
func nearlyOrdered(all, count map[string]int, total int, of func(string) (int, bool)) (order, gone []string) {
	var levels []string
	strangers, cells := 0, 0
	for _, s := range slices.Sorted(maps.Keys(count)) {
		if _, ok := of(s); ok {
			levels = append(levels, s)
		} else {
			strangers++
			cells += count[s]
		}
	}
	if strangers > 2 || float64(cells) > fewStrangers*float64(total) {
		return nil, nil
	}
	place := places(levels, of)
	if place == nil {
		return nil, nil
	}
	for _, s := range slices.Sorted(maps.Keys(all)) {
		if _, ok := of(plainLevel(s)); !ok {
			gone = append(gone, s)
		}
	}
	return ordered(levels, place), gone
}

// places returns the place of each level; nil where one has none, or fewer than leastOrdered differ.
func places(levels []string, of func(string) (int, bool)) []int {
	out := make([]int, len(levels))
	for i, s := range levels {
		at, ok := of(s)
		if !ok {
			return nil
		}
		out[i] = at
	}
	if distinctCount(out) < leastOrdered {
		return nil
	}
	return out
}

func distinctCount(list []int) int {
	return len(slices.Compact(slices.Sorted(slices.Values(list))))
}

// ordered sorts levels by their places, and joins those of one place.
func ordered(levels []string, place []int) (out []string) {
	at := make([]int, len(levels))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
	for q, i := range at {
		if q > 0 && place[at[q-1]] == place[i] {
			out[len(out)-1] += betweenMissing + levels[i]
		} else {
			out = append(out, levels[i])
		}
	}
	return out
}

// leadingNumber reads the number of an answer such as "4 - agree", "4. agree", "(4) agree" or "4 = agree".
func leadingNumber(s string) (int, bool) {
	rest, inside := strings.CutPrefix(s, "(")
	digits := 0
	for digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 2 {
		return 0, false
	}
	after := rest[digits:]
	switch {
	case inside:
		after, inside = strings.CutPrefix(after, ")")
		if !inside {
			return 0, false
		}
	default:
		cut := strings.TrimLeft(after, " ")
		sign := strings.TrimLeft(cut, "-–—.:=)")
		if sign == cut {
			return 0, false
		}
		after = sign
	}
	if after = strings.TrimSpace(after); after == "" || !strings.ContainsFunc(after, func(r rune) bool { return r > '9' }) {
		return 0, false
	}
	return int(number(rest[:digits], digits)), true
}

// rangesInOrder returns levels that are ranges without overlap, from the lowest; nil where one is none.
func rangesInOrder(levels []string) []string {
	type span struct {
		low, high float64
		level     string
	}
	var list []span
	closed := 0
	for _, s := range levels {
		low, high, ok := parseRange(s)
		if !ok {
			return nil
		}
		if !math.IsInf(low, 0) && !math.IsInf(high, 0) {
			closed++
		}
		list = append(list, span{low, high, s})
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high)) })
	if 2*closed < len(list) {
		return nil
	}
	out := make([]string, len(list))
	for i, r := range list {
		if i > 0 && r.low < list[i-1].high {
			return nil
		}
		out[i] = r.level
	}
	return out
}

// parseRange reads 11-50, 11 – 50 kg, 5000+, < 18 and over 65.
func parseRange(s string) (low, high float64, ok bool) {
	for _, open := range []struct {
		word string
		up   bool
	}{{"<=", false}, {"<", false}, {"≤", false}, {"under ", false}, {"below ", false}, {"up to ", false}, {"less than ", false}, {"bis ", false}, {"unter ", false}, {"moins de ", false}, {"menos de ", false},
		{">=", true}, {">", true}, {"≥", true}, {"over ", true}, {"above ", true}, {"more than ", true}, {"über ", true}, {"ab ", true}, {"plus de ", true}, {"más de ", true}} {
		if rest, found := strings.CutPrefix(s, open.word); found {
			q, ok := parseQuantity(rest, false)
			if open.up {
				return q.value, math.Inf(1), ok
			}
			return math.Inf(-1), q.value, ok
		}
	}
	for _, word := range []string{"+", " and over", " and more", " or more", " und mehr", " et plus", " y más"} {
		if rest, found := strings.CutSuffix(s, word); found {
			q, ok := parseQuantity(rest, false)
			return q.value, math.Inf(1), ok
		}
	}
	for _, sign := range []string{"–", "—", " to ", " bis ", " à ", " a ", "..", "-"} {
		left, right, found := strings.Cut(s, sign)
		if !found {
			continue
		}
		a, okA := parseQuantity(left, false)
		b, okB := parseQuantity(right, false)
		return a.value, b.value, okA && okB && a.value < b.value && a.unit != clockUnit && b.unit != clockUnit && (a.unit == "" || a.unit == b.unit)
	}
	return 0, 0, false
}

// asOrder makes a column with levels in an order a number.
func (in *inference) asOrder(c *Column, order, gone []string) {
	c.Spec.Order, c.Spec.Gone = order, gone
	first, _, _ := strings.Cut(order[0], betweenMissing)
	last, _, _ := strings.Cut(order[len(order)-1], betweenMissing)
	c.Why = "levels in order, 1 for " + clip(first) + " up to " + formatNumber(float64(len(order))) + " for " + clip(last)
	if len(gone) > 0 {
		c.Why += ", " + strings.Join(gone, " and ") + " taken as missing"
	}
	c.Tip = useTip(c.Name, Category)
}

// placeInOrder returns the number of a level.
func (s Spec) placeInOrder(text string) (float64, bool) {
	level := plainLevel(text)
	for at, words := range s.Order {
		for w := range strings.SplitSeq(words, betweenMissing) {
			if w == level {
				return float64(at + 1), true
			}
		}
	}
	return math.NaN(), false
}
