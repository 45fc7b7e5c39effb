// J8: a folder of pictures: groups of them, a picture on hover, two side by side in a question, a grid for each group; by measures of
// colour and edges, and by embeddings.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, elsewhere, launch, type Theme } from './browser';
import { photograph, scenes, vectors } from './data';
import { photographer, steps } from './steps';
import { folder, start } from './program';

let browser: Browser, dir: ReturnType<typeof folder>;
const count = 60;

before(async () => {
  browser = await launch();
  dir = folder();
  mkdirSync(join(dir.path, 'scenes'));
  for (const s of scenes(count)) writeFileSync(join(dir.path, 'scenes', s.name), s.png);
  writeFileSync(join(dir.path, 'private.png'), photograph(40, 30));
  symlinkSync(join(dir.path, 'private.png'), join(dir.path, 'scenes', 'way-out.png'));
});

after(async () => {
  await browser?.close();
  dir?.remove();
});

const picture = photographer('pictures');

// drawn waits until so many of these pictures are there, whole.
async function drawn(w: Watched, where: string, least: number): Promise<void> {
  await w.page.waitForFunction(([where, least]) => {
    const all = [...document.querySelectorAll<HTMLImageElement>(`${where} img`)];
    return all.filter((m) => m.complete && m.naturalWidth > 0).length >= least;
  }, [where, least] as const);
}

async function groupOf(w: Watched): Promise<Map<string, string>> {
  const text = await w.page.evaluate(async () => (await fetch('./api/export/clusters.csv')).text());
  return new Map(text.trim().split('\n').slice(1).map((l) => l.split(',') as [string, string]));
}

test('a folder of pictures, by colour and edges', async () => {
  const program = await start(['scenes', '-k', '3'], dir.path);
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  try {
    await step('kinds that differ in colour are the groups, and nothing outside of the folder is a row', async () => {
      const s = await w.settled();
      assert.equal(s.rows, count);
      assert.ok(s.pictures);
      assert.ok(s.notes!.some((n) => n.text.includes('simple measures of colour and edges')), 'the measures are said to be simple');
      const found = await groupOf(w);
      for (const kind of ['sea', 'sand', 'wood']) assert.equal(new Set([...found].filter(([id]) => id.startsWith(kind)).map(([, g]) => g)).size, 1, `all of ${kind} are in one group`);
      assert.equal(new Set(found.values()).size, 3);
    });

    await step('a picture beside the pointer', async () => {
      const p = await w.pixel(0);
      await page.mouse.move(p.x + 1, p.y);
      await page.mouse.move(p.x, p.y);
      await drawn(w, '.hovercard', 1);
      await picture(w, 'hover');
      await page.mouse.move(2, 2);
    });

    await step('two side by side in a question, with their names', async () => {
      await page.getByRole('tab', { name: 'Questions' }).click();
      await drawn(w, '.pairpicture', 2);
      assert.equal(await page.locator('.pairpicture img').nth(0).getAttribute('alt'), await page.locator('#question .rowid').nth(0).textContent());
      await w.accessible('a question about pictures');
      await picture(w, 'question');
    });

    await step('a group shows its pictures, and a click on one its details', async () => {
      await page.locator('.groupbutton').first().click();
      await drawn(w, '.picturegrid', 12);
      await w.accessible('pictures of a group');
      await picture(w, 'group');
      const one = page.locator('.picturegrid button').nth(3), name = await one.getAttribute('title');
      await one.focus();
      await page.keyboard.press('Enter');
      await page.locator('.detailtitle', { hasText: name! }).waitFor();
      await drawn(w, '.details', 1);
      await drawn(w, '.rowspanel', 3);
      await picture(w, 'details');
    });

    await step('a label by a person is kept', async () => {
      await page.getByRole('button', { name: 'Label this row' }).click();
      await page.locator('dialog input[type=text]').fill('seen');
      await page.locator('dialog').getByRole('button', { name: 'Label', exact: true }).click();
      await w.until((s) => s.totals.labels === 1, 'the label is counted');
    });

    await step('what is not a point of the folder is refused', async () => {
      const asked = await page.evaluate(() => Promise.all(['-1', '60', '../private.png', '%2e%2e/private.png', '0.png'].map(async (p) => (await fetch(`./api/picture?p=${p}`)).status)));
      for (const status of asked) assert.ok(status === 400 || status === 404, `${status}`);
      w.complaints.splice(0, w.complaints.length, ...w.complaints.filter((c) => !/40[04]/.test(c)));
    });
    w.quiet();
    end();
  } finally {
    await w.close();
    await program.stop();
  }
});

test('the same by embeddings, on a phone, in the dark', { skip: elsewhere }, async (t) => {
  // By the embeddings the kinds are two: of even and of odd numbers.
  const names = scenes(count).map((s) => s.name).sort();
  writeFileSync(join(dir.path, 'embeddings.npy'), vectors(names.map((name, i) => [Number(/\d+/.exec(name)![0]) % 2 === 0 ? 5 : -5, (i % 7) / 7, (i % 5) / 5])));
  const program = await start(['scenes', '-k', '2', '--embeddings', 'embeddings.npy', '--session', 'embedded.jsonl'], dir.path);
  const theme: Theme = 'dark', night = await launch(theme);
  t.after(() => night.close());
  const w = await Watched.open(night, program.url, { width: 390, height: 780, theme }), { page } = w;
  try {
    await w.settled();
    const found = await groupOf(w);
    for (const even of [true, false]) assert.equal(new Set([...found].filter(([id]) => (Number(/\d+/.exec(id)![0]) % 2 === 0) === even).map(([, g]) => g)).size, 1);
    await page.locator('.phonetabs').getByRole('button', { name: 'Groups' }).click();
    await page.locator('.groupbutton').first().click();
    await drawn(w, '.picturegrid', 6);
    await w.accessible('pictures on a phone');
    await picture(w, 'phone-group');
    await page.locator('.phonetabs').getByRole('button', { name: 'Questions' }).click();
    await page.getByRole('tab', { name: 'Questions' }).click();
    await drawn(w, '.pairpicture', 2);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the screen');
    await picture(w, 'phone-question');
    w.quiet();
  } finally {
    await w.close();
    await program.stop();
  }
});
