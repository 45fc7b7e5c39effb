// How many frames a second were drawn while the picture moved, and how long each took.

export class Counter {
  private readonly ends = new Float64Array(120);
  private readonly costs = new Float64Array(120);
  private count = 0;

  // frame notes a frame that was drawn in cost milliseconds and ended at a time.
  frame(end: number, cost: number): void {
    const last = this.count > 0 ? this.ends[(this.count - 1) % 120] : 0;
    if (end - last > 250) this.count = 0; // the picture stood still
    this.ends[this.count % 120] = end;
    this.costs[this.count % 120] = cost;
    this.count++;
  }

  // stats of the last movement: frames a second, and the mean cost of a frame.
  stats(): { fps: number; ms: number } {
    const n = Math.min(this.count, 120);
    if (n === 0) return { fps: 0, ms: 0 };
    let sum = 0;
    for (let i = 0; i < n; i++) sum += this.costs[i];
    if (n === 1) return { fps: 0, ms: sum };
    const first = this.ends[(this.count - n) % 120], last = this.ends[(this.count - 1) % 120];
    return { fps: (n - 1) * 1000 / (last - first), ms: sum / n };
  }
}
