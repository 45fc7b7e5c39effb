import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ascending, combined, has } from '../../src/plot/sets';

const of = (...p: number[]) => Uint32Array.from(p);

test('a lasso replaces, adds or takes away', () => {
  const chosen = of(1, 4, 6, 9), area = of(0, 4, 5, 9, 12);
  assert.deepEqual([...combined(chosen, area, 'replace')], [0, 4, 5, 9, 12]);
  assert.deepEqual([...combined(chosen, area, 'add')], [0, 1, 4, 5, 6, 9, 12]);
  assert.deepEqual([...combined(chosen, area, 'subtract')], [1, 6]);
  assert.deepEqual([...combined(null, area, 'add')], [0, 4, 5, 9, 12]);
  assert.deepEqual([...combined(null, area, 'subtract')], []);
  assert.deepEqual([...combined(chosen, of(), 'add')], [1, 4, 6, 9]);
});

test('points in order, each once', () => {
  assert.deepEqual([...ascending(of(5, 1, 5, 3))], [1, 3, 5]);
  const sorted = of(1, 2, 9);
  assert.equal(ascending(sorted), sorted);
});

test('finding a point', () => {
  const s = of(2, 3, 8);
  assert.deepEqual([1, 2, 3, 4, 8, 9].map((p) => has(s, p)), [false, true, true, false, true, false]);
  assert.equal(has(of(), 0), false);
});
