// Pixels as whole numbers: red, green, blue and alpha in the bytes of a Uint32Array
// over the bytes of an ImageData, on a machine that stores the lowest byte first.

export function pixel(r: number, g: number, b: number): number {
  return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
}

// css returns a pixel as CSS writes colours.
export function css(p: number): string {
  return `rgb(${p & 255} ${(p >>> 8) & 255} ${(p >>> 16) & 255})`;
}

// mixed is under with share/256 of over.
export function mixed(under: number, over: number, share: number): number {
  const rest = 256 - share;
  const rb = (((over & 0xff00ff) * share + (under & 0xff00ff) * rest) >>> 8) & 0xff00ff;
  const g = (((over & 0xff00) * share + (under & 0xff00) * rest) >>> 8) & 0xff00;
  return (0xff000000 | rb | g) >>> 0;
}

// ramp returns the colour at t, from 0 to 1, between equally spaced stops.
export function ramp(stops: readonly number[], t: number): number {
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const i = Math.min(Math.floor(at), stops.length - 2);
  return mixed(stops[i], stops[i + 1], Math.round((at - i) * 256));
}

// parsed reads #rgb and #rrggbb; other notations are for the browser to resolve.
export function parsed(css: string): number | null {
  const m = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(css.trim());
  if (!m) return null;
  const h = m[1].length === 3 ? m[1].replace(/./g, (c) => c + c) : m[1];
  return pixel(parseInt(h.slice(0, 2), 16), parseInt(h.slice(2, 4), 16), parseInt(h.slice(4, 6), 16));
}

// A Target is what is drawn on.
export interface Target { pixels: Uint32Array; width: number; height: number }
