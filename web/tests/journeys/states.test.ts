// A result gets a name, something else is tried, and the way back: by keyboard alone.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, elsewhere, launch } from './browser';
import { customers } from './data';
import { steps } from './steps';
import { folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'customers.csv'), customers(400, 30));
  program = await start(['customers.csv', '--id', 'customer_id', '--label-col', 'segment', '-k', '6'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

test('a state is saved, left, compared with and returned to', { skip: elsewhere }, async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  const history = page.locator('.history');
  const press = async (name: string | RegExp) => {
    await history.getByRole('button', { name }).first().focus();
    await page.keyboard.press('Enter');
  };
  const ask = async () => {
    await press('Save this one…');
    await page.locator('dialog input:focus').waitFor();
  };
  const save = async (name: string) => {
    await ask();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await w.until((s) => (s.states ?? []).some((x) => x.name === name && x.shown), `${name} is saved`);
  };
  try {
    const first = await w.settled();
    await page.keyboard.press('h');

    await step('the first result gets a name', () => save('as tagged'));

    await step('a merger leads to another one, which gets a name too', async () => {
      const names = first.fit!.clusters.map((c) => c.name);
      await page.evaluate((clusters) => fetch('./api/merge', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ clusters }) }), names.slice(0, 2));
      await w.until((s) => s.fit!.k === 5 && !s.running, 'there are five groups');
      await save('five groups');
      await w.accessible('saved states');
    });

    await step('a name that is taken is refused with a word', async () => {
      await ask();
      await page.keyboard.type('as tagged');
      await page.getByText('A saved result has this name.').waitFor();
      await w.accessible('the dialog to save a state');
      await page.keyboard.press('Escape');
    });

    await step('both are compared', async () => {
      await press('Compare as tagged with the result shown now');
      const before = page.locator('.comparepick select').first();
      await before.waitFor();
      assert.match(await before.evaluate((s: HTMLSelectElement) => s.selectedOptions[0]!.text), /^as tagged \(fit \d+\)$/);
      await page.getByText(/^\d+ rows? moved\.$/).waitFor();
      await press('Stop comparing');
    });

    await step('the way back, and to the other one again', async () => {
      await press('Go back to as tagged');
      const back = await w.until((s) => !s.running && s.states!.some((x) => x.name === 'as tagged' && x.shown), 'the first result is shown');
      assert.deepEqual([back.fit!.k, back.totals.must], [6, 0]);
      await press('Go back to five groups');
      const again = await w.until((s) => !s.running && s.states!.some((x) => x.name === 'five groups' && x.shown), 'the second result is shown');
      assert.deepEqual([again.fit!.k, again.totals.must], [5, 5]);
      await page.keyboard.press('Control+z');
      await w.until((s) => s.totals.must === 0, 'the way back is undone');
    });

    await step('a name is forgotten', async () => {
      await press('Remove the saved result as tagged');
      await w.until((s) => s.states!.length === 1, 'one name is left');
      await w.settled();
      w.quiet();
    });
    end();
  } finally {
    await w.close();
  }
});
