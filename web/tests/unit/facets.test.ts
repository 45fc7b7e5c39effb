import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binned, levelsApart, numbersApart, partOf } from '../../src/facets/counts';
import { passes } from '../../src/facets/store';

test('numbers are counted in equal parts, missing ones not at all', () => {
  const b = binned(Float32Array.from([0, 1, 2, 3, NaN]), 4)!;
  assert.deepEqual([...b.all], [1, 1, 1, 1]);
  assert.equal(binned(Float32Array.of(NaN), 4), null);
  assert.deepEqual([...binned(Float32Array.of(5, 5, 5), 3)!.all], [3, 0, 0]);
  assert.equal(partOf(99, 0, 4, 4), 3);
});

test('what sets rows apart', () => {
  const chosen = Uint8Array.from([1, 1, 0, 0]);
  assert.match(numbersApart('age', Float32Array.from([60, 62, 20, 22]), chosen)!.text, /^high age: 61, others 21$/);
  assert.equal(numbersApart('age', Float32Array.from([1, 1, 1, 1]), chosen), null);
  assert.match(levelsApart('plan', ['pro', 'basic'], Float32Array.from([0, 0, 1, 1]), chosen)!.text, /^plan (pro: 100 %, others 0 %|basic: 0 %, others 100 %)$/);
  assert.equal(levelsApart('plan', ['pro'], Float32Array.from([0, 0]), Uint8Array.from([1, 1])), null);
});

test('filters', () => {
  assert.ok(passes(3, { low: -Infinity, high: 3 }));
  assert.ok(!passes(NaN, { low: -Infinity, high: Infinity }));
  assert.ok(passes(1, { levels: new Set([1]) }));
});
