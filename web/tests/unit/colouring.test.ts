import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHOSEN, CONFIDENCE, GIVEN, colourPoints, spread, type ColourBy } from '../../src/plot/colouring';
import { mixed, pixel } from '../../src/plot/pixels';

const ground = pixel(255, 255, 255), grey = pixel(128, 128, 128), a = pixel(255, 0, 0), b = pixel(0, 0, 255);
const scheme = { palette: [a, b], ground, grey, stops: [pixel(0, 0, 0), pixel(250, 250, 0)] };
const x = Float32Array.of(0, 0, 0, NaN), y = new Float32Array(4);
const labels = { clusters: Uint8Array.of(0, 1, 255, 0), flags: Uint8Array.of(CONFIDENCE, CONFIDENCE | GIVEN, 10, CONFIDENCE), none: 255 };
const colours = (by: ColourBy, hidden: number[] = [], marks: Uint8Array | null = null, l: typeof labels | null = labels) => {
  const out = new Uint32Array(4);
  colourPoints(out, x, y, l, scheme, { by, hidden: new Set(hidden), marks });
  return [...out];
};

test('by cluster, grey without one, nothing without a place', () => {
  assert.deepEqual(colours('cluster'), [a, b, grey, 0]);
});

test('less confidence, paler', () => {
  const out = new Uint32Array(1);
  colourPoints(out, x.slice(0, 1), y.slice(0, 1), { clusters: Uint8Array.of(0), flags: Uint8Array.of(0), none: 255 }, scheme, { by: 'cluster', hidden: new Set(), marks: null });
  assert.equal(out[0], mixed(ground, a, Math.round(256 * 0.4)));
});

test('by confidence and by label', () => {
  assert.deepEqual(colours('confidence'), [scheme.stops[1], scheme.stops[1], grey, 0]);
  const given = colours('label');
  assert.equal(given[1], b);
  assert.notEqual(given[0], a);
});

test('by value', () => {
  assert.deepEqual(colours({ values: Float32Array.of(1, 3, NaN, 2), title: 'spend' }), [scheme.stops[0], scheme.stops[1], grey, 0]);
});

test('hidden clusters, those without a cluster among them', () => {
  assert.deepEqual(colours('cluster', [1]), [a, 0, grey, 0]);
  assert.deepEqual(colours('cluster', [-1]), [a, b, 0, 0]);
  assert.deepEqual(colours({ values: Float32Array.of(1, 3, 2, 2), title: '' }, [0])[0], 0);
});

test('others fade beside those selected', () => {
  const got = colours('cluster', [], Uint8Array.of(CHOSEN, 0, 0, 0));
  assert.equal(got[0], a);
  assert.notEqual(got[1], b);
  assert.notEqual(got[1], 0);
});

test('grey until clusters are known for these points', () => {
  assert.deepEqual(colours('cluster', [], null, null), [grey, grey, grey, 0]);
  assert.deepEqual(colours('cluster', [], null, { clusters: Uint8Array.of(0), flags: Uint8Array.of(0), none: 255 }), [grey, grey, grey, 0]);
});

test('extreme values do not set the scale', () => {
  const values = Float32Array.from({ length: 1000 }, (_, i) => i);
  values[999] = 1e9;
  const [low, high] = spread(values);
  assert.ok(low >= 0 && low < 50 && high > 950 && high < 1000);
  assert.deepEqual(spread(Float32Array.of(NaN)), [0, 1]);
});
