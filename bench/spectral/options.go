package main

// options are the flags of the command line.
type options struct {
	sizes   string
	pairs   int
	workers int
	method  string
}
