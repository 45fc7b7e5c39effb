// Points into pixels, by the processor: without a driver, so that the same points give
// the same picture everywhere. Nothing is allocated while drawing.

import { mixed, type Target } from './pixels';
import type { Projection } from './view';

// A Stamp is a disc: offsets of pixels and how much of each it covers, of 256.
export interface Stamp { size: number; dx: Int8Array; dy: Int8Array; cover: Uint16Array }

const stamps = new Map<number, Stamp>();

// stampOf returns the disc with a diameter of size pixels.
export function stampOf(size: number): Stamp {
  const known = stamps.get(size);
  if (known) return known;
  const dx: number[] = [], dy: number[] = [], cover: number[] = [];
  const r = size / 2, reach = Math.ceil(r), odd = size % 2 === 1 ? 0.5 : 0;
  const parts = 8; // of a pixel, in both directions
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      let inside = 0;
      for (let v = 0; v < parts; v++) {
        for (let u = 0; u < parts; u++) {
          const cx = x + (u + 0.5) / parts - odd, cy = y + (v + 0.5) / parts - odd;
          if (cx * cx + cy * cy <= r * r) inside++;
        }
      }
      if (inside > 0) {
        dx.push(x);
        dy.push(y);
        cover.push(Math.round(inside * 256 / (parts * parts)));
      }
    }
  }
  const s = { size, dx: Int8Array.from(dx), dy: Int8Array.from(dy), cover: Uint16Array.from(cover) };
  stamps.set(size, s);
  return s;
}

// sizeOf returns the diameter of points, in pixels, when count of them fill the screen at a zoom.
export function sizeOf(count: number, zoom: number, ratio: number): number {
  const base = Math.max(1.2, 9 - 1.9 * Math.log10(Math.max(count, 100) / 100));
  return Math.min(Math.max(Math.floor(base * Math.pow(Math.max(zoom, 0.5), 0.3) * ratio), 1), Math.round(14 * ratio));
}

// What is drawn: places, the colour of each point (0: not drawn), the colours left of a column, and the ground.
export interface Cloud { x: Float32Array; y: Float32Array; colours: Uint32Array; before: Uint32Array; split: number; ground: number }

// splat draws the points 0 to count-1.
export function splat(t: Target, c: Cloud, count: number, p: Projection, size: number): void {
  if (size <= 1) splatOne(t, c, count, p);
  else if (size < 4) splatSquare(t, c, count, p, size);
  else {
    const s = stampOf(size), rim = size >= 6 ? stampOf(size + 2) : null;
    for (let i = 0; i < count; i++) {
      const px = (c.x[i] * p.ax + p.bx) | 0, py = (c.y[i] * p.ay + p.by) | 0;
      const colour = px < c.split ? c.before[i] : c.colours[i];
      if (colour === 0) continue;
      if (rim) press(t, rim, px, py, c.ground); // so that points that overlap are told apart
      press(t, s, px, py, colour);
    }
  }
}

function splatOne(t: Target, c: Cloud, count: number, p: Projection): void {
  const { pixels, width, height } = t, { x, y, colours, before, split } = c;
  const { ax, bx, ay, by } = p;
  for (let i = 0; i < count; i++) {
    const px = (x[i] * ax + bx) | 0, py = (y[i] * ay + by) | 0;
    if (px < 0 || py < 0 || px >= width || py >= height) continue;
    const colour = px < split ? before[i] : colours[i];
    if (colour !== 0) pixels[py * width + px] = colour;
  }
}

function splatSquare(t: Target, c: Cloud, count: number, p: Projection, size: number): void {
  const { pixels, width, height } = t, { x, y, colours, before, split } = c;
  const { ax, bx, ay, by } = p;
  const off = size >> 1, three = size === 3;
  for (let i = 0; i < count; i++) {
    const cx = (x[i] * ax + bx) | 0, px = cx - off, py = ((y[i] * ay + by) | 0) - off;
    if (px < 0 || py < 0 || px + size > width || py + size > height) continue;
    const colour = cx < split ? before[i] : colours[i];
    if (colour === 0) continue;
    let at = py * width + px;
    if (three) { // a square without its corners is nearer to a disc
      pixels[at + 1] = colour;
      at += width;
      pixels[at] = colour;
      pixels[at + 1] = colour;
      pixels[at + 2] = colour;
      pixels[at + width + 1] = colour;
    } else {
      pixels[at] = colour;
      pixels[at + 1] = colour;
      pixels[at + width] = colour;
      pixels[at + width + 1] = colour;
    }
  }
}

// press puts one disc on the target.
function press(t: Target, s: Stamp, px: number, py: number, colour: number): void {
  const { pixels, width, height } = t, { dx, dy, cover } = s;
  const reach = s.size;
  if (px < -reach || py < -reach || px >= width + reach || py >= height + reach) return;
  for (let j = 0; j < dx.length; j++) {
    const u = px + dx[j], v = py + dy[j];
    if (u < 0 || v < 0 || u >= width || v >= height) continue;
    const at = v * width + u, share = cover[j];
    pixels[at] = share === 256 ? colour : mixed(pixels[at], colour, share);
  }
}

// splatSome draws some points again, larger, each on a disc of the colour ring (0: without). Those
// from limit on are left out; the numbers ascend.
export function splatSome(t: Target, c: Cloud, some: Uint32Array, limit: number, p: Projection, size: number, ring: number): void {
  const outer = stampOf(Math.max(size + 4, 4)), inner = stampOf(Math.max(size + 1, 2));
  for (let j = 0; j < some.length; j++) {
    const i = some[j];
    if (i >= limit) break;
    const px = (c.x[i] * p.ax + p.bx) | 0, py = (c.y[i] * p.ay + p.by) | 0;
    const colour = px < c.split ? c.before[i] : c.colours[i];
    if (!colour) continue; // hidden, or of other points
    if (ring !== 0) press(t, outer, px, py, ring);
    press(t, inner, px, py, colour);
  }
}
