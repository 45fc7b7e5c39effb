package columns

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inklinghq/inkling/internal/support/hint"
)

// missingWords say in many languages that there is no value; a comma divides them.
const missingWords = `-,–,—,--,---,?,??,.,..,...,…,*,/,na,n.a.,n.a,n/a,#n/a,#na,<na>,nan,nat,null,nil,none,<null>,(null),(none),(empty),empty,blank,missing,(missing),void,err,error,#value!,#ref!,#div/0!,#name?,#num!,
unknown,unk,unk.,not known,not available,not applicable,not done,not given,not measured,not reported,not specified,no data,no answer,no response,no value,undefined,unspecified,refused,don't know,dont know,do not know,dk,tbd,tba,pending,prefer not to say,prefer not to answer,prefer not to respond,rather not say,no opinion,
unbekannt,unbek.,k.a.,k. a.,ka.,keine angabe,keine angaben,keine daten,keine,ohne angabe,o.a.,nicht bekannt,nicht gemessen,fehlt,entfällt,weiß nicht,weiss nicht,möchte ich nicht sagen,keine meinung,
inconnu,inconnue,n.d.,n.d,nd,n/d,non renseigné,non renseignée,nr,n.r.,non disponible,sans objet,sans réponse,manquant,ne sait pas,nsp,aucune donnée,préfère ne pas répondre,sans opinion,
desconocido,desconocida,s/d,s.d.,sd.,sin dato,sin datos,sin información,sin respuesta,no sabe,ns/nc,nsnc,no disponible,no consta,no aplica,prefiero no responder,prefiero no decir,
sconosciuto,sconosciuta,non disponibile,dato mancante,nessun dato,non so,non pervenuto,n.p.,preferisco non rispondere,
desconhecido,desconhecida,não informado,nao informado,sem dados,sem informação,não sabe,não disponível,prefiro não responder,prefiro não dizer,
onbekend,n.v.t.,nvt,niet bekend,geen gegevens,weet niet,ontbreekt,zeg ik liever niet,geen mening,
okänd,okänt,uppgift saknas,saknas,vet ej,ej angivet,ukjent,ukendt,ikke oppgitt,ikke oplyst,vet ikke,ved ikke,
nieznany,nieznane,brak,brak danych,b.d.,nie wiem,neznámý,neznámé,neuvedeno,ismeretlen,nincs adat,tuntematon,ei tietoa,неизвестно,нет данных,н/д,bilinmiyor,不明,未知,無,无,なし,回答しない,無回答,غير معروف,غير متوفر,لا يوجد,알 수 없음,없음,정보 없음,정보없음,미상,לא ידוע`

// missingToken reports whether a cell is a well-known word for a missing value.
func missingToken(s string) bool {
	s = strings.ToLower(strings.Trim(s, blanks))
	return s == "" || len(s) < 32 && knownMissing[s]
}

// stateWords are words for a missing value that are states beside others, such as pending beside open and closed.
var stateWords = split("pending void err error refused")

// A word for a state is one where it stands in so many cells, and at least this share of them.
const (
	fewStates  = 3
	stateShare = 0.05
)

// statesAmong returns which of the words for missing values, counted, are values of a column: words for states that are not rare
// beside a few other words, none of them a number or a date.
func statesAmong(gone, others map[string]int) (states []string) {
	if len(others) < 2 || len(others) > mostLevels {
		return nil
	}
	total := 0
	for s, k := range others {
		total += k
		_, number := parseQuantity(s, false)
		if _, _, date := parseDate(s, false); number || date {
			return nil
		}
	}
	for s, k := range gone {
		if stateWords[strings.ToLower(strings.Trim(s, blanks))] && k >= fewStates && float64(k) >= stateShare*float64(total) {
			states = append(states, s)
		}
	}
	slices.Sort(states)
	return states
}

var knownMissing = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Split(missingWords, ",") {
		words[strings.TrimSpace(w)] = true
	}
	return words
}()

// sentinels are numbers that stand for a missing value where they repeat and are far from
// everything else; the last are those of formats for grids, and the ends of integers of so many bits.
var sentinels = []float64{9, 99, 999, 9999, 99999, 999999, -9, -99, -999, -9999, -99999, -999999, 99.9, 99.99, 99.999, 999.9, 999.99, 9999.9, 9999.99, -9.9, -9.99, -99.9, -99.99, -999.9, -999.99, -9999.9, -9999.99,
	88, 888, 8888, 77, 777, 98, 998, 97, 997, -88, -888, -77, -777, 1e20, -1e20, 1e30, -1e30, 9.969209968386869e36, 9.96921e36, -3.4028234663852886e38, -3.402823e38, 32767, -32768, 65535, 2147483647, -2147483648}

// findSentinels returns the numbers among values that stand for missing ones. Such a number
// repeats, fewer than half of the cells have it, and its distance to the nearest other value is no less than the
// range of all others without their outermost hundredths. 88, 77 and the like count only beside one of nines.
func findSentinels(values []float64) (found []float64) {
	count := map[float64]int{}
	var rest []float64
	n := 0
	for _, y := range values {
		if y != y {
			continue
		}
		n++
		if slices.Contains(sentinels, y) {
			count[y]++
		} else {
			rest = append(rest, y)
		}
	}
	if len(count) == 0 || len(rest) < 10 {
		return nil
	}
	slices.Sort(rest)
	low, high := quantile(rest, .01), quantile(rest, .99)
	least := max(3, n/500)
	nines := false
	// Candidates that are ordinary values of the column belong to the others.
	for _, s := range sentinels {
		k := count[s]
		if k < least || 2*k > n || high <= low {
			continue
		}
		gap := math.Inf(1)
		at, _ := slices.BinarySearch(rest, s)
		if at < len(rest) {
			gap = rest[at] - s
		}
		if at > 0 {
			gap = min(gap, s-rest[at-1])
		}
		if gap < high-low || s > low && s < high {
			continue
		}
		sure := strings.Trim(formatNumber(math.Abs(s)), "9.") == "" || math.Abs(s) > 9999
		if sure || nines {
			found = append(found, s)
			nines = nines || sure
		}
	}
	// A candidate that repeats less, or lies near, says that such numbers are values here.
	for s, k := range count {
		if !slices.Contains(found, s) && k > 0 && len(found) > 0 && slices.ContainsFunc(found, func(f float64) bool { return math.Abs(f-s) < high-low }) {
			return nil
		}
	}
	return found
}

// missing divides what an edit takes for missing into words and numbers.
func (e Edit) missing() (words []string, numbers []float64) {
	for _, s := range e.Missing {
		if v, err := strconv.ParseFloat(s, 64); err == nil && v-v == 0 {
			numbers = append(numbers, v)
		} else {
			words = append(words, s)
		}
	}
	return words, numbers
}

// shareSentinels takes a number that stands for missing values in at least two columns for one in the others too, however
// seldom, where it lies as far from the rest.
func (in *inference) shareSentinels(list []Column) {
	columns := map[float64]int{}
	for _, c := range list {
		for _, s := range c.Spec.Sentinels {
			columns[s]++
		}
	}
	for i := range list {
		c := &list[i]
		if c.Role != Number || !c.Used || c.At < 0 || in.givenRole(c.Name) != "" {
			continue
		}
		for _, s := range sentinels {
			if columns[s] < 2 || slices.Contains(c.Spec.Sentinels, s) {
				continue
			}
			values, _ := c.Spec.Numbers(in.ds, c.At)
			if k := countApart(values, s); k > 0 {
				c.Spec.Sentinels = append(c.Spec.Sentinels, s)
				c.Missing += k
				c.Why += fmt.Sprintf(", %s taken as missing as in other columns (%s)", formatNumber(s), countCells(k))
				c.Tip = hint.Sprintf("{number=%s} keeps them", c.Name)
			}
		}
	}
}

// countApart counts the cells with the value s where it is no nearer to the others than the range of those without
// their outermost hundredths; 0 where it is nearer, or most cells have it.
func countApart(values []float64, s float64) (count int) {
	var rest []float64
	for _, y := range values {
		switch {
		case y == s:
			count++
		case y == y:
			rest = append(rest, y)
		}
	}
	if len(rest) < 10 || count > len(rest) {
		return 0
	}
	slices.Sort(rest)
	low, high := quantile(rest, .01), quantile(rest, .99)
	if gap := max(s-rest[len(rest)-1], rest[0]-s); high <= low || gap < high-low {
		return 0
	}
	return count
}

// quantile returns a quantile of sorted values, of which there is one at least.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
