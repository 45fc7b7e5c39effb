import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstKeys, keyName, readKeymap, withKey } from '../../src/data/keys';

test('a key is changed, also to one that became free', () => {
  const one = withKey(firstKeys, 'same', 'y');
  assert.ok(typeof one !== 'string');
  assert.equal(one.same, 'y');
  const two = withKey(one, 'different', 's');
  assert.ok(typeof two !== 'string');
  assert.deepEqual(readKeymap(JSON.stringify(two)), { ...firstKeys, same: 'y', different: 's' });
});

test('keys that are taken or have another use are refused with a word', () => {
  for (const [key, words] of [['d', /different groups/], ['3', /brush/], ['+', /zooms/], ['Enter', /browsers/], ['ArrowUp', /browsers/], ['Space', /skips/], ['', /Shift/]] as const) {
    const got = withKey(firstKeys, 'same', key);
    assert.ok(typeof got === 'string', `${key} is taken for same`);
    assert.match(got, words);
  }
  assert.notEqual(typeof withKey({ ...firstKeys, skip: 'n' }, 'skip', 'Space'), 'string');
});

test('a keymap that cannot be read gives the first keys', () => {
  for (const text of ['', '{', 'null', '7', '{"same":7}', '{"same":"d"}', '{"same":"Enter"}', '{"same":"d","different":"d"}', '{"nothing":"z"}']) assert.deepEqual(readKeymap(text), firstKeys, text);
});

test('names of keys', () => {
  assert.deepEqual([['s', false], ['S', false], ['S', true], ['?', true], [' ', false], ['Enter', false], ['é', false], ['Ü', true]].map(([key, shiftKey]) => keyName({ key: key as string, shiftKey: shiftKey as boolean })), ['s', 's', '', '?', 'Space', 'Enter', 'é', '']);
});
