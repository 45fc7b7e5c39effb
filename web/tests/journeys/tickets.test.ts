// J2: support tickets with some tags: search, lasso, label, merge, take one out, accept.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, inFirefox, launch } from './browser';
import { tickets } from './data';
import { steps } from './steps';
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

test('search, lasso, label, merge, take one out', async (t) => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  try {
    const first = await w.settled();
    assert.ok(first.fit!.k >= 5, `${first.fit!.k} groups`);
    const search = page.getByRole('searchbox', { name: 'Search rows' });
    const box = (await page.locator('.plot-surface').boundingBox())!;
    const circle = async (x: number, y: number, r: number) => {
      await page.mouse.move(x + r, y);
      await page.mouse.down();
      for (let i = 1; i <= 24; i++) await page.mouse.move(x + r * Math.cos(i * Math.PI / 12), y + r * Math.sin(i * Math.PI / 12));
      await page.mouse.up();
    };
    // inside counts the points in a circle, by their places.
    const inside = (x: number, y: number, r: number) => page.evaluate(([x, y, r]) => {
      const host = document.querySelector('.plot-surface')!.getBoundingClientRect();
      let n = 0;
      for (let i = 0; i < window.__inkling.state!.rows; i++) {
        const [px, py] = window.__inkling.pixelOf(i)!;
        if (Math.hypot(px + host.left - x, py + host.top - y) <= r) n++;
      }
      return n;
    }, [x, y, r]);
    const places = () => page.evaluate(() => Array.from({ length: 50 }, (_, i) => window.__inkling.pixelOf(i)));
    const before = await places();

    await step('what is searched for is found', async () => {
      await search.fill('refund');
      const select = page.getByRole('button', { name: /^Select \d/ });
      await select.waitFor();
      const found = Number((await select.textContent())!.replace(/\D/g, ''));
      assert.ok(found > 60 && found < count, `${found} tickets contain refund`);
    });

    await step('a lasso selects, with Alt it takes away, with Shift it adds', async () => {
      await page.getByRole('button', { name: /^Lasso/ }).click();
      const cx = box.x + box.width / 2, cy = box.y + box.height / 2, r = Math.min(box.width, box.height) / 2 - 10;
      await circle(cx, cy, r);
      const all = await inside(cx, cy, r);
      const wide = await w.selected((n) => Math.abs(all - n) <= 0.05 * all, `about ${all} rows, those inside the circle, are selected`);
      await page.keyboard.down('Alt');
      await circle(cx, cy, r / 2);
      await page.keyboard.up('Alt');
      await w.selected((n) => n > 0 && n < wide, `Alt takes some of ${wide} away`);
      await page.keyboard.down('Shift');
      await circle(cx, cy, r / 2);
      await page.keyboard.up('Shift');
      await w.selected((n) => n === wide, `Shift adds again up to ${wide}`);
    });

    await step('points around a refund are lassoed and labelled with L', async () => {
      await page.keyboard.press('Escape');
      await w.selected((n) => n === 0, 'nothing is selected');
      const { points } = await page.evaluate(async () => (await fetch('./api/search?q=refund-0')).json() as Promise<{ points: number[] }>);
      // Among the refunds the one with most others close to it.
      const centre = await page.evaluate((points) => {
        const at = points.map((p) => window.__inkling.pixelOf(p)!);
        let best = 0, most = -1;
        at.forEach(([x, y], i) => {
          const n = at.filter(([u, v]) => Math.hypot(u - x, v - y) < 12).length;
          if (n > most) [best, most] = [i, n];
        });
        return points[best];
      }, points);
      const at = await w.pixel(centre);
      await circle(at.x, at.y, 12);
      await w.selected((n) => n >= 1, 'points are selected');
      await page.keyboard.press('l');
      await page.locator('dialog input[type=text]').fill('refund');
      await page.keyboard.press('Enter');
      await w.until((s) => s.totals.labels > first.totals.labels, 'the labels are counted');
      await w.until((s) => s.fit!.n > first.fit!.n && !s.running, 'the clustering followed');
      await search.fill('');
      await page.getByRole('button', { name: 'Clear the selection' }).click();
      await w.settled();
    });

    if (inFirefox) t.diagnostic('not tried: one group dragged onto another; as Firefox is driven here, the drag does not reach the page');
    else await step('one group dragged onto another is a merge', async () => {
      const groups = page.locator('.grouphead'), must = (await w.state()).totals.must, last = await groups.count() - 1;
      await groups.nth(last).dragTo(groups.nth(last - 1));
      await w.until((s) => s.totals.must > must, 'the merge is a must-link');
      await w.settled();
      await page.keyboard.press('Control+z');
      await w.until((s) => s.totals.must === must, 'the merge is undone');
      await w.settled();
    });

    await step('a ticket that is taken out of its group gets a cannot-link', async () => {
      const cannot = (await w.state()).totals.cannot, line = page.locator('.rowspanel .line', { has: page.locator('.removerow') }).nth(1);
      await line.hover();
      await line.locator('.removerow').click();
      await w.until((s) => s.totals.cannot > cannot, 'the ticket is out of its group');
      await w.settled();
    });

    await step('what contradicts tags of the data is explained, and a click forgets one of them', async () => {
      await search.fill('-0001');
      await w.listed(10);
      for (const id of ['delivery-00012', 'crash-00013']) await page.locator('.rowspanel .line', { hasText: id }).locator('.box').click();
      await w.selected((n) => n === 2, 'two rows with other tags are selected');
      await search.fill('');
      await w.listed(count);
      await page.locator('#rowgrid').focus();
      const before = (await w.state()).totals.must, asked = page.getByRole('dialog', { name: 'This contradicts an earlier constraint' });
      await page.keyboard.press('m');
      await asked.waitFor();
      assert.equal(await asked.getByText(/, in the data$/).count(), 2, 'both tags are named');
      await w.accessible('a contradiction');
      // The browser tells of every refusal on the console.
      w.complaints.splice(0, w.complaints.length, ...w.complaints.filter((c) => !c.includes('409')));
      await asked.getByRole('button', { name: /^Forget that / }).first().click();
      await w.until((s) => s.totals.must > before, 'the rows are linked');
      await asked.waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+z'); // else accepting one of their groups contradicts it
      await w.until((s) => s.totals.must === before, 'the link is undone');
      await w.settled();
    });

    await step('accepting a selection labels it with the names of its groups', async () => {
      await w.listed(count);
      await page.locator('#rowgrid').focus();
      await page.keyboard.press('End'); // far from the one that was taken out
      await page.waitForFunction((i) => document.querySelector(`#row-${i} .rowid`), count - 1);
      await page.keyboard.press('Space');
      for (let i = 0; i < 4; i++) await page.keyboard.press('Shift+ArrowUp');
      await w.selected((n) => n === 5, 'five rows are selected');
      const given = (await w.state()).totals.labels;
      await page.locator('.selectionbar').getByRole('button', { name: /^Accept/ }).click();
      await w.until((s) => s.totals.labels > given, 'the rows are accepted');
      await w.settled();
    });

    await step('of a group those are accepted that are sure of it', async () => {
      await page.waitForFunction(() => window.__inkling.state!.fit!.sure);
      const s = await w.state(), largest = [...s.fit!.clusters].sort((a, b) => b.size - a.size)[0];
      await page.keyboard.press('Escape');
      await page.locator('.groupbutton').first().click();
      await page.locator('.groupcard').getByRole('button', { name: /confidence is at least (80|70|60|50) %/ }).click();
      const after = await w.until((now) => now.totals.labels > s.totals.labels, 'sure rows are accepted');
      assert.ok(after.totals.labels - s.totals.labels < largest.size, 'and others are not');
      await w.settled();
      await page.locator('.groupbutton').first().click();
    });

    await step('a new clustering does not move the points', async () => {
      await page.keyboard.press('f');
      await w.settled();
      // The view glides there.
      await page.waitForFunction((before) => before.every((at, i) => String(window.__inkling.pixelOf(i)) === String(at)), before).catch(() => {});
      assert.deepEqual(await places(), before);
    });

    await step('axe, console, requests', async () => {
      await w.accessible('tickets');
      w.quiet();
    });
    end();
  } finally {
    await w.close();
  }
});
