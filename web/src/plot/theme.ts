// Colours of the plot, from custom properties of the page where it sets them.

import { parsed, pixel } from './pixels';
import type { Inks } from './overlay';

const LIGHT = {
  ground: '#ffffff', ink: '#1b1f24', grey: '#9aa3ad', must: '#1b1f24', cannot: '#1b1f24', warning: '#c2185b', accent: '#0b62d6', edge: '#6b7580',
};
const DARK: typeof LIGHT = {
  ground: '#161a21', ink: '#eef1f5', grey: '#68717c', must: '#eef1f5', cannot: '#eef1f5', warning: '#ff6f9f', accent: '#7db4ff', edge: '#8a94a0',
};

// From low to high; the high end is far from the ground in both.
const LIGHT_STOPS = ['#d6e2ea', '#86b6c4', '#3f86a0', '#22577a', '#0f2a4a'];
const DARK_STOPS = ['#26374d', '#33658a', '#4f9aa8', '#a5c98b', '#fff0a8'];

export interface Theme { inks: Inks; ground: number; ink: number; grey: number; edge: number; accent: number; stops: number[] }

// themeOf reads --plot-ground, --plot-ink and so on of an element.
export function themeOf(host: Element, dark: boolean): Theme {
  const style = getComputedStyle(host);
  const css = { ...(dark ? DARK : LIGHT) };
  for (const name of Object.keys(css) as (keyof typeof css)[]) {
    const given = style.getPropertyValue('--plot-' + name).trim();
    if (given) css[name] = given;
  }
  return {
    inks: css, ground: resolved(css.ground), ink: resolved(css.ink), grey: resolved(css.grey), edge: resolved(css.edge), accent: resolved(css.accent),
    stops: (dark ? DARK_STOPS : LIGHT_STOPS).map(resolved),
  };
}

let probe: CanvasRenderingContext2D | null = null;

// resolved returns a colour in any notation of CSS as a pixel.
export function resolved(css: string): number {
  const easy = parsed(css);
  if (easy !== null) return easy;
  if (!probe) {
    const c = document.createElement('canvas');
    c.width = c.height = 1;
    probe = c.getContext('2d', { willReadFrequently: true });
  }
  if (!probe) return pixel(128, 128, 128);
  probe.fillStyle = '#808080';
  probe.fillStyle = css;
  probe.fillRect(0, 0, 1, 1);
  const d = probe.getImageData(0, 0, 1, 1).data;
  return pixel(d[0], d[1], d[2]);
}
