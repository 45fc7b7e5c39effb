// Selecting by area: the area is drawn into a mask of bytes, one for each pixel, and
// a point is inside if its pixel is. The cost does not depend on the shape.

import type { Projection } from './view';

export interface Mask { inside: Uint8Array; width: number; height: number }

export function emptyMask(width: number, height: number): Mask {
  return { inside: new Uint8Array(Math.max(width, 1) * Math.max(height, 1)), width: Math.max(width, 1), height: Math.max(height, 1) };
}

// fillPolygon sets what is inside of a closed line of corners x0, y0, x1, y1, ... A
// part that the line goes around twice is inside too (the rule of the winding number).
export function fillPolygon(m: Mask, corners: ArrayLike<number>): void {
  const n = corners.length >> 1;
  const at: { x: number; turn: number }[] = [];
  for (let row = 0; row < m.height; row++) {
    const y = row + 0.5;
    at.length = 0;
    for (let i = 0; i < n; i++) {
      const j = (i + 1) % n;
      const y0 = corners[2 * i + 1], y1 = corners[2 * j + 1];
      if ((y0 <= y) === (y1 <= y)) continue;
      const x = corners[2 * i] + (y - y0) / (y1 - y0) * (corners[2 * j] - corners[2 * i]);
      at.push({ x, turn: y0 <= y ? 1 : -1 });
    }
    at.sort((a, b) => a.x - b.x);
    let winding = 0;
    for (let i = 0; i + 1 < at.length; i++) {
      winding += at[i].turn;
      if (winding !== 0) fillRow(m, row, at[i].x, at[i + 1].x);
    }
  }
}

// fillRow sets the pixels of a row whose middles are between two columns.
function fillRow(m: Mask, row: number, from: number, to: number): void {
  const a = Math.max(0, Math.ceil(from - 0.5)), b = Math.min(m.width, Math.ceil(to - 0.5));
  if (a < b) m.inside.fill(1, row * m.width + a, row * m.width + b);
}

export function fillRectangle(m: Mask, x0: number, y0: number, x1: number, y1: number): void {
  const top = Math.max(0, Math.floor(Math.min(y0, y1))), bottom = Math.min(m.height - 1, Math.floor(Math.max(y0, y1)));
  const left = Math.floor(Math.min(x0, x1)), right = Math.floor(Math.max(x0, x1)) + 1;
  for (let row = top; row <= bottom; row++) fillRow(m, row, left, right);
}

// fillStroke sets what a round brush of a radius touches on its way over x0, y0, x1, y1, ...
export function fillStroke(m: Mask, way: ArrayLike<number>, radius: number): void {
  const n = way.length >> 1;
  for (let i = 0; i < Math.max(n - 1, Math.min(n, 1)); i++) {
    const j = Math.min(i + 1, n - 1);
    fillCapsule(m, way[2 * i], way[2 * i + 1], way[2 * j], way[2 * j + 1], radius);
  }
}

// fillCapsule sets what is within a radius of a line.
function fillCapsule(m: Mask, x0: number, y0: number, x1: number, y1: number, radius: number): void {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const top = Math.max(0, Math.floor(Math.min(y0, y1) - radius)), bottom = Math.min(m.height - 1, Math.ceil(Math.max(y0, y1) + radius));
  const left = Math.max(0, Math.floor(Math.min(x0, x1) - radius)), right = Math.min(m.width - 1, Math.ceil(Math.max(x0, x1) + radius));
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const px = column + 0.5 - x0, py = row + 0.5 - y0;
      const t = length > 0 ? Math.min(Math.max((px * dx + py * dy) / length, 0), 1) : 0;
      const ex = px - t * dx, ey = py - t * dy;
      if (ex * ex + ey * ey <= radius * radius) m.inside[row * m.width + column] = 1;
    }
  }
}

// pointsInside returns the points whose pixel is set, ascending; those of colour 0 are not shown and not chosen.
export function pointsInside(m: Mask, x: Float32Array, y: Float32Array, colours: Uint32Array, p: Projection): Uint32Array {
  const { inside, width, height } = m, { ax, bx, ay, by } = p;
  const found = new Uint32Array(x.length);
  let count = 0;
  for (let i = 0; i < x.length; i++) {
    const px = (x[i] * ax + bx) | 0, py = (y[i] * ay + by) | 0;
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    if (inside[py * width + px] !== 0 && colours[i] !== 0) found[count++] = i;
  }
  return found.slice(0, count);
}
