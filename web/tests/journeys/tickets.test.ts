// J2: support tickets with some tags: search, lasso, label, merge, take one out, accept.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, launch } from './browser';
import { tickets } from './data';
import { folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;
const count = Number(process.env.INKLING_TICKETS ?? 2000);

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'tickets.csv'), tickets(count, 100));
  program = await start(['tickets.csv', '--id', 'ticket_id', '--text', 'body', '--label-col', 'tag', '-k', '8'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

test('search, lasso, label, merge, take one out', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  try {
    const first = await w.settled();
    assert.equal(first.fit!.k, 8);

    // What is found is highlighted on the plot.
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('refund');
    const select = page.getByRole('button', { name: /^Select \d/ });
    await select.waitFor();
    const found = Number((await select.textContent())!.replace(/\D/g, ''));
    assert.ok(found > 60 && found < count, `${found} tickets contain refund`);

    // A lasso around a part of the plot, Shift adds, Alt takes away.
    await page.getByRole('button', { name: /^Lasso/ }).click();
    const box = (await page.locator('.plot-surface').boundingBox())!;
    const cx = box.x + box.width / 2, cy = box.y + box.height / 2;
    const circle = async (x: number, y: number, r: number) => {
      await page.mouse.move(x + r, y);
      await page.mouse.down();
      for (let i = 1; i <= 24; i++) await page.mouse.move(x + r * Math.cos(i * Math.PI / 12), y + r * Math.sin(i * Math.PI / 12));
      await page.mouse.up();
    };
    const selected = () => page.locator('.selectionbar strong').textContent().then((t) => Number(t!.replace(/\D/g, '')));
    const r = Math.min(box.width, box.height) / 2 - 10;
    await circle(cx, cy, r);
    await page.locator('.selectionbar').waitFor();
    const wide = await selected();
    await page.keyboard.down('Alt');
    await circle(cx, cy, r / 2);
    await page.keyboard.up('Alt');
    const ring = await selected();
    assert.ok(ring > 0 && ring < wide, `Alt takes away: ${ring} of ${wide}`);
    await page.keyboard.down('Shift');
    await circle(cx, cy, r / 2);
    await page.keyboard.up('Shift');
    assert.equal(await selected(), wide, 'Shift adds');

    // The lasso chose the points that are inside: by their places.
    const inside = await page.evaluate(([x, y, radius]) => {
      const host = document.querySelector('.plot-surface')!.getBoundingClientRect();
      let n = 0;
      for (let i = 0; i < window.__inkling.state!.rows; i++) {
        const [px, py] = window.__inkling.pixelOf(i)!;
        if (Math.hypot(px + host.left - x, py + host.top - y) <= radius) n++;
      }
      return n;
    }, [cx, cy, r]);
    assert.ok(Math.abs(inside - wide) <= 0.03 * count, `${wide} chosen, ${inside} inside the circle`);

    // L labels them: here what was found, of which all are about refunds.
    await page.keyboard.press('Escape');
    const refunds = await page.evaluate(async () => {
      const { points } = await (await fetch('./api/search?q=' + encodeURIComponent('refund-0'))).json() as { points: number[] };
      return points.slice(0, 60);
    });
    assert.equal(refunds.length, 60);
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('refund-0');
    await page.waitForFunction(() => document.querySelector('.rowspanel .cell.id .rowid')?.textContent?.startsWith('refund-0'));
    await page.locator('#rowgrid').focus();
    await page.keyboard.press('Space');
    for (let i = 0; i < 59; i++) await page.keyboard.press('Shift+ArrowDown');
    await page.waitForFunction(() => /^60 rows/.test(document.querySelector('.selectionbar strong')?.textContent ?? ''));
    await page.keyboard.press('l');
    await page.getByRole('textbox', { name: 'Label' }).fill('Refunds');
    await page.keyboard.press('Enter');
    const labelled = await w.until((s) => s.totals.labels >= first.totals.labels + 60 - 20, 'the labels are counted');
    assert.ok(labelled.totals.labels > first.totals.labels);
    await page.getByRole('searchbox', { name: 'Search rows' }).fill('');
    const second = await w.until((s) => s.fit!.n > first.fit!.n && !s.running, 'the clustering followed');
    assert.equal(second.fit!.k, 8);
    await w.settled();
    const places = await page.evaluate(() => [0, 1, 2].map((i) => window.__inkling.pixelOf(i)));

    // One group dragged onto another is a merge.
    const groups = page.locator('.grouphead');
    const must = (await w.state()).totals.must;
    await groups.nth(7).dragTo(groups.nth(6));
    await w.until((s) => s.totals.must > must, 'the merge is a must-link');
    await w.settled();

    // A ticket that is taken out of its group gets a cannot-link.
    const cannot = (await w.state()).totals.cannot;
    await page.locator('.rowspanel .line').nth(1).hover();
    await page.locator('.rowspanel .line').nth(1).locator('.removerow').click();
    await w.until((s) => s.totals.cannot > cannot, 'the ticket is out of its group');
    await w.settled();
    assert.deepEqual(await page.evaluate(() => [0, 1, 2].map((i) => window.__inkling.pixelOf(i))), places, 'a new clustering does not move the points');

    // Accepting a selection labels it with the names of its groups.
    await page.keyboard.press('Escape');
    await page.locator('#rowgrid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowDown');
    await page.locator('.selectionbar').getByRole('button', { name: /^Accept/ }).click();
    const before = (await w.state()).totals.labels;
    await w.until((s) => s.totals.labels >= before, 'the rows are accepted');
    await w.settled();
    await w.accessible('tickets');
    w.quiet();
  } finally {
    await w.close();
  }
});
