import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyMask, fillPolygon, fillRectangle, fillStroke, pointsInside } from '../../src/plot/mask';

const unit = { ax: 1, bx: 0, ay: 1, by: 0 };
const count = (inside: Uint8Array) => inside.reduce((a, b) => a + b, 0);

// winding is how often the line goes around a place, counted where a ray to the right crosses it.
function winding(corners: number[], px: number, py: number): number {
  let w = 0;
  for (let i = 0; i < corners.length; i += 2) {
    const j = (i + 2) % corners.length;
    const [x0, y0, x1, y1] = [corners[i], corners[i + 1], corners[j], corners[j + 1]];
    if ((y0 <= py) !== (y1 <= py) && x0 + (py - y0) / (y1 - y0) * (x1 - x0) > px) w += y0 <= py ? 1 : -1;
  }
  return w;
}

test('polygons agree with the winding number of every pixel', () => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 40; round++) {
    const corners = Array.from({ length: 2 * (3 + Math.floor(random() * 9)) }, () => random() * 60 - 10);
    const m = emptyMask(40, 35);
    fillPolygon(m, corners);
    for (let y = 0; y < 35; y++) {
      for (let x = 0; x < 40; x++) {
        assert.equal(m.inside[y * 40 + x], winding(corners, x + 0.5, y + 0.5) !== 0 ? 1 : 0, `pixel ${x}, ${y} of round ${round}`);
      }
    }
  }
});

test('a lasso that goes around twice has no hole', () => {
  const m = emptyMask(20, 20), square = [2, 2, 18, 2, 18, 18, 2, 18];
  fillPolygon(m, [...square, ...square]);
  assert.equal(count(m.inside), 16 * 16);
});

test('rectangles in any direction, cut at the sides', () => {
  for (const [x0, y0, x1, y1] of [[2, 3, 5, 7], [5, 7, 2, 3], [5, 3, 2, 7]]) {
    const m = emptyMask(10, 10);
    fillRectangle(m, x0, y0, x1, y1);
    assert.equal(count(m.inside), 4 * 5);
    assert.equal(m.inside[3 * 10 + 2], 1);
    assert.equal(m.inside[7 * 10 + 5], 1);
  }
  const m = emptyMask(10, 10);
  fillRectangle(m, -50, -50, 50, 50);
  assert.equal(count(m.inside), 100);
});

test('a brush touches what is near its way', () => {
  const m = emptyMask(50, 50);
  fillStroke(m, [10, 25, 40, 25], 5);
  assert.equal(m.inside[25 * 50 + 25], 1);
  assert.equal(m.inside[25 * 50 + 6], 1);
  assert.equal(m.inside[32 * 50 + 25], 0);
  assert.equal(m.inside[25 * 50 + 47], 0);
  const dot = emptyMask(50, 50);
  fillStroke(dot, [25, 25], 5);
  assert.ok(Math.abs(count(dot.inside) - Math.PI * 25) < 8, 'a touch is a disc');
});

test('points inside, without those hidden, outside or without a place', () => {
  const m = emptyMask(10, 10);
  fillRectangle(m, 0, 0, 4, 9);
  const x = Float32Array.of(1, 8, 3, NaN, 2, -3, 4.9), y = Float32Array.of(1, 1, 3, 1, 2, 1, 9.9);
  const shown = Uint32Array.of(9, 9, 9, 0, 0, 9, 9);
  assert.deepEqual([...pointsInside(m, x, y, shown, unit)], [0, 2, 6]);
});
