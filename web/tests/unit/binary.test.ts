// Binary columns, as the server writes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAssigned, readEdges, readPlaces } from '../../src/data/binary';

test('places', () => {
  const b = new ArrayBuffer(8 + 3 * 8), v = new DataView(b);
  v.setUint32(0, 3, true);
  [0.5, -1, 0.25, 1, NaN, -0.5].forEach((x, i) => v.setFloat32(8 + 4 * i, x, true));
  const p = readPlaces(b);
  assert.deepEqual([...p.x], [0.5, -1, 0.25]);
  assert.deepEqual([...p.y], [1, NaN, -0.5]);
});

for (const width of [1, 2] as const) {
  test(`clusters of ${width} bytes, the last of an odd number of points`, () => {
    const n = 3, b = new ArrayBuffer(8 + n * width + n), v = new DataView(b);
    v.setUint32(0, n, true);
    v.setUint32(4, width, true);
    const none = width === 1 ? 255 : 65535;
    [4, none, 0].forEach((c, i) => (width === 1 ? v.setUint8(8 + i, c) : v.setUint16(8 + 2 * i, c, true)));
    [63, 128, 64].forEach((f, i) => v.setUint8(8 + n * width + i, f));
    const a = readAssigned(b);
    assert.deepEqual([[...a.clusters], [...a.flags], a.none], [[4, none, 0], [63, 128, 64], none]);
  });
}

test('edges', () => {
  const b = new ArrayBuffer(4 + 16), v = new DataView(b);
  [2, 7, 8, 9, 1].forEach((x, i) => v.setUint32(4 * i, x, true));
  const e = readEdges(b);
  assert.deepEqual([[...e.a], [...e.b]], [[7, 8], [9, 1]]);
});
