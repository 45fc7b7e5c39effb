// Numbers and messages in sentences, and words that are marked in texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { count, percent, seconds, sentence } from '../../src/data/words';
import { comparedWords } from '../../src/parts/textwords';

test('counts', () => {
  assert.equal(count(1, 'row'), '1 row');
  assert.equal(count(0, 'row'), '0 rows');
  assert.equal(count(12345, 'row'), '12,345 rows');
});

test('shares and times', () => {
  assert.equal(percent(0.004), '< 1 %');
  assert.equal(percent(0), '0 %');
  assert.equal(percent(0.666), '67 %');
  assert.equal(seconds(0.0123), '12 ms');
  assert.equal(seconds(3.21), '3.2 s');
  assert.equal(seconds(125), '2 min 5 s');
});

test('a message becomes a sentence once', () => {
  assert.equal(sentence('there is no point 7'), 'There is no point 7.');
  assert.equal(sentence('Done.'), 'Done.');
  assert.equal(sentence('login-00006 is login'), 'login-00006 is login.');
  assert.equal(sentence('sepal_length differs: 5.6 and 6.7'), 'sepal_length differs: 5.6 and 6.7.');
  assert.equal(sentence(''), '');
});

test('texts with much in common: what differs is marked', () => {
  const a = comparedWords('Refund for order 17 please', 'Refund for order 18 please');
  assert.deepEqual([a.how, [...a.marked]], ['differing', ['17']]);
});

test('texts with little in common: what both have is marked, in both directions', () => {
  const one = 'The printer does not print after the update', two = 'My parcel was lost, and the update of the address failed twice yesterday';
  for (const [a, b] of [[one, two], [two, one]] as const) {
    const m = comparedWords(a, b);
    assert.deepEqual([m.how, [...m.marked]], ['shared', ['update']]);
  }
});
