import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Grid } from '../../src/plot/grid';
import { boundsOf } from '../../src/plot/view';

test('the nearest point is the one that a search of all finds', () => {
  let state = 3;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const n = 3000, x = new Float32Array(n), y = new Float32Array(n), shown = new Uint32Array(n);
  for (let i = 0; i < n; i++) {
    x[i] = i % 50 === 0 ? NaN : random() * 2 - 1;
    y[i] = random() - 0.5;
    shown[i] = i % 7 === 0 ? 0 : 1;
  }
  const grid = new Grid(x, y, boundsOf(x, y));
  for (let round = 0; round < 500; round++) {
    const px = random() * 2.4 - 1.2, py = random() * 1.4 - 0.7, radius = random() * 0.2;
    let best = -1, least = radius * radius;
    for (let i = 0; i < n; i++) {
      const d = (x[i] - px) ** 2 + (y[i] - py) ** 2;
      if (shown[i] !== 0 && d < least) {
        least = d;
        best = i;
      }
    }
    assert.equal(grid.nearest(px, py, radius, shown), best);
  }
});

test('no points, and all at one place', () => {
  const none = new Float32Array(0);
  assert.equal(new Grid(none, none, boundsOf(none, none)).nearest(0, 0, 1, new Uint32Array(0)), -1);
  const same = Float32Array.of(2, 2, 2);
  assert.equal(new Grid(same, same, boundsOf(same, same)).nearest(2.01, 2, 0.1, Uint32Array.of(1, 1, 1)), 2, 'the one drawn on top');
});
