// Groups that are branches of a tree: nobody says how many, rows stay outside, a click splits a group or merges it with the nearest, and all of
// it is in the export.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { State } from '../../src/data/types';
import { Watched, elsewhere, launch, saved } from './browser';
import { clumps } from './data';
import { steps } from './steps';
import { folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'clumps.csv'), clumps(600));
  program = await start(['clumps.csv', '--id', 'id', '--method', 'density'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

const full = (s: State) => s.fit!.clusters.filter((c) => c.size > 0);

test('a tree of groups is walked', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  const picture = async (name: string) => {
    const into = process.env.INKLING_PICTURES;
    if (into) await page.screenshot({ path: join(into, `${name}.png`) });
  };
  const open = async (name: string) => {
    const head = page.locator('.groupbutton', { has: page.locator('.groupname1', { hasText: name }) }).first();
    if (await head.getAttribute('aria-expanded') !== 'true') await head.click();
    return page.locator('.groupcard');
  };
  try {
    let s = await w.settled();
    const outside = s.fit!.unassigned;
    await step('three groups are found, and the rows between them have none', async () => {
      assert.equal(full(s).length, 3);
      assert.ok(outside > 20 && outside < 80, `${outside} rows are outside`);
      await page.locator('.unassigned').click();
      await page.locator('[role=row]', { hasText: 'out-' }).first().waitFor();
    });

    await step('two groups are merged by a click, and all others stay', async () => {
      const first = full(s)[0]!.name, card = await open(first);
      const merge = card.getByRole('button', { name: /^Merge with .* nearest to .* in the tree$/ });
      await merge.waitFor();
      await picture('tree-card');
      await w.accessible('a group of a tree');
      await merge.click();
      s = await w.until((x) => !x.running && !!x.fit && full(x).length === 2, 'there are two groups');
      assert.equal(s.fit!.unassigned, outside, 'nothing else joins or leaves');
    });

    await step('a group is split in two by a click, into the parts that the tree has for it', async () => {
      await page.keyboard.press('Control+z');
      s = await w.until((x) => !x.running && full(x).length === 3, 'undo brings three back');
      s = await w.settled();
      const button = page.locator('.groupcard').getByRole('button', { name: /^Split in two: .* has two dense parts in the tree/ });
      let whole = '', said = '';
      for (const g of full(s)) { // a group without parts of its own offers no split
        const card = await open(g.name);
        await card.getByRole('button', { name: /^Merge with .* nearest to .* in the tree$/ }).waitFor(); // the card has been filled
        if (await button.count() > 0) [whole, said] = [g.name, (await button.getAttribute('aria-label'))!];
        if (whole) break;
      }
      assert.ok(whole, 'no group offers to be split in two');
      const [one, two] = said.match(/of ([\d,]+) and ([\d,]+) rows/)!.slice(1).map((n) => Number(n.replace(',', ''))), before = full(s);
      await button.click();
      s = await w.until((x) => !x.running && full(x).length === 4, 'there are four groups');
      await picture('tree-split');
      const was = before.find((g) => g.name === whole)!, others = before.filter((g) => g !== was).map((g) => g.size);
      const parts = full(s).map((g) => g.size);
      for (const size of others) parts.splice(parts.indexOf(size), 1);
      assert.equal(parts.length, 2, 'all others stay');
      assert.equal(parts[0]! + parts[1]!, was.size, 'the parts are the whole');
      assert.ok(Math.min(...parts) >= Math.min(one!, two!), `the parts have ${parts.join(' and ')} rows, offered were ${one} and ${two}`);
      assert.equal(s.fit!.unassigned, outside);
      await page.keyboard.press('Control+z');
      s = await w.until((x) => !x.running && full(x).length === 3, 'undo takes the split back');
      s = await w.settled();
    });

    await step('rows that are selected are split off by a click', async () => {
      const { name: group, size } = full(s)[0]!, card = await open(group);
      await card.getByRole('button', { name: /^Show the rows of / }).click();
      await w.listed(size);
      const rows = page.locator('[role=row]', { hasText: /(g\d|out)-\d{5}/ });
      await rows.nth(5).waitFor();
      const chosen = (await rows.allTextContents()).slice(0, 6).map((text) => /(g\d|out)-\d{5}/.exec(text)![0]);
      await rows.nth(0).click();
      await rows.nth(5).click({ modifiers: ['Shift'] });
      await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: /^Split off/ }).click();
      s = await w.until((x) => !x.running && full(x).length === 4, 'they are a group of their own');
      const groups = await page.evaluate(async () => {
        const r = await (await fetch('./api/export/clusters.csv')).text();
        return Object.fromEntries(r.trim().split('\n').map((line) => line.split(',') as [string, string]));
      });
      const into = new Set(chosen.map((id) => groups[id]));
      assert.ok(chosen.length === 6 && into.size === 1 && !into.has('') && !into.has(group), `${chosen.join(', ')} are in ${[...into].join(', ')}, not in one group beside ${group}`);
      await page.keyboard.press('Control+z');
      s = await w.until((x) => !x.running && full(x).length === 3, 'and are not, once undone');
    });

    await step('the export has every row, with an empty cell where it has no group', async () => {
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const [file] = await Promise.all([page.waitForEvent('download'), page.locator('dialog').getByText('clusters.csv').first().click()]);
      const lines = (await saved(file)).toString().trim().split('\n').slice(1);
      assert.equal(lines.length, 600);
      assert.equal(lines.filter((l) => l.endsWith(',')).length, outside);
      await page.keyboard.press('Escape');
    });
    w.quiet();
    end();
  } finally {
    await w.close();
  }
});

test('two people have their own questions and their own undo', { skip: elsewhere }, async () => {
  const [a, b] = [await Watched.open(browser, program.url), await Watched.open(browser, program.url)];
  try {
    await a.settled();
    const must = (await a.state()).totals.must;
    const pairOf = async (w: Watched) => {
      await w.page.locator('#question .rowid').nth(1).waitFor();
      return (await w.page.locator('#question .rowid').allTextContents()).join(' · ');
    };
    const one = await pairOf(a), two = await pairOf(b);
    assert.notEqual(one, two, 'they are asked the same');
    for (const w of [a, b]) await w.page.getByRole('group', { name: 'Answer' }).getByRole('button', { name: /^same/i }).click();
    await a.until((s) => s.totals.must === must + 2, 'both answers are counted');
    await b.until((s) => s.totals.must === must + 2, 'also for the other');
    await a.page.keyboard.press('Control+z');
    await b.until((s) => s.totals.must === must + 1, 'one answer is taken back');
    const left = await b.page.evaluate(async () => (await fetch('./api/export/links.csv')).text());
    const [x, y] = two.split(' · ') as [string, string];
    assert.ok(left.split('\n').some((l) => l.includes(x) && l.includes(y)), `the answer about ${two} stays: ${left}`);
    a.quiet();
    b.quiet();
  } finally {
    await a.close();
    await b.close();
  }
});
