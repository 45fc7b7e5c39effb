import assert from 'node:assert/strict';
import { test } from 'node:test';
import { medians, placed } from '../../src/plot/names';

const unit = { ax: 1, bx: 0, ay: 1, by: 0 };

test('medians of clusters, without points that have none', () => {
  const x = Float32Array.of(1, 2, 90, 5, NaN, 7), y = Float32Array.of(1, 1, 4, 5, 1, 9);
  const got = medians(x, y, Uint8Array.of(3, 3, 3, 0, 0, 255), 255);
  assert.deepEqual(got, [{ index: 0, x: 5, y: 5, size: 1 }, { index: 3, x: 2, y: 1, size: 3 }]);
});

test('names do not cover each other, and the larger cluster comes first', () => {
  const places = Array.from({ length: 30 }, (_, index) => ({ index, x: 100 + index % 3, y: 100 + index % 5, size: index }));
  const names = places.map((p) => ({ index: p.index, text: 'name', width: 60 }));
  const got = placed(names, places, unit, 400, 300, 18);
  assert.equal(got[0].index, 29);
  assert.ok(got.length >= 2 && got.length < 30);
  for (const a of got) {
    for (const b of got) {
      if (a !== b) assert.ok(Math.abs(a.x - b.x) >= 60 || Math.abs(a.y - b.y) >= 18, `${a.index} covers ${b.index}`);
    }
  }
});

test('names stay on the screen and vanish with their clusters', () => {
  const got = placed([{ index: 0, text: 'left', width: 80 }, { index: 1, text: 'gone', width: 80 }, { index: 2, text: 'no place', width: 9 }],
    [{ index: 0, x: 3, y: 50, size: 2 }, { index: 1, x: -3, y: 50, size: 9 }], unit, 400, 300, 18);
  assert.deepEqual(got.map((l) => l.index), [0]);
  assert.ok(got[0].x - 40 >= 0);
});
