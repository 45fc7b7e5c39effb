// Names of clusters at the medians of their points, placed so that none covers another.

import type { Projection } from './view';

export interface Place { index: number; x: number; y: number; size: number }

// medians returns the middle of each cluster, coordinate by coordinate, over the first limit points:
// any prefix is a fair sample. Clusters without a point there are left out.
export function medians(x: Float32Array, y: Float32Array, clusters: Uint8Array | Uint16Array, none: number, limit = 60000): Place[] {
  const xs = new Map<number, number[]>(), ys = new Map<number, number[]>();
  const n = Math.min(x.length, clusters.length, limit);
  for (let i = 0; i < n; i++) {
    const c = clusters[i];
    if (c === none || x[i] !== x[i] || y[i] !== y[i]) continue;
    if (!xs.has(c)) {
      xs.set(c, []);
      ys.set(c, []);
    }
    xs.get(c)!.push(x[i]);
    ys.get(c)!.push(y[i]);
  }
  return [...xs.keys()].sort((a, b) => a - b).map((index) => ({
    index, x: middle(xs.get(index)!), y: middle(ys.get(index)!), size: xs.get(index)!.length,
  }));
}

function middle(values: number[]): number {
  const s = Float32Array.from(values).sort();
  return (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2;
}

export interface Name { index: number; text: string; width: number }
export interface Label { index: number; text: string; x: number; y: number; width: number; height: number }

// placed returns the names that fit, each centred at (x, y) in pixels: larger clusters first, each at
// its median or a line above or below. A name that would cover another is left out.
export function placed(names: readonly Name[], places: readonly Place[], p: Projection, width: number, height: number, line: number): Label[] {
  const where = new Map(places.map((q) => [q.index, q]));
  const order = names.filter((n) => where.has(n.index)).sort((a, b) => where.get(b.index)!.size - where.get(a.index)!.size || a.index - b.index);
  const out: Label[] = [];
  for (const n of order) {
    const q = where.get(n.index)!;
    const cx = q.x * p.ax + p.bx, cy = q.y * p.ay + p.by;
    if (cx < 0 || cy < 0 || cx > width || cy > height) continue;
    // A name near the side is moved in, so that it can be read.
    const x = Math.min(Math.max(cx, n.width / 2 + 4), Math.max(width - n.width / 2 - 4, n.width / 2 + 4));
    for (const shift of [0, -1, 1, -2, 2]) {
      const y = cy + shift * line;
      const l = { index: n.index, text: n.text, x, y, width: n.width, height: line };
      if (y - line / 2 < 0 || y + line / 2 > height || out.some((o) => overlap(o, l))) continue;
      out.push(l);
      break;
    }
  }
  return out;
}

function overlap(a: Label, b: Label): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 + 6 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;
}
