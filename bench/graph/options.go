package main

// options are the flags of the command line.
type options struct {
	sizes   string
	runs    int
	workers int
	write   string
}
