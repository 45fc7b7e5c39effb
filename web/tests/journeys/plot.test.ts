// What the pointer does on the plot, on a small example.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, inFirefox, launch } from './browser';
import { folder, start, type Running } from './program';
import { steps } from './steps';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  program = await start(['example:iris.csv', '-k', '3', '--method', 'pc-kmeans'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

test('link, select, zoom, hide, take a picture', async () => {
  const w = await Watched.open(browser, program.url), { page } = w, { step, end } = steps(w);
  try {
    await w.settled();
    const tool = (name: RegExp) => page.getByRole('toolbar', { name: 'Plot tools' }).getByRole('button', { name }).click();
    // alone returns points of a cluster that no other point is near to, so that a click means them.
    const alone = (cluster: number, count: number) => page.evaluate(([cluster, count]) => {
      const n = window.__inkling.state!.rows, at = Array.from({ length: n }, (_, i) => window.__inkling.pixelOf(i)!);
      const found: number[] = [];
      const of = window.__inkling.plot!.clusterOf.bind(window.__inkling.plot!);
      for (let i = 0; i < n && found.length < count; i++) {
        if (of(i) === cluster && at.every(([x, y], j) => j === i || Math.hypot(x - at[i][0], y - at[i][1]) > 7)) found.push(i);
      }
      return found;
    }, [cluster, count] as const);
    const one = await alone(0, 3), other = await alone(1, 2);
    assert.ok(one.length === 3 && other.length === 2, 'there are points that stand alone');
    const drag = async (a: number, b: number) => {
      const from = await w.pixel(a), to = await w.pixel(b);
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
      await page.mouse.move(to.x, to.y, { steps: 3 });
      await page.mouse.up();
    };

    await step('points have the colours of their groups', async () => {
      const seen = await page.evaluate(async () => {
        const blob = await window.__inkling.plot!.snapshot(), image = await createImageBitmap(blob);
        const c = document.createElement('canvas');
        c.width = image.width;
        c.height = image.height;
        const g = c.getContext('2d')!;
        g.drawImage(image, 0, 0);
        const d = g.getImageData(0, 0, c.width, c.height).data;
        const hues = new Map<string, number>();
        for (let i = 0; i < d.length; i += 4) {
          // Blue, orange and green of the palette, at any confidence, are told apart by their order of channels.
          const [r, gr, b] = [d[i], d[i + 1], d[i + 2]];
          if (Math.max(r, gr, b) - Math.min(r, gr, b) < 60) continue;
          const name = r > gr && gr > b ? 'orange' : gr > r && gr > b ? 'green' : b > r ? 'blue' : 'other';
          hues.set(name, (hues.get(name) ?? 0) + 1);
        }
        return { type: blob.type, hues: Object.fromEntries(hues) };
      });
      assert.equal(seen.type, 'image/png');
      for (const hue of ['orange', 'green', 'blue']) assert.ok((seen.hues[hue] ?? 0) > 100, `${hue} is seen: ${JSON.stringify(seen.hues)}`);
    });

    await step('a click selects a point', async () => {
      const p = await w.pixel(one[0]);
      await page.mouse.click(p.x, p.y);
      await w.selected((n) => n === 1, 'one point is selected');
      await page.keyboard.press('Escape');
      await w.selected((n) => n === 0, 'nothing is selected');
    });

    await step('dragging from one point to another links them', async () => {
      await tool(/^Link/);
      await drag(one[0], one[1]);
      await w.until((s) => s.totals.must === 1, 'there is a must-link');
    });

    await step('with X held it is a cannot-link', async () => {
      await page.keyboard.down('x');
      await drag(one[0], other[0]);
      await page.keyboard.up('x');
      await w.until((s) => s.totals.cannot === 1, 'there is a cannot-link');
    });

    await step('two clicks do the same without dragging', async () => {
      for (const p of [one[1], one[2]]) {
        const at = await w.pixel(p);
        await page.mouse.click(at.x, at.y);
      }
      await w.until((s) => s.totals.must === 2, 'there is another must-link');
      await w.until((s) => !s.running && s.fit!.constraints > 0, 'the clustering knows the links');
      await w.settled();
    });

    await step('a rectangle and a brush select', async () => {
      const box = (await page.locator('.plot-surface').boundingBox())!;
      await tool(/^Rectangle/);
      await page.mouse.move(box.x + 2, box.y + 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 3, box.y + box.height - 3, { steps: 4 });
      await page.mouse.up();
      await w.selected((n) => n === 150, 'all are selected');
      await tool(/^Brush/);
      const p = await w.pixel(one[0]);
      await page.mouse.move(p.x - 12, p.y);
      await page.mouse.down();
      await page.mouse.move(p.x, p.y, { steps: 3 });
      await page.mouse.up();
      await w.selected((n) => n >= 1 && n < 150, 'some points are under the brush');
      await page.keyboard.press('Escape');
    });

    await step('the wheel zooms, and what is under the pointer stays', async () => {
      await tool(/^Move/);
      const p = await w.pixel(one[0]), q = await w.pixel(other[0]);
      await page.mouse.move(p.x, p.y);
      await page.mouse.wheel(0, -300);
      await page.waitForFunction(([i, x]) => {
        const host = document.querySelector('.plot-surface')!.getBoundingClientRect();
        return Math.abs(window.__inkling.pixelOf(i)![0] + host.left - x) > 5;
      }, [other[0], q.x] as const);
      const after = await w.pixel(one[0]);
      assert.ok(Math.hypot(after.x - p.x, after.y - p.y) < 1, 'the point under the pointer stays');
    });

    await step('dragging moves the picture', async () => {
      const box = (await page.locator('.plot-surface').boundingBox())!, before = await w.pixel(one[0]);
      await page.mouse.move(box.x + 8, box.y + 8);
      await page.mouse.down();
      await page.mouse.move(box.x + 58, box.y + 38, { steps: 5 });
      await page.mouse.up();
      await page.waitForFunction(([i, x, y]) => {
        const host = document.querySelector('.plot-surface')!.getBoundingClientRect(), [px, py] = window.__inkling.pixelOf(i)!;
        return Math.hypot(px + host.left - x, py + host.top - y) < 1.5; // it moves by as much as the pointer
      }, [one[0], before.x + 50, before.y + 30] as const);
      await page.keyboard.press('f');
      await w.settled();
    });

    await step('a hidden group is neither drawn nor selected', async () => {
      const p = await w.pixel(other[0]), host = (await page.locator('.plot-surface').boundingBox())!;
      assert.equal(await page.evaluate(([x, y]) => window.__inkling.pointAt(x, y), [p.x - host.x, p.y - host.y]), other[0]);
      await page.evaluate((i) => window.__inkling.plot!.setHidden(new Set([window.__inkling.plot!.clusterOf(i)!])), other[0]);
      assert.notEqual(await page.evaluate(([x, y]) => window.__inkling.pointAt(x, y), [p.x - host.x, p.y - host.y]), other[0]);
      await page.evaluate(() => window.__inkling.plot!.setHidden(new Set()));
    });

    await step('outlines of the groups are drawn on request, by a button and by a key', async () => {
      const picture = () => page.evaluate(async () => {
        const b = new Uint8Array(await (await window.__inkling.plot!.snapshot()).arrayBuffer());
        return b.reduce((h, v) => (h * 31 + v) >>> 0, b.length);
      });
      const button = page.getByRole('button', { name: 'Outlines of the groups' }), without = await picture();
      await button.click();
      assert.equal(await button.getAttribute('aria-pressed'), 'true');
      const outlined = await picture();
      assert.notEqual(outlined, without, 'the outlines are seen');
      if (process.env.INKLING_PICTURES) await page.screenshot({ path: `${process.env.INKLING_PICTURES}/outlines.png` });
      await page.keyboard.press('o');
      assert.equal(await picture(), without, 'and taken away again');
    });

    await step('undo takes the links back one by one', async () => {
      await page.keyboard.press('Control+z');
      await w.until((s) => s.totals.must === 1 && s.totals.cannot === 1, 'one must-link is left');
      await page.keyboard.press('Control+z');
      await w.until((s) => s.totals.must === 1 && s.totals.cannot === 0, 'the cannot-link is gone');
    });

    await step('console and requests', async () => w.quiet());
    end();
  } finally {
    await w.close();
  }
});

test('sharp screens are drawn sharply', async () => {
  const w = await Watched.open(browser, program.url, { width: 390, height: 780, ratio: 3 }), { page } = w;
  try {
    await w.settled();
    const box = (await page.locator('.plot-surface').boundingBox())!;
    assert.equal(await page.evaluate(() => document.querySelector<HTMLCanvasElement>('.plot-surface canvas')!.width), Math.round(box.width * 3));
    w.quiet();
  } finally {
    await w.close();
  }
});

const noTouch = inFirefox && 'Firefox, as it is driven here, has no touch screen';

test('two fingers zoom on a touch screen', { skip: noTouch }, async () => {
  const w = await Watched.open(browser, program.url, { width: 390, height: 780, ratio: 3, touch: true }), { page } = w;
  try {
    await w.settled();
    const box = (await page.locator('.plot-surface').boundingBox())!, cx = box.x + box.width / 2, cy = box.y + box.height / 2;
    const apart = () => page.evaluate(() => Math.abs(window.__inkling.pixelOf(0)![0] - window.__inkling.pixelOf(1)![0]));
    const before = await apart();
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', spread: number) => touch.send('Input.dispatchTouchEvent', {
      type, touchPoints: type === 'touchEnd' ? [] : [{ x: cx - spread, y: cy, id: 1 }, { x: cx + spread, y: cy, id: 2 }],
    });
    await send('touchStart', 30);
    for (const s of [40, 50, 60]) await send('touchMove', s);
    await send('touchEnd', 0);
    const ratio = await apart() / before;
    assert.ok(ratio > 1.6 && ratio < 2.4, `the fingers moved apart twofold, the points by ${ratio}`);
    w.quiet();
  } finally {
    await w.close();
  }
});

test('keys can be changed, conflicts are refused with a word, and a reload keeps them', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const outlined = () => page.getByRole('button', { name: 'Outlines of the groups' }).getAttribute('aria-pressed');
  const become = (to: string) => page.waitForFunction((to) => document.querySelector('[aria-label="Outlines of the groups"]')?.getAttribute('aria-pressed') === to, to);
  try {
    await w.settled();
    await page.keyboard.press('?');
    const key = page.locator('.keybutton[data-action=outlines]'), words = page.locator('.keyhint [role=status]');
    await key.click();
    for (const [taken, why] of [['d', /different groups/], ['Enter', /browsers/], ['4', /brush/]] as const) {
      await page.keyboard.press(taken);
      assert.match(await words.textContent() ?? '', why);
    }
    await w.accessible('a key that is being changed');
    await page.keyboard.press('Escape');
    assert.equal(await key.textContent(), 'O', 'Escape keeps the old key');
    await key.press('Enter');
    await page.keyboard.press('k');
    assert.equal(await key.textContent(), 'K');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });

    await page.reload();
    await w.settled();
    await page.keyboard.press('o');
    assert.equal(await outlined(), 'false', 'the old key does nothing');
    await page.keyboard.press('k');
    await become('true');

    await page.keyboard.press('?');
    await page.getByRole('button', { name: 'Reset shortcuts' }).click();
    assert.equal(await key.textContent(), 'O');
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.keyboard.press('o');
    await become('false');
    w.quiet();
  } finally {
    await w.close();
  }
});
