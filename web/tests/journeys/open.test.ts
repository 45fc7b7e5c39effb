// J6: a person opens what they have: texts, a table with a wrong role, an edge list; before opening and after.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { State } from '../../src/data/types';
import { Watched, launch } from './browser';
import { edges, shops, tickets } from './data';
import { photographer, steps } from './steps';
import { folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  program = await start([], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

const picture = photographer('open');

// sent closes what is open and sends a file by the button.
async function sent(w: Watched, name: string, content: string): Promise<void> {
  const { page } = w;
  const close = page.getByRole('button', { name: 'Close and open other data' });
  if (await close.count() > 0) await close.click();
  await page.getByRole('button', { name: 'Choose a file' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
}

const role = (w: Watched, column: string) => w.page.getByRole('combobox', { name: `Role of ${column}`, exact: true });

// setting changes one field of the settings of a column, by keyboard.
async function setting(w: Watched, label: string, value: string): Promise<void> {
  await w.page.getByLabel(label).fill(value);
  await w.page.getByLabel(label).press('Tab');
}

test('texts, a table, an edge list', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  try {
    await w.until((s) => s.kind !== 'none', 'the example is open');
    const group = page.getByRole('button', { name: /^Group \d[\d,]* rows/ });

    await step('a CSV of texts is sent, and its groups get names', async () => {
      const texts = tickets(400, 0).split('\n').map((line) => line.split(',')[2] ?? '').join('\n');
      await sent(w, 'texts.csv', texts);
      await group.waitFor();
      assert.equal(await role(w, 'body').inputValue(), 'text');
      await w.accessible('the roles of texts');
      await picture(w, 'texts');
      await group.click();
      const s = await w.until((s) => s.name === 'texts.csv' && !!s.fit && !s.running, 'the texts are grouped');
      assert.equal(s.rows, 400);
      assert.ok(s.fit!.k >= 3 && s.fit!.k <= 10, `${s.fit!.k} groups of five topics`);
      await w.until((s) => s.fit!.clusters.every((c) => /[a-z]{3}/.test(c.name)), 'every group is called by words');
      await w.settled();
      await picture(w, 'texts-groups');
    });

    await step('the dialog shows what each column would be read as, and a click changes it', async () => {
      await sent(w, 'shops.csv', shops(300));
      await group.waitFor();
      assert.equal(await page.locator('.preview tbody tr').count(), 50);
      assert.equal(await role(w, 'shop').inputValue(), 'id');
      assert.notEqual(await role(w, 'zip').inputValue(), 'category');
      await picture(w, 'shops');
      await role(w, 'zip').selectOption('category');
      await page.locator('.preview .readas', { hasText: 'named as a category' }).waitFor();
      await role(w, 'remark').selectOption('text');
      await page.locator('.preview .readas', { hasText: 'documents, compared by TF-IDF' }).waitFor();
      await role(w, 'remark').selectOption('');
      await page.locator('.preview .readas', { hasText: 'free text' }).waitFor();
      await role(w, 'zip').selectOption('date');
      await page.locator('.problem[role=alert]', { hasText: 'zip' }).waitFor();
      assert.ok(await page.getByRole('button', { name: /^Group/ }).isDisabled(), 'what cannot be read cannot be opened');
      w.complaints.splice(0, w.complaints.length, ...w.complaints.filter((c) => !c.includes('400')));
      await role(w, 'zip').selectOption('category');
      await page.locator('.problem').waitFor({ state: 'detached' });
      await w.accessible('the roles of columns');
      await picture(w, 'shops-roles');
      await page.getByRole('button', { name: 'Settings of revenue' }).click();
      await page.getByLabel('Counts').selectOption('log');
      await page.locator('.preview .readas', { hasText: 'logarithm' }).waitFor();
      await setting(w, 'Weight', '-2');
      await page.locator('.problem[role=alert]', { hasText: 'must be a number above 0' }).waitFor();
      w.complaints.splice(0, w.complaints.length, ...w.complaints.filter((c) => !c.includes('400')));
      await setting(w, 'Weight', '2');
      await page.locator('.problem').waitFor({ state: 'detached' });
      await w.accessible('the settings of a column');
      await picture(w, 'shops-settings');
      await group.click();
      const s = await w.until((s) => s.name === 'shops.csv' && !!s.fit && !s.running, 'the shops are grouped');
      assert.equal(s.columns!.find((c) => c.name === 'zip')!.role, 'category');
      await w.settled();
    });

    await step('roles are changed after opening, by keyboard, and answers stay', async () => {
      const must = await page.evaluate(async () => {
        const rows = await (await fetch('./api/rows?sort=id&limit=3')).json() as { rows: { point: number }[] };
        const body = JSON.stringify({ kind: 'must', a: rows.rows[0]!.point, b: rows.rows[2]!.point });
        return (await fetch('./api/link', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).status;
      });
      assert.equal(must, 200);
      await w.until((s) => s.totals.must === 1, 'the answer is counted');
      const before = await w.settled();
      await page.getByRole('button', { name: 'Columns: what each is for' }).focus();
      await page.keyboard.press('Enter');
      await role(w, 'zip').waitFor();
      assert.equal(await role(w, 'zip').inputValue(), 'category', 'the role that was given stands');
      await page.getByRole('button', { name: 'Settings of revenue' }).press('Enter');
      assert.equal(await page.getByLabel('Counts').inputValue(), 'log', 'the setting that was given stands');
      assert.equal(await page.getByLabel('Weight').inputValue(), '2');
      await page.getByRole('button', { name: 'Settings of revenue' }).press('Enter');
      await role(w, 'zip').focus();
      await page.keyboard.press('l'); // leave out
      await page.locator('.preview .readas', { hasText: 'left out on request' }).waitFor();
      await picture(w, 'roles-after');
      await group.focus();
      await page.keyboard.press('Enter');
      const s = await w.until((s) => s.session !== before.session && !!s.fit && !s.running, 'the shops are grouped again');
      assert.equal(s.columns!.find((c) => c.name === 'zip')!.role, 'drop');
      assert.equal(s.totals.must, 1, 'the answer is kept');
      await w.settled();
    });

    await step('a note has a button that does what it says', async () => {
      await page.getByRole('button', { name: /^\d+ notes?$/ }).click();
      const use = page.getByRole('button', { name: 'Compare “remark” as text' });
      await use.waitFor();
      assert.equal(await page.locator('.notes', { hasText: 'text=' }).count(), 0, 'no option of the command line');
      await w.accessible('notes with buttons');
      await picture(w, 'notes');
      await use.click();
      await w.until((s) => s.columns!.find((c) => c.name === 'remark')!.role === 'text' && !!s.fit && !s.running, 'the remarks are compared');
      await w.settled();
    });

    await step('a zip column becomes a category after opening: answers stay with their rows, and its values are counted', async () => {
      await sent(w, 'branches.csv', shops(300));
      await group.waitFor();
      await group.click();
      await w.until((s) => s.name === 'branches.csv' && !!s.fit && !s.running, 'the branches are grouped');
      const zip = (s: State) => s.columns!.find((c) => c.name === 'zip')!, opened = await w.settled();
      assert.notEqual(zip(opened).role, 'category');
      assert.notEqual(zip(opened).holds, 'category');
      const told = await page.evaluate(async () => {
        const { rows } = await (await fetch('./api/rows?sort=id&limit=4')).json() as { rows: { point: number }[] }, at = rows.map((r) => r.point);
        const post = async (path: string, body: object) => (await fetch(`./api/${path}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).status;
        return [await post('link', { kind: 'must', a: at[0], b: at[3] }), await post('link', { kind: 'cannot', a: at[0], b: at[1] }), await post('label', { points: [at[1]], label: 'market' })];
      });
      assert.deepEqual(told, [200, 200, 200]);
      await w.until((s) => s.totals.must === 1 && s.totals.cannot === 1 && s.totals.labels === 1, 'all answers are counted');
      const before = await w.settled();
      await page.getByRole('button', { name: 'Columns: what each is for' }).click();
      await role(w, 'zip').selectOption('category');
      await page.locator('.preview .readas', { hasText: 'named as a category' }).waitFor();
      await picture(w, 'zip-after');
      await group.click();
      await w.until((s) => s.session !== before.session && !!s.fit && !s.running, 'the branches are grouped again');
      const s = await w.settled();
      assert.deepEqual([zip(s).role, zip(s).holds], ['category', 'category']);
      assert.deepEqual(s.totals, before.totals, 'all answers are kept');
      assert.equal(s.rows, 300);
      const [links, labels] = await page.evaluate(() => Promise.all(['links.csv', 'labels.csv'].map(async (name) => (await fetch(`./api/export/${name}`)).text())));
      for (const pair of [['s-0000', 's-0003'], ['s-0000', 's-0001']]) assert.ok(links!.split('\n').some((l) => pair.every((id) => l.includes(id))), `the link of ${pair.join(' and ')} stays: ${links}`);
      assert.ok(labels!.includes('s-0001,market'), `the label stays: ${labels}`);
      await page.getByRole('tab', { name: 'Details' }).click();
      const values = page.locator('.facets').getByRole('list', { name: 'zip' }).getByRole('button');
      await values.first().waitFor();
      const rows = Number((await values.first().locator('.num').textContent())!.replace(/\D/g, ''));
      await values.first().click();
      await w.selected((n) => n === rows, `the ${rows} rows with one zip code are selected`);
      await page.keyboard.press('Escape');
      await w.selected((n) => n === 0, 'nothing is selected');
    });

    await step('a table whose ids repeat can be mended in the dialog', async () => {
      await sent(w, 'twice.csv', shops(300).replace('s-0007', 's-0006'));
      await page.locator('.problem[role=alert]', { hasText: 's-0006' }).waitFor();
      await picture(w, 'twice');
      await role(w, 'shop').selectOption('drop');
      await page.locator('.problem').waitFor({ state: 'detached' });
      await group.click();
      await w.until((s) => s.name === 'twice.csv' && !!s.fit && !s.running, 'it is grouped');
    });

    await step('an edge list opens as a graph, and can be read as a table', async () => {
      await sent(w, 'net.csv', edges(4, 30));
      const s = await w.until((s) => s.kind === 'graph' && !!s.fit && !s.running, 'the graph is grouped');
      assert.equal(s.rows, 120);
      assert.equal(s.fit!.k, 4, 'the groups of the nodes are counted');
      await page.getByText('4 groups', { exact: true }).and(page.locator('[title*="shorten the description of the graph"]')).waitFor();
      await w.settled();
      await picture(w, 'graph');
      await page.getByRole('button', { name: /^\d+ notes?$/ }).click();
      await page.getByRole('button', { name: 'Read it as a table' }).click();
      await page.locator('.problem').waitFor(); // two columns of names are nothing to compare rows by
      await role(w, 'source').selectOption('category');
      await page.locator('.problem').waitFor({ state: 'detached' });
      await picture(w, 'edges-as-table');
      await group.click();
      await w.until((s) => s.kind === 'table' && s.name === 'net.csv' && !!s.fit && !s.running, 'the lines are rows');
    });

    await step('axe, console, requests', async () => {
      await w.accessible('a table that was opened');
      w.quiet();
    });
    end();
  } finally {
    await w.close();
  }
});
