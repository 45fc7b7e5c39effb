// Where a picture is seen: its upper left corner, and pixels of the surface for one of the picture.

export interface Framing { x: number; y: number; scale: number }

// contained shows the whole picture in the middle of a surface.
export function contained(width: number, height: number, surfaceWidth: number, surfaceHeight: number): Framing {
  const scale = Math.max(Math.min(surfaceWidth / Math.max(width, 1), surfaceHeight / Math.max(height, 1)), 1e-4);
  return { x: (surfaceWidth - width * scale) / 2, y: (surfaceHeight - height * scale) / 2, scale };
}

// zoomedAbout keeps what is under a pixel of the surface where it is.
export function zoomedAbout(f: Framing, factor: number, px: number, py: number, min: number, max: number): Framing {
  const scale = Math.min(Math.max(f.scale * factor, min), max);
  return { scale, x: px - (px - f.x) * scale / f.scale, y: py - (py - f.y) * scale / f.scale };
}

// kept within reach: a part of the picture stays on the surface.
export function keptInSight(f: Framing, width: number, height: number, surfaceWidth: number, surfaceHeight: number, margin = 60): Framing {
  const clamp = (v: number, low: number, high: number) => Math.min(Math.max(v, low), high);
  return {
    scale: f.scale,
    x: clamp(f.x, margin - width * f.scale, surfaceWidth - margin),
    y: clamp(f.y, margin - height * f.scale, surfaceHeight - margin),
  };
}

// inPicture returns the place of the picture under a pixel, on its rim if the pixel is beside it.
export function inPicture(f: Framing, px: number, py: number, width: number, height: number): [number, number] {
  const round = (v: number) => Math.round(v * 10) / 10;
  return [
    round(Math.min(Math.max((px - f.x) / f.scale, 0), width)),
    round(Math.min(Math.max((py - f.y) / f.scale, 0), height)),
  ];
}

// layerSize returns the size of a layer over a picture: its own, or less where it is very large.
export function layerSize(width: number, height: number, most = 4_000_000): { width: number; height: number; scale: number } {
  const scale = Math.min(1, Math.sqrt(most / Math.max(width * height, 1)));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), scale };
}
