package raster

import "math"

// Lab converts colours to CIELAB (white D65), in which distances between colours are about as large as they look. Its tables
// spare the powers: linear light of an sRGB value, and the cube root of CIELAB on a fine grid.
type Lab struct {
	light [256]float64
	root  [rootSteps + 1]float64
}

const rootSteps = 1 << 13

// NewLab makes the tables.
func NewLab() *Lab {
	t := &Lab{}
	for i := range t.light {
		v := float64(i) / 255
		if v <= 0.04045 {
			t.light[i] = v / 12.92
		} else {
			t.light[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i := range t.root {
		v := float64(i) / rootSteps
		if v > 216.0/24389 {
			t.root[i] = math.Cbrt(v)
		} else {
			t.root[i] = (float64(24389.0/27*v) + 16) / 116
		}
	}
	return t
}

func (t *Lab) rootOf(v float64) float64 {
	at := min(max(v, 0), 1) * rootSteps
	i := min(int(at), rootSteps-1)
	return t.root[i] + float64((at-float64(i))*(t.root[i+1]-t.root[i]))
}

// Convert writes the CIELAB values of an sRGB colour to dst: L from 0 to 100, then a and b.
func (t *Lab) Convert(dst []float32, red, green, blue uint8) {
	r, g, b := t.light[red], t.light[green], t.light[blue]
	x := t.rootOf((float64(0.4124564*r) + float64(0.3575761*g) + float64(0.1804375*b)) / 0.95047)
	y := t.rootOf(float64(0.2126729*r) + float64(0.7151522*g) + float64(0.0721750*b))
	z := t.rootOf((float64(0.0193339*r) + float64(0.1191920*g) + float64(0.9503041*b)) / 1.08883)
	dst[0], dst[1], dst[2] = float32(float64(116*y)-16), float32(500*(x-y)), float32(200*(y-z))
}
