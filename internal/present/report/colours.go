package report

import "github.com/inklinghq/inkling/internal/present/report/picture"

// palette has ten colours that people with colour blindness can distinguish,
// light enough for a dark page and dark enough for a light one.
var palette = []picture.Colour{
	picture.RGB(0x2f7ed8), picture.RGB(0xe8743b), picture.RGB(0x1aa179), picture.RGB(0xbf4aa8), picture.RGB(0xc79b00),
	picture.RGB(0x6a5acd), picture.RGB(0xd64550), picture.RGB(0x4aa3b8), picture.RGB(0x7a9a2f), picture.RGB(0x8c6d5a),
}

// violatedColour marks constraints that are violated.
var violatedColour = picture.RGB(0xd62839)

// Colour returns the colour of cluster h: one of a palette of ten, and beyond
// them hues that turn by the golden angle.
func Colour(h int) picture.Colour {
	if h >= 0 && h < len(palette) {
		return palette[h]
	}
	return picture.HSL((137*h%360+360)%360, 55, 50)
}
