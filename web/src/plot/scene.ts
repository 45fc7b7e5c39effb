// What is shown, without a view: points, their clusters and colours, links, edges, names.

import { CHOSEN, FOUND, colourPoints, spread, type ColourBy, type Labels } from './colouring';
import { Grid } from './grid';
import { medians, type Place } from './names';
import { outlines, type Outline } from './outlines';
import type { Link } from './overlay';
import { has } from './sets';
import type { Theme } from './theme';
import { boundsOf, type Bounds } from './view';

const MOST_LINKS = 300; // drawn without a selection

export interface Assignment { clusters: Uint8Array | Uint16Array; none: number }

export class Scene {
  x: Float32Array = new Float32Array(0);
  y: Float32Array = new Float32Array(0);
  bounds: Bounds = boundsOf(this.x, this.y);
  labels: Labels | null = null;
  before: Assignment | null = null;
  share = 0.5; // of the width that shows the assignment before
  palette: number[] = [];
  by: ColourBy = 'cluster';
  hidden: ReadonlySet<number> = new Set();
  selection: Uint32Array | null = null; // ascending
  highlight: Uint32Array | null = null; // ascending
  links: Link[] = [];
  edgesA: Uint32Array = new Uint32Array(0);
  edgesB: Uint32Array = new Uint32Array(0);
  names: { index: number; text: string }[] = [];
  outlined = false; // outlines of the clusters are shown

  colours = new Uint32Array(0);
  coloursBefore = this.colours;
  shownLinks: Link[] = [];
  private marks = new Uint8Array(0);
  private grid: Grid | null = null;
  private medians: Place[] | null = null;
  private hulls: Outline[] | null = null;
  private stale = true;

  constructor(public theme: Theme) {}

  setPoints(x: Float32Array, y: Float32Array): void {
    this.x = x;
    this.y = y;
    this.bounds = boundsOf(x, y);
    this.grid = this.medians = this.hulls = this.selection = this.highlight = this.before = null;
    this.colours = this.coloursBefore = new Uint32Array(x.length);
    this.marks = new Uint8Array(x.length);
    this.stale = true;
  }

  setLabels(l: Labels): void {
    this.labels = l;
    this.medians = this.hulls = null;
    this.stale = true;
  }

  // changed says that colours and links are to be computed again, before the next picture.
  changed(): void {
    this.stale = true;
  }

  // fits says that clusters are known for just these points.
  get fits(): boolean {
    return this.labels !== null && this.labels.clusters.length === this.x.length;
  }

  refresh(): void {
    if (!this.stale) return;
    this.stale = false;
    const { marks, selection, highlight, theme } = this;
    const some = selection !== null || highlight !== null;
    if (some) {
      marks.fill(0);
      for (const i of highlight ?? []) marks[i] |= FOUND;
      for (const i of selection ?? []) marks[i] |= CHOSEN;
    }
    const scheme = { palette: this.palette, ground: theme.ground, grey: theme.grey, stops: theme.stops };
    const wish = { by: this.by, hidden: this.hidden, marks: some ? marks : null };
    colourPoints(this.colours, this.x, this.y, this.labels, scheme, wish);
    if (this.before && this.fits && this.before.clusters.length === this.x.length) {
      if (this.coloursBefore === this.colours) this.coloursBefore = new Uint32Array(this.x.length);
      colourPoints(this.coloursBefore, this.x, this.y, { ...this.before, flags: this.labels!.flags }, scheme, wish);
    } else {
      this.before = null;
      this.coloursBefore = this.colours;
    }
    this.shownLinks = this.linksToShow();
  }

  // linksToShow are those of the selected points; without a selection all if they are few, else those violated.
  private linksToShow(): Link[] {
    const n = this.x.length, { selection, links, colours } = this;
    const seen = links.filter((l) => l.a < n && l.b < n && colours[l.a] !== 0 && colours[l.b] !== 0);
    if (selection) return seen.filter((l) => has(selection, l.a) || has(selection, l.b)).slice(0, 2000);
    return seen.length <= MOST_LINKS ? seen : seen.filter((l) => l.violated).slice(0, MOST_LINKS);
  }

  // places returns the medians of the clusters that are shown.
  places(): Place[] {
    if (!this.fits) return [];
    this.medians ??= medians(this.x, this.y, this.labels!.clusters, this.labels!.none);
    return this.hidden.size === 0 ? this.medians : this.medians.filter((p) => !this.hidden.has(p.index));
  }

  // outlines returns those of the clusters that are shown; none unless they are wanted.
  outlines(): Outline[] {
    if (!this.outlined || !this.fits) return [];
    this.hulls ??= outlines(this.x, this.y, this.labels!.clusters, this.labels!.none);
    return this.hidden.size === 0 ? this.hulls : this.hulls.filter((o) => !this.hidden.has(o.index));
  }

  // nearest returns the point that is shown nearest to a place within a radius, or null.
  nearest(x: number, y: number, radius: number): number | null {
    if (this.x.length === 0) return null;
    this.refresh();
    this.grid ??= new Grid(this.x, this.y, this.bounds);
    const i = this.grid.nearest(x, y, radius, this.colours);
    return i < 0 ? null : i;
  }

  // legend counts the points of each cluster, all and those selected; the last entries are of points without one.
  legend(): { total: Uint32Array; selected: Uint32Array; values: { low: number; high: number; title: string } | null } {
    const l = this.labels;
    let k = 0;
    if (l) for (const c of l.clusters) if (c !== l.none && c >= k) k = c + 1;
    const total = new Uint32Array(k + 1), selected = new Uint32Array(k + 1);
    if (l) {
      for (const c of l.clusters) total[c === l.none ? k : c]++;
      for (const i of this.selection ?? []) selected[l.clusters[i] === l.none ? k : l.clusters[i]]++;
    }
    if (typeof this.by !== 'object') return { total, selected, values: null };
    const [low, high] = spread(this.by.values);
    return { total, selected, values: { low, high, title: this.by.title } };
  }
}
