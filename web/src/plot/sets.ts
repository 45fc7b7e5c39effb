// Sets of points as ascending numbers.

export type How = 'replace' | 'add' | 'subtract';

// combined returns what is chosen after area was lassoed. Both sets ascend, and so does the result.
export function combined(chosen: Uint32Array | null, area: Uint32Array, how: How): Uint32Array {
  if (how === 'replace' || !chosen) return how === 'subtract' ? new Uint32Array(0) : area;
  const out = new Uint32Array(how === 'add' ? chosen.length + area.length : chosen.length);
  let i = 0, j = 0, n = 0;
  while (i < chosen.length) {
    while (j < area.length && area[j] < chosen[i]) {
      if (how === 'add') out[n++] = area[j];
      j++;
    }
    const both = j < area.length && area[j] === chosen[i];
    if (how === 'add' || !both) out[n++] = chosen[i];
    if (both) j++;
    i++;
  }
  if (how === 'add') while (j < area.length) out[n++] = area[j++];
  return out.slice(0, n);
}

// ascending returns the points in order, each once.
export function ascending(points: Uint32Array): Uint32Array {
  let sorted = true;
  for (let i = 1; i < points.length; i++) if (points[i] <= points[i - 1]) { sorted = false; break; }
  if (sorted) return points;
  const out = points.slice().sort();
  let n = 0;
  for (let i = 0; i < out.length; i++) if (i === 0 || out[i] !== out[i - 1]) out[n++] = out[i];
  return out.slice(0, n);
}

// has finds a point in an ascending set.
export function has(set: Uint32Array, point: number): boolean {
  let low = 0, high = set.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[middle] < point) low = middle + 1;
    else high = middle;
  }
  return low < set.length && set[low] === point;
}
