package metric

// AddDistance adds a line to the table, for tests, and returns what takes it away.
func AddDistance(d Distance) (remove func()) {
	was := distances
	distances = append(distances[:len(distances):len(distances)], d)
	return func() { distances = was }
}
