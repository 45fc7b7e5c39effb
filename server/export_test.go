package server

// Calls returns how many calls there are.
func Calls() int { return len(routes) }
