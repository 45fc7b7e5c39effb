// Strokes of a brush, in pixels of the picture.

export interface Stroke { label: number; size: number; points: [number, number][]; erase: boolean }

// Colours of the labels 1 to 9: those of Okabe and Ito without black, and two more.
export const COLOURS = ['#e69f00', '#0072b2', '#009e73', '#cc79a7', '#f0e442', '#56b4e9', '#d55e00', '#9467bd', '#ffffff'];

export function colourOf(colours: readonly string[], label: number): string {
  return colours[(label - 1) % colours.length] ?? COLOURS[0];
}

// thinned leaves out points that are nearer than step to the one before; the last one stays.
export function thinned(points: readonly [number, number][], step: number): [number, number][] {
  const out: [number, number][] = [];
  points.forEach((p, i) => {
    const last = out[out.length - 1];
    if (!last || i === points.length - 1 || Math.hypot(p[0] - last[0], p[1] - last[1]) >= step) out.push(p);
  });
  return out;
}

// drawStroke draws a stroke; what is erased becomes transparent.
export function drawStroke(g: CanvasRenderingContext2D, s: Stroke, colours: readonly string[]): void {
  if (s.points.length === 0) return;
  g.save();
  g.globalCompositeOperation = s.erase ? 'destination-out' : 'source-over';
  g.strokeStyle = colourOf(colours, s.label);
  g.lineWidth = s.size;
  g.lineCap = g.lineJoin = 'round';
  g.beginPath();
  g.moveTo(s.points[0][0], s.points[0][1]);
  for (const [x, y] of s.points) g.lineTo(x, y);
  if (s.points.length === 1) g.lineTo(s.points[0][0] + 0.01, s.points[0][1]);
  g.stroke();
  g.restore();
}
