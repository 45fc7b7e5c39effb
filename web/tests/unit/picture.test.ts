import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contained, inPicture, keptInSight, layerSize, zoomedAbout } from '../../src/picture/framing';
import { thinned } from '../../src/picture/stroke';
import { tintMask } from '../../src/picture/tint';

test('a picture is shown whole, in the middle', () => {
  assert.deepEqual(contained(4000, 3000, 800, 800), { x: 0, y: 100, scale: 0.2 });
});

test('zooming keeps what is under the pointer', () => {
  const f = contained(4000, 3000, 800, 600), z = zoomedAbout(f, 3, 250, 130, 0.01, 32);
  assert.deepEqual(inPicture(z, 250, 130, 4000, 3000), inPicture(f, 250, 130, 4000, 3000));
  assert.equal(zoomedAbout(f, 1e9, 0, 0, 0.01, 32).scale, 32);
});

test('a picture cannot be lost', () => {
  const f = keptInSight({ x: -1e6, y: 1e6, scale: 1 }, 100, 100, 800, 600, 60);
  assert.deepEqual(f, { x: -40, y: 540, scale: 1 });
});

test('strokes end at the rim', () => {
  assert.deepEqual(inPicture({ x: 10, y: 10, scale: 2 }, 0, 500, 100, 80), [0, 80]);
});

test('layers of large pictures are smaller', () => {
  assert.deepEqual(layerSize(1000, 800), { width: 1000, height: 800, scale: 1 });
  const l = layerSize(4000, 3000);
  assert.ok(l.width * l.height <= 4_010_000 && Math.abs(l.width / l.height - 4 / 3) < 0.01);
});

test('thinning keeps the ends', () => {
  const way = Array.from({ length: 101 }, (_, i): [number, number] => [i, 0]);
  const t = thinned(way, 10);
  assert.deepEqual(t[0], [0, 0]);
  assert.deepEqual(t[t.length - 1], [100, 0]);
  assert.ok(t.length <= 12);
  assert.deepEqual(thinned([[3, 4]], 10), [[3, 4]]);
});

test('masks in colours and masks of numbers', () => {
  const coloured = Uint8ClampedArray.of(0, 0, 0, 255, 230, 159, 0, 255, 9, 9, 9, 0);
  tintMask(coloured, [[1, 2, 3]]);
  assert.deepEqual([...coloured], [0, 0, 0, 0, 230, 159, 0, 255, 9, 9, 9, 0]);
  const numbers = Uint8ClampedArray.of(0, 0, 0, 255, 1, 1, 1, 255, 2, 2, 2, 255);
  tintMask(numbers, [[10, 20, 30], [40, 50, 60]]);
  assert.deepEqual([...numbers], [0, 0, 0, 0, 10, 20, 30, 255, 40, 50, 60, 255]);
});
