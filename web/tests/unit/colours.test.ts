// Colours of clusters: distinct, and with ink that can be read on them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clusterColour, inkOn } from '../../src/data/colours';

function light(css: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const v = parseInt(css.slice(i, i + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

for (const dark of [false, true]) {
  test(`forty clusters have forty colours, ${dark ? 'dark' : 'light'}`, () => {
    const all = Array.from({ length: 40 }, (_, i) => clusterColour(i, dark));
    assert.equal(new Set(all).size, 40);
    for (const c of all) assert.match(c, /^#[0-9a-f]{6}$/);
  });

  test(`the number on a colour has a contrast of at least 4.5, ${dark ? 'dark' : 'light'}`, () => {
    for (let i = 0; i < 40; i++) {
      const c = clusterColour(i, dark), [low, high] = [light(c), light(inkOn(c))].sort((x, y) => x - y);
      assert.ok((high! + 0.05) / (low! + 0.05) >= 4.5, `cluster ${i}: ${inkOn(c)} on ${c}`);
    }
  });
}

test('the first seven are those of Okabe and Ito', () => {
  assert.deepEqual(Array.from({ length: 7 }, (_, i) => clusterColour(i, false)), ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442']);
});
