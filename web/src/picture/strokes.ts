// A picture with strokes on it and the mask that follows from them: a class without a
// framework. Strokes are given in pixels of the picture, whatever the zoom.

import { Listener } from '../plot/gestures';
import { parsed } from '../plot/pixels';
import { contained, inPicture, keptInSight, layerSize, zoomedAbout, type Framing } from './framing';
import { COLOURS, colourOf, drawStroke, thinned, type Stroke } from './stroke';
import { tintMask } from './tint';

export type { Stroke } from './stroke';

export interface PictureOptions { onStroke(s: Stroke): void }

export class StrokePicture {
  private readonly surface = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly strokeLayer = document.createElement('canvas');
  private maskLayer: HTMLCanvasElement | null = null;
  private readonly listener: Listener;
  private readonly watcher: ResizeObserver;

  private image: ImageBitmap | null = null;
  private url = '';
  private maskURL: string | null = null;
  private width = 1;
  private height = 1;
  private layerScale = 1;
  private framing: Framing = { x: 0, y: 0, scale: 1 };
  private whole = true; // the whole picture is shown, also after a change of size

  private label = 1;
  private size = 20;
  private erase = false;
  private opacity = 0.5;
  private colours: readonly string[] = COLOURS;
  private strokes: Stroke[] = [];
  private now: [number, number][] = [];
  private pointer: { x: number; y: number } | null = null;
  private frame = 0;
  private count = 0;
  private cost = 0;

  constructor(private readonly host: HTMLElement, private readonly o: PictureOptions) {
    const s = this.surface;
    s.tabIndex = 0;
    s.className = 'picture-surface';
    s.setAttribute('role', 'application');
    s.setAttribute('aria-roledescription', 'picture');
    s.setAttribute('aria-label', 'The image. Draw with the pointer; arrow keys move it, plus and minus zoom; with the space bar held, dragging moves it.');
    Object.assign(s.style, { position: 'absolute', inset: '0', overflow: 'hidden', touchAction: 'none', cursor: 'none' });
    Object.assign(this.canvas.style, { position: 'absolute', left: '0', top: '0', width: '100%', height: '100%', display: 'block' });
    this.canvas.setAttribute('aria-hidden', 'true');
    s.append(this.canvas);
    if (getComputedStyle(host).position === 'static') host.style.position = 'relative';
    host.append(s);
    this.listener = new Listener(s, {
      begins: () => 'draw',
      pan: (dx, dy) => this.setFraming({ ...this.framing, x: this.framing.x + dx, y: this.framing.y + dy }),
      zoom: (f, x, y) => this.zoom(f, x, y),
      draw: (x, y) => this.draw(x, y),
      drawn: () => this.ended(),
      cancelled: () => this.cancelled(),
      click: (x, y) => { this.draw(x, y); this.ended(); },
      hover: (x, y) => { this.pointer = { x, y }; this.redraw(); },
      left: () => { this.pointer = null; this.redraw(); },
      moved: () => this.redraw(),
    });
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(host);
    this.resize();
  }

  // setImage shows a picture of so many pixels; the address may give a smaller version of it.
  setImage(url: string, width: number, height: number): void {
    if (url === this.url) return;
    this.url = url;
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.image?.close();
    this.image = this.maskLayer = null;
    this.strokes = [];
    const l = layerSize(this.width, this.height);
    this.layerScale = l.scale;
    this.strokeLayer.width = l.width;
    this.strokeLayer.height = l.height;
    this.fit();
    void this.load(url).then((image) => {
      if (this.url !== url) return image?.close();
      this.image = image;
      this.redraw();
    });
  }

  // setMask lays the mask at an address over the picture; the one before stays until it has come.
  setMask(url: string | null): void {
    if (url === this.maskURL) return;
    this.maskURL = url;
    if (url === null) {
      this.maskLayer = null;
      this.redraw();
      return;
    }
    void this.load(url).then((image) => {
      if (!image || this.maskURL !== url) return;
      const c = document.createElement('canvas'), g = c.getContext('2d', { willReadFrequently: true });
      c.width = image.width;
      c.height = image.height;
      if (!g) return;
      g.drawImage(image, 0, 0);
      image.close();
      const d = g.getImageData(0, 0, c.width, c.height);
      tintMask(d.data, this.colours.map((css) => {
        const p = parsed(css) ?? 0;
        return [p & 255, (p >> 8) & 255, (p >> 16) & 255];
      }));
      g.putImageData(d, 0, 0);
      this.maskLayer = c;
      this.redraw();
    });
  }

  // setColours of the labels 1, 2, ... as #rrggbb.
  setColours(colours: readonly string[]): void {
    this.colours = colours.length > 0 ? colours : COLOURS;
    this.setStrokes(this.strokes);
  }

  setLabel(n: number): void {
    this.label = n;
    this.redraw();
  }

  setSize(px: number): void {
    this.size = Math.max(px, 1);
    this.redraw();
  }

  setErase(on: boolean): void {
    this.erase = on;
    this.redraw();
  }

  setOpacity(v: number): void {
    this.opacity = Math.min(Math.max(v, 0), 1);
    this.redraw();
  }

  // setStrokes replaces all strokes, in the order in which they were drawn.
  setStrokes(strokes: Stroke[]): void {
    this.strokes = strokes;
    const g = this.onStrokes();
    if (!g) return;
    g.clearRect(0, 0, this.width, this.height);
    for (const s of strokes) drawStroke(g, s, this.colours);
    this.redraw();
  }

  fit(): void {
    this.framing = contained(this.width, this.height, this.host.clientWidth, this.host.clientHeight);
    this.whole = true;
    this.redraw();
  }

  zoomBy(factor: number): void {
    this.zoom(factor, this.host.clientWidth / 2, this.host.clientHeight / 2);
  }

  // pixelOf returns where a place of the picture is seen, in pixels of the host.
  pixelOf(x: number, y: number): [number, number] {
    return [this.framing.x + x * this.framing.scale, this.framing.y + y * this.framing.scale];
  }

  // stats: how many frames were drawn, and the mean milliseconds of one.
  stats(): { frames: number; ms: number } {
    return { frames: this.count, ms: this.count > 0 ? this.cost / this.count : 0 };
  }

  // snapshot returns picture, mask and strokes as a PNG, at the resolution of the layers.
  snapshot(): Promise<Blob> {
    const c = document.createElement('canvas'), g = c.getContext('2d');
    c.width = this.strokeLayer.width;
    c.height = this.strokeLayer.height;
    if (g) this.layers(g, c.width, c.height);
    return new Promise((done, failed) => c.toBlob((b) => b ? done(b) : failed(new Error('the browser could not make the image')), 'image/png'));
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.watcher.disconnect();
    this.listener.destroy();
    this.image?.close();
    this.surface.remove();
    this.url = '';
    this.maskURL = null;
  }

  private async load(url: string): Promise<ImageBitmap | null> {
    try {
      const answer = await fetch(url, { credentials: 'same-origin' });
      return answer.ok ? await createImageBitmap(await answer.blob(), { colorSpaceConversion: 'none' }) : null;
    } catch {
      return null; // the next state of the server brings another address
    }
  }

  private onStrokes(): CanvasRenderingContext2D | null {
    const g = this.strokeLayer.getContext('2d');
    g?.setTransform(this.layerScale, 0, 0, this.layerScale, 0, 0);
    return g;
  }

  private draw(x: number, y: number): void {
    this.pointer = { x, y };
    this.now.push(inPicture(this.framing, x, y, this.width, this.height));
    this.redraw();
  }

  private ended(): void {
    const s = { label: this.label, size: this.size, points: thinned(this.now, Math.max(this.size / 8, 0.5)), erase: this.erase };
    this.now = [];
    this.strokes = [...this.strokes, s];
    const g = this.onStrokes();
    if (g) drawStroke(g, s, this.colours);
    this.redraw();
    this.o.onStroke(s);
  }

  private cancelled(): void {
    this.now = [];
    this.redraw();
  }

  private zoom(factor: number, x: number, y: number): void {
    const least = contained(this.width, this.height, this.host.clientWidth, this.host.clientHeight).scale / 2;
    this.setFraming(zoomedAbout(this.framing, factor, x, y, least, Math.max(32, 2 * least)));
  }

  private setFraming(f: Framing): void {
    this.framing = keptInSight(f, this.width, this.height, this.host.clientWidth, this.host.clientHeight);
    this.whole = false;
    this.redraw();
  }

  private resize(): void {
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(Math.round(this.host.clientWidth * ratio), 1);
    this.canvas.height = Math.max(Math.round(this.host.clientHeight * ratio), 1);
    if (this.whole) this.fit();
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.paint();
  }

  private redraw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => { this.frame = 0; this.paint(); });
  }

  private layers(g: CanvasRenderingContext2D, width: number, height: number): void {
    if (this.image) g.drawImage(this.image, 0, 0, width, height);
    if (this.maskLayer && this.opacity > 0) {
      g.globalAlpha = this.opacity;
      g.imageSmoothingEnabled = false;
      g.drawImage(this.maskLayer, 0, 0, width, height);
      g.imageSmoothingEnabled = true;
      g.globalAlpha = 1;
    }
    g.drawImage(this.strokeLayer, 0, 0, width, height);
  }

  private paint(): void {
    const g = this.canvas.getContext('2d');
    if (!g) return;
    const begun = performance.now(), f = this.framing, ratio = Math.min(devicePixelRatio || 1, 2);
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.setTransform(ratio * f.scale, 0, 0, ratio * f.scale, ratio * f.x, ratio * f.y);
    this.layers(g, this.width, this.height);
    if (this.now.length > 0) {
      if (this.erase) g.globalAlpha = 0.6;
      drawStroke(g, { label: this.label, size: this.size, points: this.now, erase: false }, this.erase ? ['#ffffff'] : this.colours);
      g.globalAlpha = 1;
    }
    if (this.pointer) this.drawBrush(g, ratio);
    this.count++;
    this.cost += performance.now() - begun;
  }

  // drawBrush shows where and how wide the brush draws.
  private drawBrush(g: CanvasRenderingContext2D, ratio: number): void {
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const p = this.pointer!, radius = Math.max(this.size * this.framing.scale / 2, 2);
    for (const [width, colour] of [[3, '#000000'], [1.5, this.erase ? '#ffffff' : colourOf(this.colours, this.label)]] as const) {
      g.beginPath();
      g.arc(p.x, p.y, radius, 0, 2 * Math.PI);
      g.lineWidth = width;
      g.strokeStyle = colour;
      g.setLineDash(this.erase ? [4, 3] : []);
      g.stroke();
    }
    g.setLineDash([]);
  }
}
