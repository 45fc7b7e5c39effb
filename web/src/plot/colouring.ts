// The colour of every point, computed when clusters, palette or selection change and
// not when the picture moves. The colour 0 means that a point is not drawn.

import { mixed, ramp } from './pixels';

export type ColourBy = 'cluster' | 'confidence' | 'label' | { values: Float32Array; title: string; levels?: boolean }; // levels: the values are places in a list

export interface Scheme {
  palette: readonly number[]; // by cluster; further clusters begin again
  ground: number;
  grey: number; // of points without a cluster or value
  stops: readonly number[]; // from low to high values
}

export interface Labels { clusters: Uint8Array | Uint16Array; flags: Uint8Array; none: number }

// Bits of flags.
export const CONFIDENCE = 63, GIVEN = 64, VIOLATED = 128;

// Marks of a point that is chosen or found, for which the others are faded.
export const CHOSEN = 1, FOUND = 2;

const FADED = 62; // of 256: how much is left of the colour of other points

export interface Wish { by: ColourBy; hidden: ReadonlySet<number>; marks: Uint8Array | null }

// colourPoints sets out[i] for all points.
export function colourPoints(out: Uint32Array, x: Float32Array, y: Float32Array, l: Labels | null, s: Scheme, w: Wish): void {
  const n = out.length;
  if (!l || l.clusters.length !== n) {
    out.fill(s.grey);
  } else if (typeof w.by === 'object') {
    colourByValue(out, l, w.by, s, w.hidden);
  } else {
    colourByTable(out, l, tableOf(w.by, l, s, w.hidden));
  }
  if (w.marks) {
    for (let i = 0; i < n; i++) if (w.marks[i] === 0 && out[i] !== 0) out[i] = mixed(s.ground, out[i], FADED);
  }
  for (let i = 0; i < n; i++) if (x[i] !== x[i] || y[i] !== y[i]) out[i] = 0;
}

// tableOf returns the colour for a cluster and the lower seven bits of the flags. The last row is of
// points without a cluster.
function tableOf(by: 'cluster' | 'confidence' | 'label', l: Labels, s: Scheme, hidden: ReadonlySet<number>): Uint32Array {
  let k = 0;
  for (let i = 0; i < l.clusters.length; i++) if (l.clusters[i] !== l.none && l.clusters[i] >= k) k = l.clusters[i] + 1;
  const table = new Uint32Array((k + 1) * 128);
  for (let c = 0; c <= k; c++) {
    if (hidden.has(c === k ? -1 : c)) continue;
    const full = c < k && s.palette.length > 0 ? s.palette[c % s.palette.length] : s.grey;
    for (let f = 0; f < 128; f++) {
      const confidence = (f & CONFIDENCE) / CONFIDENCE;
      let colour = s.grey;
      if (by === 'confidence') colour = c < k ? ramp(s.stops, confidence) : s.grey;
      else if (by === 'label') colour = (f & GIVEN) !== 0 ? full : mixed(s.ground, s.grey, 110);
      else if (c < k) colour = mixed(s.ground, full, Math.round(256 * (0.4 + 0.6 * confidence)));
      table[c * 128 + f] = colour;
    }
  }
  return table;
}

function colourByTable(out: Uint32Array, l: Labels, table: Uint32Array): void {
  const { clusters, flags, none } = l, last = table.length - 128;
  for (let i = 0; i < out.length; i++) {
    const c = clusters[i];
    out[i] = table[(c === none ? last : c << 7) + (flags[i] & 127)];
  }
}

function colourByValue(out: Uint32Array, l: Labels, by: { values: Float32Array; levels?: boolean }, s: Scheme, hidden: ReadonlySet<number>): void {
  const values = by.values;
  const [low, high] = spread(values);
  const table = new Uint32Array(256);
  for (let i = 0; i < 256; i++) table[i] = ramp(s.stops, i / 255);
  const factor = high > low ? 255 / (high - low) : 0;
  for (let i = 0; i < out.length; i++) {
    const c = l.clusters[i], v = values[i];
    if (hidden.size > 0 && hidden.has(c === l.none ? -1 : c)) out[i] = 0;
    else if (v !== v) out[i] = s.grey;
    else if (by.levels) out[i] = v < s.palette.length ? s.palette[v] : s.grey;
    else out[i] = table[Math.min(Math.max(Math.round((v - low) * factor), 0), 255)];
  }
}

// spread returns the values below and above which a fiftieth of the values lies, over a sample: a few extreme
// ones do not make all others look the same.
export function spread(values: Float32Array, limit = 20000): [number, number] {
  const some = values.slice(0, limit).filter((v) => v === v && Number.isFinite(v)).sort();
  if (some.length === 0) return [0, 1];
  return [some[Math.floor((some.length - 1) * 0.02)], some[Math.ceil((some.length - 1) * 0.98)]];
}
