import assert from 'node:assert/strict';
import { test } from 'node:test';
import { between, boundsOf, fitted, panned, placeAt, projection, resized, zoomed, type View } from '../../src/plot/view';

const near = (a: number, b: number, by = 1e-6) => assert.ok(Math.abs(a - b) <= by, `${a} is not ${b}`);
const view: View = { x: 0.25, y: -0.5, scale: 300, width: 900, height: 600 };

test('a projection and its inverse', () => {
  const p = projection(view);
  for (const [x, y] of [[0, 0], [0.25, -0.5], [-1, 1]]) {
    const [bx, by] = placeAt(view, p.ax * x + p.bx, p.ay * y + p.by);
    near(bx, x);
    near(by, y);
  }
  near(p.ax * 0.25 + p.bx, 450);
  near(p.ay * -0.5 + p.by, 300);
  assert.ok(p.ay < 0, 'y goes up');
});

test('a projection for a screen with two pixels for one', () => {
  const one = projection(view), two = projection(view, 2);
  near(two.ax * 0.7 + two.bx, 2 * (one.ax * 0.7 + one.bx));
  near(two.ay * 0.7 + two.by, 2 * (one.ay * 0.7 + one.by));
});

test('panning moves what is under the pointer along', () => {
  const [x, y] = placeAt(view, 100, 100), moved = panned(view, 30, -20), p = projection(moved);
  near(p.ax * x + p.bx, 130);
  near(p.ay * y + p.by, 80);
});

test('zooming keeps what is under the pointer, within limits', () => {
  const [x, y] = placeAt(view, 100, 500);
  for (const factor of [1.5, 0.3, 1e9]) {
    const z = zoomed(view, factor, 100, 500, 100, 1000), p = projection(z);
    near(p.ax * x + p.bx, 100, 1e-4);
    near(p.ay * y + p.by, 500, 1e-4);
    assert.ok(z.scale >= 100 && z.scale <= 1000);
  }
});

test('bounds leave out what has no place', () => {
  const x = Float32Array.of(1, NaN, -2, 0), y = Float32Array.of(3, 100, 4, NaN);
  assert.deepEqual(boundsOf(x, y), { minX: -2, minY: 3, maxX: 1, maxY: 4 });
  assert.deepEqual(boundsOf(x, y, Uint32Array.of(0)), { minX: 1, minY: 3, maxX: 1, maxY: 3 });
  assert.deepEqual(boundsOf(new Float32Array(0), new Float32Array(0)), { minX: -1, minY: -1, maxX: 1, maxY: 1 });
});

test('a fitted view shows all, and one side fully used', () => {
  const v = fitted({ minX: -2, minY: 0, maxX: 2, maxY: 1 }, 1000, 800, 50), p = projection(v);
  near(p.ax * -2 + p.bx, 50);
  near(p.ax * 2 + p.bx, 950);
  assert.ok(p.ay * 1 + p.by >= 50 && p.ay * 0 + p.by <= 750);
  assert.ok(Number.isFinite(fitted({ minX: 1, minY: 1, maxX: 1, maxY: 1 }, 1000, 800).scale), 'one point alone');
});

test('another size keeps the middle', () => {
  const r = resized(view, 300, 1200);
  assert.deepEqual([r.x, r.y, r.width, r.height], [view.x, view.y, 300, 1200]);
  near(r.scale, 150);
});

test('a movement begins and ends where it should', () => {
  const to = { ...view, x: 1, y: 1, scale: 3000 };
  for (const [t, goal] of [[0, view], [1, to]] as const) {
    const v = between(view, to, t);
    near(v.x, goal.x);
    near(v.y, goal.y);
    near(v.scale, goal.scale, 1e-3);
  }
  assert.ok(Number.isFinite(between(view, { ...view, x: 3 }, 0.5).x));
});
