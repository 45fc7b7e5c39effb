package csp

import "github.com/inklinghq/inkling/cluster"

// number reads a parameter as the command line does.
func number(text string) (n cluster.Number) {
	if err := n.UnmarshalText([]byte(text)); err != nil {
		panic(err)
	}
	return n
}
