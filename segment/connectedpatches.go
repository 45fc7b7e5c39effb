package segment

import "context"

// connectPatches renumbers patches so that each is connected, from 0 in the order of
// their first pixels. One of fewer than least pixels joins the neighbour, among
// those numbered before it, whose pixel beside it has the nearest colour.
func connectPatches(ctx context.Context, c *canvas, number []int32, least int) (int, error) {
	fresh := make([]int32, len(number))
	for i := range fresh {
		fresh[i] = -1
	}
	count := 0
	var patch []int32
	for i := range number {
		if i%c.width == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if fresh[i] >= 0 {
			continue
		}
		patch = c.floodPatch(patch[:0], int32(i), number, fresh, int32(count))
		if len(patch) < least {
			if into := c.nearestPatch(patch, fresh, int32(count)); into >= 0 {
				for _, p := range patch {
					fresh[p] = into
				}
				continue
			}
		}
		count++
	}
	copy(number, fresh)
	return count, nil
}

// floodPatch gives the patch around pixel i its new number and returns its pixels.
func (c *canvas) floodPatch(patch []int32, i int32, number, fresh []int32, as int32) []int32 {
	patch = append(patch, i)
	fresh[i] = as
	for at := 0; at < len(patch); at++ {
		p := patch[at]
		for _, q := range c.neighbours(int(p)) {
			if q >= 0 && fresh[q] < 0 && number[q] == number[i] {
				fresh[q] = as
				patch = append(patch, q)
			}
		}
	}
	return patch
}

// nearestPatch returns the number of the adjacent patch with the nearest colour,
// -1 if no adjacent pixel has a number yet.
func (c *canvas) nearestPatch(patch []int32, fresh []int32, self int32) int32 {
	into, far := int32(-1), float32(0)
	for _, p := range patch {
		for _, q := range c.neighbours(int(p)) {
			if q < 0 || fresh[q] < 0 || fresh[q] == self {
				continue
			}
			if d := c.colourDist2(int(p), int(q)); into < 0 || d < far {
				into, far = fresh[q], d
			}
		}
	}
	return into
}

// neighbours returns the pixels above, left, right and below, -1 beyond the border.
func (c *canvas) neighbours(i int) [4]int32 {
	out := [4]int32{-1, -1, -1, -1}
	x := i % c.width
	if i >= c.width {
		out[0] = int32(i - c.width)
	}
	if x > 0 {
		out[1] = int32(i - 1)
	}
	if x < c.width-1 {
		out[2] = int32(i + 1)
	}
	if i < c.pixels()-c.width {
		out[3] = int32(i + c.width)
	}
	return out
}

// colourDist2 returns the squared distance of two pixels' colours.
func (c *canvas) colourDist2(i, j int) float32 {
	p, q := c.colourAt(i), c.colourAt(j)
	dl, da, db := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	return float32(dl*dl) + float32(da*da) + float32(db*db)
}
