package columns

import (
	"math"
	"slices"
	"strings"
)

// missingWords say in many languages that there is no value; a comma divides them.
const missingWords = `-,–,—,--,---,?,??,.,..,...,…,*,/,na,n.a.,n.a,n/a,#n/a,#na,<na>,nan,nat,null,nil,none,<null>,(null),(none),(empty),empty,blank,missing,(missing),void,err,error,#value!,#ref!,#div/0!,#name?,#num!,
unknown,unk,unk.,not known,not available,not applicable,not done,not given,not measured,not reported,not specified,no data,no answer,no response,no value,undefined,unspecified,refused,don't know,dont know,do not know,dk,tbd,tba,pending,
unbekannt,unbek.,k.a.,k. a.,ka.,keine angabe,keine angaben,keine daten,keine,ohne angabe,o.a.,nicht bekannt,nicht gemessen,fehlt,entfällt,weiß nicht,weiss nicht,
inconnu,inconnue,n.d.,n.d,nd,n/d,non renseigné,non renseignée,nr,n.r.,non disponible,sans objet,sans réponse,manquant,ne sait pas,nsp,aucune donnée,
desconocido,desconocida,s/d,s.d.,sd.,sin dato,sin datos,sin información,sin respuesta,no sabe,ns/nc,nsnc,no disponible,no consta,no aplica,
sconosciuto,sconosciuta,non disponibile,dato mancante,nessun dato,non so,non pervenuto,n.p.,
desconhecido,desconhecida,não informado,nao informado,sem dados,sem informação,não sabe,não disponível,
onbekend,n.v.t.,nvt,niet bekend,geen gegevens,weet niet,ontbreekt,
okänd,okänt,uppgift saknas,saknas,vet ej,ej angivet,ukjent,ukendt,ikke oppgitt,ikke oplyst,vet ikke,ved ikke,
nieznany,nieznane,brak,brak danych,b.d.,nie wiem,neznámý,neznámé,neuvedeno,ismeretlen,nincs adat,tuntematon,ei tietoa,неизвестно,нет данных,н/д,bilinmiyor,不明,未知,無,无,なし`

// missingToken reports whether a cell is a well-known word for a missing value.
func missingToken(s string) bool {
	s = strings.ToLower(strings.Trim(s, blanks))
	return s == "" || len(s) < 32 && knownMissing[s]
}

var knownMissing = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Split(missingWords, ",") {
		words[strings.TrimSpace(w)] = true
	}
	return words
}()

// sentinels are numbers that stand for a missing value where they repeat and are far from
// everything else.
var sentinels = []float64{9, 99, 999, 9999, 99999, 999999, -9, -99, -999, -9999, -99999, -999999, 88, 888, 8888, 77, 777, 98, 998, 97, 997, -88, -888, -77, -777}

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
		isNines := strings.Trim(formatNumber(math.Abs(s)), "9") == ""
		if isNines || nines {
			found = append(found, s)
			nines = nines || isNines
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

// quantile returns a quantile of sorted values, of which there is one at least.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}
