// Draws a scene in a view: points and edges into bytes, the rest over them.

import { drawEdges } from './lines';
import { placed } from './names';
import { drawOutlines } from './outlines';
import { drawArea, drawLinks, drawNames, drawRing, drawSplit, FONT } from './overlay';
import { css } from './pixels';
import type { Scene } from './scene';
import { Screen } from './screen';
import { sizeOf, splat, splatSome } from './splat';
import { projection, type View } from './view';

// A Sketch is what the pointer is doing.
export interface Sketch {
  area: { tool: 'lasso' | 'rectangle' | 'brush'; way: readonly number[]; radius: number } | null;
  link: { from: number; x: number; y: number; cannot: boolean } | null;
  under: number | null; // the point under the pointer
}

const QUICK_EDGES = 8000; // while moving
const RINGS = 5000; // more selected points are drawn without a rim

export class Painter {
  private readonly full = new Screen();
  private readonly quick = new Screen(); // one pixel for one of CSS, while moving
  private readonly over = document.createElement('canvas');
  private readonly widths = new Map<string, number>();
  private ratio = 1;
  private width = 1;
  private height = 1;

  constructor(surface: HTMLElement) {
    for (const c of [this.full.canvas, this.quick.canvas, this.over]) {
      Object.assign(c.style, { position: 'absolute', left: '0', top: '0', width: '100%', height: '100%', display: 'block' });
      c.setAttribute('aria-hidden', 'true');
      surface.append(c);
    }
  }

  // resize sets the size in CSS pixels and how many pixels each has.
  resize(width: number, height: number, ratio: number): void {
    this.width = width;
    this.height = height;
    this.ratio = Math.min(Math.max(ratio, 1), 3);
    this.full.resize(Math.round(width * this.ratio), Math.round(height * this.ratio));
    if (this.ratio > 1) this.quick.resize(Math.round(width), Math.round(height));
    this.over.width = this.full.width;
    this.over.height = this.full.height;
  }

  // points draws the first count points. Quickly: one pixel for one of CSS, and fewer edges.
  points(s: Scene, v: View, zoom: number, count: number, quickly: boolean): void {
    const low = quickly && this.ratio > 1;
    const t = low ? this.quick : this.full, ratio = low ? 1 : this.ratio;
    const p = projection(v, ratio), split = s.before ? Math.round(s.share * t.width) : 0;
    const cloud = { x: s.x, y: s.y, colours: s.colours, before: s.coloursBefore, split, ground: s.theme.ground };
    t.pixels.fill(s.theme.ground);
    if (s.edgesA.length > 0) {
      const step = quickly ? Math.ceil(s.edgesA.length / QUICK_EDGES) : 1;
      drawEdges(t, s.x, s.y, s.edgesA, s.edgesB, step, s.colours, p, s.theme.edge, s.edgesA.length > 20000 ? 48 : 96);
    }
    const size = sizeOf(count, zoom, ratio);
    splat(t, cloud, count, p, size);
    for (const some of [s.highlight, s.selection]) {
      if (!some) continue;
      splatSome(t, cloud, some, count, p, size, some.length > RINGS ? 0 : some === s.selection ? s.theme.ink : s.theme.accent);
    }
    t.show();
    this.quick.canvas.style.visibility = low ? 'visible' : 'hidden';
  }

  // overlay draws what lies over the points.
  overlay(s: Scene, v: View, k: Sketch): void {
    const g = this.over.getContext('2d');
    if (!g) return;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.clearRect(0, 0, this.width, this.height);
    const p = projection(v), inks = s.theme.inks;
    drawOutlines(g, s.outlines(), p, (i) => css(s.palette[i % s.palette.length] ?? s.theme.ink));
    if (s.shownLinks.length > 0) drawLinks(g, s.shownLinks, s.x, s.y, p, inks);
    g.font = FONT;
    const names = s.names.map((n) => {
      const text = n.text.length > 28 ? n.text.slice(0, 27) + '…' : n.text;
      let width = this.widths.get(text);
      if (width === undefined) this.widths.set(text, width = g.measureText(text).width);
      return { index: n.index, text, width };
    });
    drawNames(g, placed(names, s.places(), p, this.width, this.height, 18), inks);
    if (s.before) drawSplit(g, s.share * this.width, this.height, inks);
    if (k.area) drawArea(g, k.area.tool, k.area.way, k.area.radius, inks);
    for (const point of [k.under, k.link ? k.link.from : null]) {
      if (point !== null && point < s.x.length) drawRing(g, s.x[point] * p.ax + p.bx, s.y[point] * p.ay + p.by, 8, inks);
    }
    if (k.link) {
      g.beginPath();
      g.moveTo(s.x[k.link.from] * p.ax + p.bx, s.y[k.link.from] * p.ay + p.by);
      g.lineTo(k.link.x, k.link.y);
      g.setLineDash(k.link.cannot ? [7, 5] : []);
      g.lineWidth = 2;
      g.strokeStyle = inks.accent;
      g.stroke();
      g.setLineDash([]);
    }
  }

  // picture returns all that is shown as a PNG.
  picture(): Promise<Blob> {
    const c = document.createElement('canvas');
    c.width = this.full.width;
    c.height = this.full.height;
    const g = c.getContext('2d');
    g?.drawImage(this.full.canvas, 0, 0);
    g?.drawImage(this.over, 0, 0);
    return new Promise((done, failed) => c.toBlob((b) => b ? done(b) : failed(new Error('the browser could not make the image')), 'image/png'));
  }
}
