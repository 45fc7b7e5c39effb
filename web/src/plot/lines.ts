// Straight lines into pixels, for the edges of graphs: tens of thousands at once.

import { mixed, type Target } from './pixels';
import type { Projection } from './view';

// drawEdges draws every step-th edge between points, share/256 of the colour over what is there.
export function drawEdges(t: Target, x: Float32Array, y: Float32Array, a: Uint32Array, b: Uint32Array, step: number,
  shown: Uint32Array, p: Projection, colour: number, share: number): void {
  for (let e = 0; e < a.length; e += step) {
    const i = a[e], j = b[e];
    if (!shown[i] || !shown[j]) continue; // hidden, or of other points
    drawLine(t, x[i] * p.ax + p.bx, y[i] * p.ay + p.by, x[j] * p.ax + p.bx, y[j] * p.ay + p.by, colour, share);
  }
}

// drawLine draws the part of a line that is on the target.
export function drawLine(t: Target, x0: number, y0: number, x1: number, y1: number, colour: number, share: number): void {
  const right = t.width - 1, bottom = t.height - 1;
  let from = 0, to = 1;
  const dx = x1 - x0, dy = y1 - y0;
  // Where the line enters and leaves the four sides (Liang and Barsky, 1984).
  for (let side = 0; side < 4; side++) {
    const d = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
    const q = side === 0 ? x0 : side === 1 ? right - x0 : side === 2 ? y0 : bottom - y0;
    if (d === 0) {
      if (q < 0) return;
    } else if (d < 0) {
      if (q / d > from) from = q / d;
    } else if (q / d < to) to = q / d;
  }
  if (!(from <= to)) return; // outside, or not a number
  const ax = x0 + from * dx, ay = y0 + from * dy;
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) * (to - from)));
  const sx = dx * (to - from) / steps, sy = dy * (to - from) / steps;
  for (let i = 0; i <= steps; i++) {
    const u = (ax + i * sx + 0.5) | 0, v = (ay + i * sy + 0.5) | 0;
    if (u > right || v > bottom) continue;
    const at = v * t.width + u;
    t.pixels[at] = mixed(t.pixels[at], colour, share);
  }
}
