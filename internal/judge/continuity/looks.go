package continuity

// Looks returns the numbers of answers, up to n, after which it is asked whether labels spread: 5, 6, 8 and
// 10 to 80 in steps of about a quarter, and so on by tens. Asking after every answer would be a test with
// as many chances to err as there are answers; and what is decided must not depend on how often somebody
// looks, so it is a function of the answers in their order alone.
func Looks(n int) (out []int) {
	steps := []int{10, 12, 15, 20, 25, 30, 40, 50, 60, 80}
	for _, m := range []int{5, 6, 8} {
		if m <= n {
			out = append(out, m)
		}
	}
	for unit := 1; ; unit *= 10 {
		for _, m := range steps {
			if m*unit > n {
				return out
			}
			out = append(out, m*unit)
		}
	}
}
