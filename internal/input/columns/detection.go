package columns

import (
	"math"
	"slices"
	"strings"
)

// belowDetection are the words of laboratories for a value that is too small to be measured, without blanks and in lower case. n.d. is none
// of them, since it may mean that nothing was determined.
var belowDetection = split("<lod <loq <lloq <lod. <dl <mdl <rl <bl <det.lim. <nwg <ng <bg <ld <lq <lc bdl b.d.l. blod bloq blq b.l.q. bql b.q.l. bmdl belowlod belowloq belowlloq belowdetection belowdetectionlimit belowlimitofdetection belowlimitofquantification notdetectable undetectable unterng unterbg unternwg unternachweisgrenze unterderbestimmungsgrenze unterdernachweisgrenze n.nachweisbar nichtnachweisbar nondétectable nodetectable nondetectable")

var unspaced = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "")

// isBelowDetection reports whether a cell says that its value is too small to be measured.
func isBelowDetection(s string) bool {
	return len(s) < 40 && belowDetection[strings.ToLower(unspaced.Replace(s))]
}

// takeBelow takes the cells that are below what can be measured for the least value that was, as one takes <0.5 for its bound.
func (r *reading) takeBelow(plain []float64, odd map[string]int) {
	var words []string
	r.left = slices.DeleteFunc(r.left, func(s string) bool {
		if isBelowDetection(s) {
			words = append(words, s)
			return true
		}
		return false
	})
	if len(words) == 0 {
		return
	}
	least := math.Inf(1)
	for _, y := range plain {
		if y == y {
			least = min(least, y)
		}
	}
	for s := range odd {
		if v, ok := r.spec.parse(s); ok {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) {
		r.left = append(r.left, words...)
		slices.Sort(r.left)
		return
	}
	for _, s := range words {
		r.read += odd[s]
		r.below += odd[s]
	}
	r.spec.Below, r.spec.Least = words, least
}
