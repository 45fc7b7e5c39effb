import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawLine } from '../../src/plot/lines';
import { mixed, parsed, pixel, ramp } from '../../src/plot/pixels';
import { sizeOf, splat, splatSome, stampOf } from '../../src/plot/splat';

const unit = { ax: 1, bx: 0, ay: 1, by: 0 };
const white = pixel(255, 255, 255), red = pixel(255, 0, 0), blue = pixel(0, 0, 255);
const target = (width = 20, height = 20) => ({ pixels: new Uint32Array(width * height).fill(white), width, height });
const cloud = (x: number[], y: number[], colours: number[], before = colours, split = 0) => ({
  x: Float32Array.from(x), y: Float32Array.from(y), colours: Uint32Array.from(colours), before: Uint32Array.from(before), split, ground: white,
});
const painted = (t: { pixels: Uint32Array }) => t.pixels.reduce((n, p) => n + (p === white ? 0 : 1), 0);

test('every size puts its colour where the point is, and only there', () => {
  for (let size = 1; size <= 14; size++) {
    const t = target();
    splat(t, cloud([10], [10], [red]), 1, unit, size);
    assert.equal(t.pixels[10 * 20 + 10], red, `size ${size}`);
    assert.ok(painted(t) >= Math.min(size, 4) && painted(t) <= (size + 2) ** 2, `size ${size} paints ${painted(t)} pixels`);
  }
});

test('a disc covers its area', () => {
  for (const size of [4, 5, 8, 13]) {
    const s = stampOf(size);
    const area = s.cover.reduce((a, b) => a + b, 0) / 256;
    assert.ok(Math.abs(area - Math.PI * size * size / 4) < 0.05 * area, `size ${size}: ${area}`);
  }
});

test('points that are hidden, beside the picture or beyond the count are not drawn', () => {
  for (const size of [1, 2, 3, 6]) {
    const t = target();
    splat(t, cloud([5, -30, 50, 10, 10, 12], [5, 10, 10, -30, 60, 12], [0, red, red, red, red, red]), 5, unit, size);
    assert.equal(painted(t), 0, `size ${size}`);
  }
});

test('nothing is written beside the picture at its rim', () => {
  for (const size of [1, 2, 3, 6]) {
    const t = target();
    splat(t, cloud([0, 19.9, 0, 19.9], [0, 0, 19.9, 19.9], [red, red, red, red]), 4, unit, size);
    for (let y = 4; y < 16; y++) for (let x = 0; x < 20; x++) assert.equal(t.pixels[y * 20 + x], white, `size ${size} wraps around at ${x}, ${y}`);
  }
});

test('before is shown left of the split, after right of it', () => {
  for (const size of [1, 3, 5]) {
    const t = target();
    splat(t, cloud([4, 15], [10, 10], [red, red], [blue, blue], 10), 2, unit, size);
    assert.equal(t.pixels[10 * 20 + 4], blue);
    assert.equal(t.pixels[10 * 20 + 15], red);
  }
});

test('selected points have a rim, up to the limit', () => {
  const t = target(), c = cloud([5, 15], [10, 10], [red, red]);
  splatSome(t, c, Uint32Array.of(0, 1, 99), 1, unit, 3, blue);
  assert.equal(t.pixels[10 * 20 + 5], red);
  assert.ok(t.pixels.includes(blue));
  assert.equal(t.pixels[10 * 20 + 15], white);
});

test('more points are smaller, and larger when zoomed in', () => {
  assert.ok(sizeOf(100, 1, 1) > sizeOf(10000, 1, 1) && sizeOf(10000, 1, 1) > sizeOf(1000000, 1, 1));
  assert.equal(sizeOf(1000000, 1, 1), 1);
  assert.ok(sizeOf(1000000, 30, 1) > 1);
});

test('colours', () => {
  assert.equal(parsed('#f00'), red);
  assert.equal(parsed('#0000FF'), blue);
  assert.equal(parsed('red'), null);
  assert.equal(mixed(white, red, 256), red);
  assert.equal(mixed(white, red, 0), white);
  assert.equal(mixed(pixel(0, 0, 0), pixel(200, 100, 50), 128), pixel(100, 50, 25));
  assert.equal(ramp([red, blue, white], 0), red);
  assert.equal(ramp([red, blue, white], 0.5), blue);
  assert.equal(ramp([red, blue, white], 2), white);
});

test('lines are cut at the sides and connect their ends', () => {
  const t = target();
  drawLine(t, -100, 10, 100, 10, red, 256);
  assert.equal(painted(t), 20);
  drawLine(t, 0, 0, 19, 19, blue, 256);
  for (let i = 0; i < 20; i++) assert.equal(t.pixels[i * 20 + i], blue);
  const none = target();
  drawLine(none, -5, -5, -1, 40, red, 256);
  drawLine(none, NaN, 1, 5, 5, red, 256);
  assert.equal(painted(none), 0);
});
