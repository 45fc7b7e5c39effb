import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hull, outlines } from '../../src/plot/outlines';

test('the hull of a square is its corners, whatever is inside and on the sides', () => {
  const got = hull([[0, 0], [1, 1], [0, 1], [1, 0], [0.5, 0.5], [0.5, 0], [1, 0.3], [0, 0]]);
  assert.deepEqual(got, [[0, 0], [1, 0], [1, 1], [0, 1]]);
  assert.ok(hull([[0, 0], [1, 1], [2, 2]]).length < 3, 'points on a line have none');
  assert.equal(hull([]).length, 0);
});

test('clusters have outlines of their own, without stray points and points without a cluster', () => {
  const n = 400, x = new Float32Array(n), y = new Float32Array(n), c = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    c[i] = i % 2;
    x[i] = (i % 2 ? 0.5 : -0.5) + 0.1 * Math.cos(i);
    y[i] = 0.1 * Math.sin(i * 1.7);
  }
  x[0] = 0.99; // stray
  c[2] = 255;
  x[2] = -1;
  x[4] = NaN;
  const got = outlines(x, y, c, 255);
  assert.deepEqual(got.map((o) => o.index), [0, 1]);
  for (const o of got) {
    const xs = o.corners.filter((_, i) => i % 2 === 0), middle = o.index ? 0.5 : -0.5;
    assert.ok(o.corners.length >= 10 && xs.every((v) => Math.abs(v - middle) < 0.11), `${o.index}: ${xs}`);
  }
});
