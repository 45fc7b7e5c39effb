// Pointers, wheel and keys into what is meant: moving the view, drawing an area,
// pointing. Coordinates are CSS pixels from the upper left corner of the surface.

export interface Modifiers { shift: boolean; alt: boolean }

export interface Gestures {
  // begins returns what dragging from here does.
  begins(x: number, y: number): 'pan' | 'draw';
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  draw(x: number, y: number): void; // one more place of the way that began
  drawn(m: Modifiers): void; // the way has ended
  cancelled(): void; // the way does not count
  click(x: number, y: number, m: Modifiers): void;
  hover(x: number, y: number): void;
  left(): void;
  moved(): void; // a movement by hand has ended
}

const SLACK = 4; // pixels that a click may slip

export class Listener {
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private doing: 'nothing' | 'pressed' | 'pan' | 'draw' | 'pinch' = 'nothing';
  private start = { x: 0, y: 0 };
  private spread = 0;
  private space = false;
  private readonly off: (() => void)[] = [];

  constructor(private readonly surface: HTMLElement, private readonly to: Gestures) {
    this.on('pointerdown', (e) => this.down(e));
    this.on('pointermove', (e) => this.move(e));
    this.on('pointerup', (e) => this.up(e, true));
    this.on('pointercancel', (e) => this.up(e, false));
    this.on('pointerleave', () => { if (this.doing === 'nothing') to.left(); });
    this.on('wheel', (e) => this.wheel(e));
    this.on('keydown', (e) => this.key(e));
    this.on('keyup', (e) => { if (e.key === ' ') this.space = false; });
    this.on('blur', () => { this.space = false; });
    this.on('contextmenu', (e) => { if (this.doing !== 'nothing') e.preventDefault(); });
  }

  private on<K extends keyof HTMLElementEventMap>(name: K, f: (e: HTMLElementEventMap[K]) => void): void {
    this.surface.addEventListener(name, f, { passive: false });
    this.off.push(() => this.surface.removeEventListener(name, f));
  }

  destroy(): void {
    for (const f of this.off) f();
  }

  private at(e: MouseEvent): { x: number; y: number } {
    const r = this.surface.getBoundingClientRect();
    return { x: e.clientX - r.left, y: e.clientY - r.top };
  }

  private down(e: PointerEvent): void {
    const p = this.at(e);
    this.surface.focus({ preventScroll: true });
    this.surface.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, p);
    if (this.pointers.size === 2) {
      if (this.doing === 'draw') this.to.cancelled();
      this.doing = 'pinch';
      this.spread = this.distance();
      return;
    }
    this.start = p;
    if (e.button !== 0 || this.space) this.doing = 'pan';
    else this.doing = 'pressed';
  }

  private move(e: PointerEvent): void {
    const p = this.at(e), old = this.pointers.get(e.pointerId);
    if (!old) {
      this.to.hover(p.x, p.y);
      return;
    }
    if (this.doing === 'pinch') {
      this.pinch(e.pointerId, p);
      return;
    }
    if (this.doing === 'pressed') {
      if (Math.hypot(p.x - this.start.x, p.y - this.start.y) < SLACK) return;
      this.doing = this.to.begins(this.start.x, this.start.y);
      if (this.doing === 'draw') this.to.draw(this.start.x, this.start.y);
    }
    if (this.doing === 'pan') this.to.pan(p.x - old.x, p.y - old.y);
    if (this.doing === 'draw') {
      // The places between two frames too: a quick lasso stays round.
      const all = e.getCoalescedEvents?.() ?? [];
      for (const c of all.length > 0 ? all : [e]) {
        const q = this.at(c);
        this.to.draw(q.x, q.y);
      }
    }
    this.pointers.set(e.pointerId, p);
  }

  private pinch(id: number, p: { x: number; y: number }): void {
    const before = this.middle();
    this.pointers.set(id, p);
    const after = this.middle(), spread = this.distance();
    this.to.pan(after.x - before.x, after.y - before.y);
    if (this.spread > 0 && spread > 0) this.to.zoom(spread / this.spread, after.x, after.y);
    this.spread = spread;
  }

  private distance(): number {
    const [a, b] = [...this.pointers.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  private middle(): { x: number; y: number } {
    const [a, b] = [...this.pointers.values()];
    return b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : a;
  }

  private up(e: PointerEvent, counts: boolean): void {
    if (!this.pointers.delete(e.pointerId)) return;
    const m = { shift: e.shiftKey, alt: e.altKey };
    if (this.doing === 'pressed' && counts) this.to.click(this.start.x, this.start.y, m);
    else if (this.doing === 'draw') {
      if (counts) this.to.drawn(m);
      else this.to.cancelled();
    } else if (this.doing === 'pan' || this.doing === 'pinch') this.to.moved();
    // After a pinch the other finger still lies there: it does nothing until it is lifted.
    this.doing = 'nothing';
    if (this.pointers.size > 0) this.pointers.clear();
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const p = this.at(e);
    const unit = e.deltaMode === WheelEvent.DOM_DELTA_LINE ? 18 : e.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
    const pace = e.ctrlKey ? 0.01 : 0.0018; // two fingers on a touchpad come as a wheel with Ctrl, in small steps
    this.to.zoom(Math.exp(-Math.min(Math.max(e.deltaY * unit, -400), 400) * pace), p.x, p.y);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const step = e.shiftKey ? 160 : 48;
    const { width, height } = this.surface.getBoundingClientRect();
    switch (e.key) {
      case 'ArrowLeft': this.to.pan(step, 0); break;
      case 'ArrowRight': this.to.pan(-step, 0); break;
      case 'ArrowUp': this.to.pan(0, step); break;
      case 'ArrowDown': this.to.pan(0, -step); break;
      case '+': case '=': this.to.zoom(1.25, width / 2, height / 2); break;
      case '-': case '_': this.to.zoom(0.8, width / 2, height / 2); break;
      case 'Escape':
        if (this.doing !== 'draw') return;
        this.doing = 'nothing';
        this.pointers.clear();
        this.to.cancelled();
        break;
      case ' ':
        this.space = true;
        return; // still a key of the page
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
  }
}
