// Outlines of clusters: the convex hull of most of their points.

import { medians } from './names';
import type { Projection } from './view';

export interface Outline { index: number; corners: number[] /* x0, y0, ... in order around the cluster */ }

const SHARE = 0.95; // of a cluster's points, those nearest to its middle: a single stray point would stretch it
const LEAST = 3; // points that an outline needs

// outlines returns the hull of each cluster, over the first limit points: any prefix is a fair sample.
export function outlines(x: Float32Array, y: Float32Array, clusters: Uint8Array | Uint16Array, none: number, limit = 60000): Outline[] {
  const members = new Map<number, number[]>(), n = Math.min(x.length, clusters.length, limit);
  for (let i = 0; i < n; i++) {
    if (clusters[i] === none || x[i] !== x[i] || y[i] !== y[i]) continue;
    const list = members.get(clusters[i]);
    if (list) list.push(i);
    else members.set(clusters[i], [i]);
  }
  const out: Outline[] = [];
  for (const m of medians(x, y, clusters, none, limit)) {
    const away = (i: number) => (x[i] - m.x) ** 2 + (y[i] - m.y) ** 2;
    const all = members.get(m.index) ?? [], near = [...all].sort((a, b) => away(a) - away(b) || a - b).slice(0, Math.max(LEAST, Math.ceil(SHARE * all.length)));
    const corners = hull(near.map((i) => [x[i], y[i]]));
    if (corners.length >= LEAST) out.push({ index: m.index, corners: corners.flat() });
  }
  return out;
}

// hull returns the corners of the convex hull, around it; fewer than three where all points are on a line.
export function hull(points: readonly (readonly [number, number])[]): [number, number][] {
  const p = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (order: typeof p) => {
    const way: (readonly [number, number])[] = [];
    for (const q of order) {
      while (way.length >= 2 && turn(way[way.length - 2], way[way.length - 1], q) <= 0) way.pop();
      way.push(q);
    }
    way.pop(); // the first of the other half
    return way;
  };
  return [...half(p), ...half(p.reverse())].map(([a, b]) => [a, b]);
}

function turn(a: readonly [number, number], b: readonly [number, number], c: readonly [number, number]): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// drawOutlines draws each outline in the colour of its cluster, with a thin filling.
export function drawOutlines(g: CanvasRenderingContext2D, list: readonly Outline[], p: Projection, colour: (index: number) => string): void {
  g.lineJoin = 'round';
  for (const o of list) {
    g.beginPath();
    for (let i = 0; i < o.corners.length; i += 2) g.lineTo(o.corners[i] * p.ax + p.bx, o.corners[i + 1] * p.ay + p.by);
    g.closePath();
    g.fillStyle = g.strokeStyle = colour(o.index);
    g.globalAlpha = 0.1;
    g.fill();
    g.globalAlpha = 1;
    g.lineWidth = 1.75;
    g.stroke();
  }
}
