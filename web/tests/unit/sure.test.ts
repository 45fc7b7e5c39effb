import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sureBound } from '../../src/data/actions';

test('the bound for accepting is the highest that a tenth of the rows reach', () => {
  const flags = Uint8Array.from([60, 40, 40, 40, 40, 40, 40, 40, 40, 40].map((level) => level | 64)); // marks are not confidences
  assert.equal(sureBound([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], flags), 0.8);
  assert.equal(sureBound([1, 2, 3], flags), 0.6);
  assert.equal(sureBound([0], Uint8Array.of(10)), 0);
  assert.equal(sureBound([], flags), 0);
});
