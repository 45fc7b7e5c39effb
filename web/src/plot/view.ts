// Which part of the plane is seen: the projection between places of points (y up)
// and pixels (y down).

export interface Bounds { minX: number; minY: number; maxX: number; maxY: number }

// A View shows the place (x, y) in the middle of width by height pixels, scale pixels for a unit.
export interface View { x: number; y: number; scale: number; width: number; height: number }

// A Projection takes the place (x, y) to the pixel (ax * x + bx, ay * y + by).
export interface Projection { ax: number; bx: number; ay: number; by: number }

// boundsOf returns the rectangle around all places that are numbers, or the square
// from -1 to 1 if there is none. With only, those points alone.
export function boundsOf(x: Float32Array, y: Float32Array, only?: Uint32Array): Bounds {
  let minX = Infinity, minY = Infinity, maxX = -Infinity, maxY = -Infinity;
  const n = only ? only.length : x.length;
  for (let at = 0; at < n; at++) {
    const i = only ? only[at] : at;
    const px = x[i], py = y[i];
    if (px !== px || py !== py || px === undefined) continue;
    if (px < minX) minX = px;
    if (px > maxX) maxX = px;
    if (py < minY) minY = py;
    if (py > maxY) maxY = py;
  }
  return minX <= maxX ? { minX, minY, maxX, maxY } : { minX: -1, minY: -1, maxX: 1, maxY: 1 };
}

// fitted returns the view in which bounds fill width by height up to a margin.
export function fitted(b: Bounds, width: number, height: number, margin = 24): View {
  const w = Math.max(b.maxX - b.minX, 1e-6), h = Math.max(b.maxY - b.minY, 1e-6);
  const scale = Math.min(Math.max(width - 2 * margin, 1) / w, Math.max(height - 2 * margin, 1) / h);
  return { x: (b.minX + b.maxX) / 2, y: (b.minY + b.maxY) / 2, scale, width, height };
}

// projection of v on a target with ratio pixels for each of v's.
export function projection(v: View, ratio = 1): Projection {
  return {
    ax: v.scale * ratio, bx: (v.width / 2 - v.x * v.scale) * ratio,
    ay: -v.scale * ratio, by: (v.height / 2 + v.y * v.scale) * ratio,
  };
}

// placeAt returns the place under a pixel.
export function placeAt(v: View, px: number, py: number): [number, number] {
  return [v.x + (px - v.width / 2) / v.scale, v.y - (py - v.height / 2) / v.scale];
}

// panned by pixels: what is under the pointer moves along.
export function panned(v: View, dx: number, dy: number): View {
  return { ...v, x: v.x - dx / v.scale, y: v.y + dy / v.scale };
}

// zoomed by a factor about a pixel, which keeps its place, within limits of the scale.
export function zoomed(v: View, factor: number, px: number, py: number, min: number, max: number): View {
  const scale = Math.min(Math.max(v.scale * factor, min), max);
  const [x, y] = placeAt(v, px, py);
  return { ...v, scale, x: x - (px - v.width / 2) / scale, y: y + (py - v.height / 2) / scale };
}

// resized keeps the middle, and the part of the plane that fits into the smaller side.
export function resized(v: View, width: number, height: number): View {
  const before = Math.min(v.width, v.height), after = Math.min(width, height);
  return { ...v, width, height, scale: before > 0 && after > 0 ? v.scale * after / before : v.scale };
}

// between two views, t from 0 to 1: the scale changes by equal factors.
export function between(a: View, b: View, t: number): View {
  const scale = a.scale * Math.pow(b.scale / a.scale, t);
  // The middle moves as the scale does, so that the goal is approached on a straight line of the screen.
  const s = Math.abs(b.scale / a.scale - 1) < 1e-6 ? t : (1 / scale - 1 / a.scale) / (1 / b.scale - 1 / a.scale);
  return { ...b, scale, x: a.x + (b.x - a.x) * s, y: a.y + (b.y - a.y) * s };
}
