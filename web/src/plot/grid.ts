// The point under the pointer: points are sorted into the cells of a square grid once,
// and a search looks into the few cells around a place.

import type { Bounds } from './view';

export class Grid {
  private readonly side: number;
  private readonly cell: number;
  private readonly starts: Uint32Array;
  private readonly order: Uint32Array;

  constructor(private readonly x: Float32Array, private readonly y: Float32Array, private readonly bounds: Bounds) {
    this.side = Math.min(Math.max(Math.ceil(Math.sqrt(x.length / 2)), 1), 1024);
    this.cell = Math.max(bounds.maxX - bounds.minX, bounds.maxY - bounds.minY, 1e-9) / this.side;
    this.starts = new Uint32Array(this.side * this.side + 1);
    const cells = new Int32Array(x.length);
    for (let i = 0; i < x.length; i++) {
      if (x[i] !== x[i] || y[i] !== y[i]) {
        cells[i] = -1;
        continue;
      }
      cells[i] = this.row(y[i]) * this.side + this.column(x[i]);
      this.starts[cells[i] + 1]++;
    }
    for (let c = 0; c < this.side * this.side; c++) this.starts[c + 1] += this.starts[c];
    const next = this.starts.slice(0, -1);
    this.order = new Uint32Array(this.starts[this.side * this.side]);
    for (let i = 0; i < x.length; i++) if (cells[i] >= 0) this.order[next[cells[i]]++] = i;
  }

  private column(x: number): number {
    return Math.min(Math.max(Math.floor((x - this.bounds.minX) / this.cell), 0), this.side - 1);
  }

  private row(y: number): number {
    return Math.min(Math.max(Math.floor((y - this.bounds.minY) / this.cell), 0), this.side - 1);
  }

  // nearest returns the point nearest to a place within a radius whose entry of shown is not 0, or -1;
  // among equals the one with the higher number, which is drawn on top.
  nearest(x: number, y: number, radius: number, shown: Uint32Array): number {
    let best = -1, least = radius * radius;
    const right = this.column(x + radius), bottom = this.row(y + radius);
    for (let r = this.row(y - radius); r <= bottom; r++) {
      for (let c = this.column(x - radius); c <= right; c++) {
        const at = r * this.side + c;
        for (let k = this.starts[at]; k < this.starts[at + 1]; k++) {
          const i = this.order[k];
          const dx = this.x[i] - x, dy = this.y[i] - y, d = dx * dx + dy * dy;
          if ((d < least || (d === least && i > best)) && shown[i] !== 0) {
            best = i;
            least = d;
          }
        }
      }
    }
    return best;
  }
}
