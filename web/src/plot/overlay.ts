// What lies over the points: names, links, the area that is being drawn, the line
// between before and after.

import type { Label } from './names';
import type { Projection } from './view';

export interface Link { a: number; b: number; kind: string; violated: boolean }

export interface Inks { ground: string; ink: string; must: string; cannot: string; warning: string; accent: string }

export const FONT = '600 13px system-ui, sans-serif';

export function drawLinks(g: CanvasRenderingContext2D, links: readonly Link[], x: Float32Array, y: Float32Array, p: Projection, inks: Inks): void {
  for (const violated of [false, true]) { // those in a warning colour on top
    for (const kind of ['must', 'cannot', 'belief']) {
      g.beginPath();
      for (const l of links) {
        const of = l.kind === 'must' || l.kind === 'cannot' ? l.kind : 'belief';
        if (of !== kind || l.violated !== violated) continue;
        g.moveTo(x[l.a] * p.ax + p.bx, y[l.a] * p.ay + p.by);
        g.lineTo(x[l.b] * p.ax + p.bx, y[l.b] * p.ay + p.by);
      }
      g.setLineDash(kind === 'must' ? [] : kind === 'cannot' ? [7, 5] : [2, 4]);
      g.strokeStyle = inks.ground; // a rim, so that a line is seen on points of its colour
      g.lineWidth = violated ? 5 : 4;
      g.stroke();
      g.strokeStyle = violated ? inks.warning : kind === 'cannot' ? inks.cannot : inks.must;
      g.lineWidth = violated ? 2.5 : 1.75;
      g.stroke();
    }
  }
  g.setLineDash([]);
}

export function drawNames(g: CanvasRenderingContext2D, labels: readonly Label[], inks: Inks): void {
  g.font = FONT;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.lineJoin = 'round';
  for (const l of labels) {
    g.strokeStyle = inks.ground;
    g.lineWidth = 4;
    g.strokeText(l.text, l.x, l.y);
    g.fillStyle = inks.ink;
    g.fillText(l.text, l.x, l.y);
  }
}

// drawArea shows the way of the pointer: corners x0, y0, ...
export function drawArea(g: CanvasRenderingContext2D, tool: 'lasso' | 'rectangle' | 'brush', way: readonly number[], radius: number, inks: Inks): void {
  if (way.length < 2) return;
  g.beginPath();
  if (tool === 'rectangle') {
    g.rect(way[0], way[1], way[way.length - 2] - way[0], way[way.length - 1] - way[1]);
  } else {
    g.moveTo(way[0], way[1]);
    for (let i = 2; i < way.length; i += 2) g.lineTo(way[i], way[i + 1]);
    if (tool === 'brush' && way.length === 2) g.lineTo(way[0] + 0.1, way[1]);
  }
  g.strokeStyle = inks.accent;
  g.fillStyle = inks.accent;
  if (tool === 'brush') {
    g.lineWidth = 2 * radius;
    g.lineCap = g.lineJoin = 'round';
    g.globalAlpha = 0.25;
    g.stroke();
    g.globalAlpha = 1;
    return;
  }
  g.globalAlpha = 0.12;
  g.fill();
  g.globalAlpha = 1;
  g.lineWidth = 1.5;
  if (tool === 'lasso') g.closePath();
  g.stroke();
}

// drawRing marks one point.
export function drawRing(g: CanvasRenderingContext2D, x: number, y: number, radius: number, inks: Inks): void {
  for (const [width, colour] of [[4, inks.ground], [2, inks.accent]] as const) {
    g.beginPath();
    g.arc(x, y, radius, 0, 2 * Math.PI);
    g.lineWidth = width;
    g.strokeStyle = colour;
    g.stroke();
  }
}

// drawSplit shows the line between before, on its left, and after.
export function drawSplit(g: CanvasRenderingContext2D, x: number, height: number, inks: Inks): void {
  g.beginPath();
  g.moveTo(x, 0);
  g.lineTo(x, height);
  g.lineWidth = 4;
  g.strokeStyle = inks.ground;
  g.stroke();
  g.lineWidth = 2;
  g.strokeStyle = inks.ink;
  g.stroke();
  g.font = FONT;
  g.textBaseline = 'top';
  g.lineJoin = 'round';
  for (const [text, at, align] of [['before', x - 8, 'right'], ['after', x + 8, 'left']] as const) {
    g.textAlign = align;
    g.lineWidth = 4;
    g.strokeStyle = inks.ground;
    g.strokeText(text, at, 8);
    g.fillStyle = inks.ink;
    g.fillText(text, at, 8);
  }
}
