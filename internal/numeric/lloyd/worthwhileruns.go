package lloyd

// Limits of the runs that pay: how many, how many clusters they have in all, and how
// often they search every row.
const (
	mostRuns     = 10
	mostClusters = 100
	mostSearches = 100
)

// WorthwhileRuns returns how many runs pay, after one from the centres of a sample.
//
// The less the best swap loses, compared with the mean cost of a cluster, the flatter is
// the cost, and the more minima are near the lowest: as many runs pay as such losses make
// up the cost of a cluster. Where clusters are separated a swap loses more than that, and
// one run is enough. Where there are many clusters it is rare that a new start places all
// of them better, and swaps gain more in the same time. All runs together may cost what
// mostSearches iterations cost without bounds, if the others cost what this one did
// without the swaps that failed.
func (s *swapSearch) WorthwhileRuns() int {
	if !s.sampled || !s.planned {
		return 1
	}
	most := min(mostRuns, mostClusters/s.centres.K)
	if left, each := mostSearches*len(s.labels)-s.searched, s.searched-s.trialsSearched; each > 0 {
		most = min(most, 1+left/each)
	}
	if mean := s.cost.Cost / float64(s.centres.K); s.leastLoss*float64(most) > mean {
		most = int(mean / s.leastLoss)
	}
	return max(1, most)
}
