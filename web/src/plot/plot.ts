// The plot: a class without a framework. It owns its canvases and its view; what it
// shows is set from outside, and what the user does comes back by callbacks.

import type { ColourBy } from './colouring';
import { Counter } from './counter';
import { Listener, type Modifiers } from './gestures';
import { emptyMask, fillPolygon, fillRectangle, fillStroke, pointsInside } from './mask';
import type { Link } from './overlay';
import { Painter } from './painter';
import { Scene, type Assignment } from './scene';
import { ascending, combined } from './sets';
import { resolved, themeOf } from './theme';
import { between, boundsOf, fitted, panned, placeAt, projection, resized, zoomed, type View } from './view';

export interface PlotOptions {
  onSelect(points: Uint32Array): void;
  onHover(point: number | null, x: number, y: number): void; // pixels from the upper left corner of the host
  onClick(point: number | null, e: Modifiers): void;
  onLink(a: number, b: number, kind: 'must' | 'cannot'): void;
  onView?(): void; // the view moved
  isCannotKey?(e: KeyboardEvent): boolean; // held while linking it means apart; X unless it is given
}

export type Tool = 'pan' | 'lasso' | 'rectangle' | 'brush' | 'link';

const REST = 140; // milliseconds without movement until everything is drawn
const BUDGET = 14; // milliseconds that drawing a frame of a movement may take
const FIRST = 200000; // points of the first frame of a movement
const FEWEST = 50000; // points that a slow machine draws while moving
const REACH = 9; // pixels around the pointer in which a point counts as meant
const BRUSH = 14; // radius of the brush
const TWEEN = 280; // milliseconds of a movement to another view

export class Plot {
  private readonly surface = document.createElement('div');
  private readonly painter: Painter;
  private readonly scene: Scene;
  private readonly listener: Listener;
  private readonly watcher: ResizeObserver;
  private readonly counter = new Counter();

  private home: View = { x: 0, y: 0, scale: 1, width: 1, height: 1 };
  private view: View = this.home;
  private atHome = true;
  private tool: Tool = 'pan';
  private way: number[] = [];
  private from: number | null = null; // where a link begins
  private pointer: { x: number; y: number } | null = null;
  private under: number | null = null;
  private cannot = false; // X is held: a link means apart

  private frame = 0;
  private rest = 0;
  private moving = false;
  private points = true; // to be drawn in the next frame, not only what lies over them
  private tween: { from: View; to: View; begun: number } | null = null;
  private quickCount = FIRST;
  private drawn = 0;
  private lasso = 0;

  constructor(private readonly host: HTMLElement, private readonly o: PlotOptions) {
    const s = this.surface;
    s.tabIndex = 0;
    s.className = 'plot-surface';
    s.setAttribute('role', 'application');
    s.setAttribute('aria-roledescription', 'plot');
    s.setAttribute('aria-label', 'Plot of the points. Arrow keys move it, plus and minus zoom.');
    Object.assign(s.style, { position: 'absolute', inset: '0', overflow: 'hidden', touchAction: 'none', cursor: 'grab' });
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    host.append(s);
    this.scene = new Scene(themeOf(host, false));
    this.painter = new Painter(s);
    this.listener = new Listener(s, {
      begins: (x, y) => this.begins(x, y),
      pan: (dx, dy) => this.setView(panned(this.view, dx, dy)),
      zoom: (f, x, y) => this.zoom(f, x, y),
      draw: (x, y) => this.draw(x, y),
      drawn: (m) => this.ended(m),
      cancelled: () => this.cancelled(),
      click: (x, y, m) => this.click(x, y, m),
      hover: (x, y) => this.hover(x, y),
      left: () => this.hover(null, 0),
      moved: () => this.settle(),
    });
    addEventListener('keydown', this.keyDown);
    addEventListener('keyup', this.keyUp);
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(host);
    this.resize();
  }

  // What is shown.

  // setPoints shows points; with keep the part of the plane that is shown stays, unless all was shown and
  // nothing is being drawn: then all is shown again.
  setPoints(x: Float32Array, y: Float32Array, keep = false): void {
    this.scene.setPoints(x, y);
    this.from = this.under = null;
    this.quickCount = FIRST;
    if (keep && (!this.atHome || this.way.length > 0)) this.change();
    else this.fit(false);
  }

  // setLabels never moves the points.
  setLabels(clusters: Uint8Array | Uint16Array, flags: Uint8Array, none: number): void {
    this.scene.setLabels({ clusters, flags, none });
    this.change();
  }

  setPalette(colours: string[], dark: boolean): void {
    this.scene.theme = themeOf(this.host, dark);
    this.scene.palette = colours.map(resolved);
    this.change();
  }

  setNames(names: { index: number; text: string }[]): void {
    this.scene.names = names;
    this.redraw();
  }

  // setOutlines shows or hides an outline around each cluster.
  setOutlines(on: boolean): void {
    this.scene.outlined = on;
    this.redraw();
  }

  setColourBy(how: ColourBy): void {
    this.scene.by = how;
    this.change();
  }

  setSelection(points: Uint32Array | null): void {
    this.scene.selection = points && points.length > 0 ? ascending(points) : null;
    this.change();
  }

  setHighlight(points: Uint32Array | null): void {
    this.scene.highlight = points && points.length > 0 ? ascending(points) : null;
    this.change();
  }

  // setLinks are drawn for the selected points, or all if they are few.
  setLinks(links: Link[]): void {
    this.scene.links = links;
    this.change();
  }

  setEdges(a: Uint32Array, b: Uint32Array): void {
    this.scene.edgesA = a;
    this.scene.edgesB = b;
    this.redraw(true);
  }

  setCompare(before: Assignment | null, share: number): void {
    const other = before?.clusters !== this.scene.before?.clusters;
    this.scene.before = before;
    this.scene.share = share;
    if (other) this.change();
    else this.redraw(true);
  }

  // setHidden leaves out clusters; -1 stands for points without one.
  setHidden(clusters: Set<number>): void {
    this.scene.hidden = new Set(clusters);
    this.change();
  }

  setTool(t: Tool): void {
    this.tool = t;
    this.from = null;
    this.way = [];
    this.surface.style.cursor = t === 'pan' ? 'grab' : 'crosshair';
    this.redraw();
  }

  legend(): ReturnType<Scene['legend']> {
    return this.scene.legend();
  }

  // The view.

  fit(smooth = true): void {
    this.home = fitted(this.scene.bounds, this.view.width, this.view.height);
    this.go(this.home, smooth);
    this.atHome = true;
  }

  zoomTo(points: Uint32Array): void {
    if (points.length === 0) return;
    const goal = fitted(boundsOf(this.scene.x, this.scene.y, points), this.view.width, this.view.height, 60);
    goal.scale = Math.min(goal.scale, this.home.scale * 12); // one point alone, or two at one place
    this.go(goal, true);
  }

  zoomBy(factor: number): void {
    this.zoom(factor, this.view.width / 2, this.view.height / 2);
  }

  // pointAt returns the point that is meant by a pixel of the host, or null.
  pointAt(px: number, py: number): number | null {
    const [x, y] = placeAt(this.view, px, py);
    return this.scene.nearest(x, y, REACH / this.view.scale);
  }

  // pixelOf returns where a point is seen, in pixels of the host.
  pixelOf(point: number): [number, number] {
    const p = projection(this.view);
    return [this.scene.x[point] * p.ax + p.bx, this.scene.y[point] * p.ay + p.by];
  }

  // clusterOf returns the cluster of a point, null without one.
  clusterOf(point: number): number | null {
    const l = this.scene.labels, c = l?.clusters[point];
    return l && c !== undefined && c !== l.none ? c : null;
  }

  // stats of the last movement: frames a second and milliseconds of drawing for each; how many points the last
  // picture has; milliseconds of the last selection by area.
  stats(): { fps: number; ms: number; drawn: number; lasso: number } {
    return { ...this.counter.stats(), drawn: this.drawn, lasso: this.lasso };
  }

  snapshot(): Promise<Blob> {
    this.paint(false, true);
    return this.painter.picture();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    removeEventListener('keydown', this.keyDown);
    removeEventListener('keyup', this.keyUp);
    this.watcher.disconnect();
    this.listener.destroy();
    this.surface.remove();
  }

  private setView(v: View): void {
    this.tween = null;
    this.view = v;
    this.atHome = false;
    this.move();
  }

  private zoom(factor: number, x: number, y: number): void {
    this.setView(zoomed(this.view, factor, x, y, this.home.scale / 4, this.home.scale * 4000));
  }

  private go(to: View, smooth: boolean): void {
    this.atHome = false;
    if (smooth && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.tween = { from: this.view, to, begun: performance.now() };
    } else {
      this.tween = null;
      this.view = to;
    }
    this.move();
  }

  private resize(): void {
    const width = Math.max(this.host.clientWidth, 1), height = Math.max(this.host.clientHeight, 1);
    const stay = this.atHome;
    this.tween = null;
    this.painter.resize(width, height, devicePixelRatio || 1);
    this.view = resized(this.view, width, height);
    this.home = fitted(this.scene.bounds, width, height);
    if (stay) this.view = this.home;
    this.atHome = stay;
    this.paint(false, true); // at once: a canvas of another size is empty
    this.o.onView?.();
  }

  // What the user does.

  private begins(x: number, y: number): 'pan' | 'draw' {
    this.hover(null, 0);
    if (this.tool === 'link') this.from = this.pointAt(x, y);
    return this.tool === 'pan' || (this.tool === 'link' && this.from === null) ? 'pan' : 'draw';
  }

  private draw(x: number, y: number): void {
    this.way.push(x, y);
    this.pointer = { x, y };
    this.redraw();
  }

  private ended(m: Modifiers): void {
    const way = this.way, from = this.from;
    this.way = [];
    if (this.tool === 'link') {
      this.from = null;
      const to = this.pointAt(way[way.length - 2], way[way.length - 1]);
      if (from !== null && to !== null && from !== to) this.o.onLink(from, to, this.cannot || m.alt ? 'cannot' : 'must');
      this.redraw();
      return;
    }
    const begun = performance.now();
    const area = this.area(way);
    const chosen = combined(this.scene.selection, area, m.alt ? 'subtract' : m.shift ? 'add' : 'replace');
    this.lasso = performance.now() - begun;
    this.setSelection(chosen);
    this.o.onSelect(chosen);
  }

  // area returns the points that the way of the pointer encloses or touches.
  private area(way: number[]): Uint32Array {
    const mask = emptyMask(Math.ceil(this.view.width), Math.ceil(this.view.height));
    if (this.tool === 'rectangle') fillRectangle(mask, way[0], way[1], way[way.length - 2], way[way.length - 1]);
    else if (this.tool === 'brush') fillStroke(mask, way, BRUSH);
    else fillPolygon(mask, way);
    const s = this.scene;
    s.refresh();
    return pointsInside(mask, s.x, s.y, s.colours, projection(this.view));
  }

  private cancelled(): void {
    this.way = [];
    this.from = null;
    this.redraw();
  }

  private click(x: number, y: number, m: Modifiers): void {
    const point = this.pointAt(x, y);
    if (this.tool !== 'link') {
      this.o.onClick(point, m);
      return;
    }
    // Without dragging: a click at each end.
    const from = this.from;
    this.from = from === null || point === null ? point : null;
    if (from !== null && point !== null && point !== from) this.o.onLink(from, point, this.cannot || m.alt ? 'cannot' : 'must');
    this.pointer = { x, y };
    this.redraw();
  }

  private hover(x: number | null, y: number): void {
    this.pointer = x === null ? null : { x, y };
    const under = x === null ? null : this.pointAt(x, y);
    if (under === null && this.under === null && this.from === null) return;
    if (under !== this.under) this.o.onHover(under, x ?? 0, y);
    this.under = under;
    this.redraw();
  }

  private meansApart(e: KeyboardEvent): boolean {
    return this.o.isCannotKey ? this.o.isCannotKey(e) : e.key.toLowerCase() === 'x';
  }

  private readonly keyDown = (e: KeyboardEvent): void => {
    if (this.meansApart(e)) this.cannot = true;
    if (e.key === 'Escape' && this.tool === 'link' && this.from !== null) this.cancelled();
  };

  private readonly keyUp = (e: KeyboardEvent): void => {
    if (this.meansApart(e)) this.cannot = false;
  };

  // Drawing. A movement draws a part of the points in each frame, and all when it has ended.

  private change(): void {
    this.scene.changed();
    this.redraw(true);
  }

  private redraw(points = false): void {
    this.points ||= points;
    if (this.frame === 0) this.frame = requestAnimationFrame(this.next);
  }

  private move(): void {
    this.moving = true;
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.settle(), REST);
    this.redraw(true);
  }

  private settle(): void {
    if (!this.moving || this.tween) return;
    clearTimeout(this.rest);
    this.moving = false;
    this.redraw(true);
  }

  private readonly next = (now: number): void => {
    this.frame = 0;
    if (this.tween) {
      const t = Math.min(Math.max((now - this.tween.begun) / TWEEN, 0), 1);
      this.view = t < 1 ? between(this.tween.from, this.tween.to, t * t * (3 - 2 * t)) : { ...this.tween.to };
      if (t === 1) this.tween = null;
      this.move();
    }
    const begun = performance.now(), moving = this.moving, points = this.points;
    this.points = false;
    this.paint(moving, points);
    if (!moving) return;
    const end = performance.now();
    this.counter.frame(end, end - begun);
    this.o.onView?.();
    // As many points as there is time for.
    const factor = Math.min(Math.max(BUDGET / Math.max(end - begun, 1), 0.5), 1.5);
    this.quickCount = Math.min(Math.max(Math.round(this.quickCount * factor), FEWEST), Math.max(this.scene.x.length, FEWEST));
  };

  private paint(quickly: boolean, points: boolean): void {
    const s = this.scene, n = s.x.length;
    s.refresh();
    if (points) {
      this.drawn = quickly ? Math.min(this.quickCount, n) : n;
      this.painter.points(s, this.view, this.view.scale / this.home.scale, this.drawn, quickly);
    }
    const { tool, from, way, pointer } = this;
    this.painter.overlay(s, this.view, {
      area: way.length > 0 && tool !== 'pan' && tool !== 'link' ? { tool, way, radius: BRUSH } : null,
      link: tool === 'link' && from !== null && pointer ? { from, x: pointer.x, y: pointer.y, cannot: this.cannot } : null,
      under: this.under,
    });
  }
}
