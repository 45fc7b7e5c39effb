// J1: five thousand customers, forty known segments: groups, questions, suspects, before and after, export.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import type { State } from '../../src/data/types';
import { answerQuestions } from './answers';
import { Watched, elsewhere, launch, saved } from './browser';
import { customers, segments } from './data';
import { steps } from './steps';
import { binary, folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'customers.csv'), customers(5000, 40));
});

after(async () => {
  await browser?.close();
  dir?.remove();
});

// begin starts the program on the customers with a session of its own.
async function begin(session: string): Promise<Watched> {
  program = await start(['customers.csv', '--id', 'customer_id', '--label-col', 'segment', '-k', '6', '--session', session], dir.path);
  return Watched.open(browser, program.url);
}

test('with the mouse', { skip: elsewhere }, async () => {
  const w = await begin('mouse.jsonl'), { page } = w, session = join(dir.path, 'mouse.jsonl');
  const { step, end } = steps(w);
  try {
    const first = await w.settled();
    assert.equal(first.rows, 5000);
    assert.equal(first.fit!.k, 6);
    assert.equal(await page.locator('.group').count(), 6);

    await step('A group opens to its card: what sets it apart, and typical rows', async () => {
      await page.locator('.groupbutton').nth(2).click();
      await page.locator('.groupcard .rowlinks li').first().waitFor();
      assert.ok(await page.locator('.groupcard .traits > div').count() > 0, 'the card says what sets the group apart');
      assert.ok(await page.locator('.groupcard .rowlinks').first().locator('li').count() >= 3, 'three typical rows');
      await page.locator('.groupbutton').nth(2).click();
    });

    await step('Twenty-five answers, by the buttons', async () => {
      await page.getByRole('tab', { name: 'Questions' }).click();
      await answerQuestions(w, session, 25, (what) => page.getByRole('group', { name: 'Answer' }).getByRole('button', { name: new RegExp(`^${what}`, 'i') }).click());
      assert.equal((await w.state()).totals.unsure, 2, 'every tenth answer');
      await w.until((s) => s.fit!.n > first.fit!.n && !s.running, 'the clustering followed the answers');
    });

    await step('A label that is wrong on purpose becomes a suspect and is dropped', async () => {
      const given = (await w.settled()).totals.labels;
      await page.getByRole('searchbox', { name: 'Search rows' }).fill('c1-00601');
      await page.getByRole('button', { name: 'Select 1', exact: true }).click();
      await page.getByRole('button', { name: 'Label the selection' }).click();
      await page.locator('dialog input[type=text]').fill(segments[0]);
      await page.locator('dialog').getByRole('button', { name: 'Label', exact: true }).click();
      await w.until((s) => s.totals.labels > given, 'the label is counted');
      await page.getByRole('searchbox', { name: 'Search rows' }).fill('');
      await w.settled();
      await page.getByRole('tab', { name: 'Suspects' }).click();
      const suspect = page.locator('.checklist li', { hasText: 'c1-00601' });
      const { totals: { labels } } = await w.judged();
      await suspect.first().waitFor();
      await suspect.first().getByRole('button', { name: 'Drop' }).click();
      await w.until((s) => s.totals.labels === labels - 1, 'the label is dropped');
      await w.settled();
    });

    await step('Before and after', async () => {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('button', { name: 'Compare the last two fits' }).click();
      const slider = page.locator('.compareslider input');
      await slider.waitFor();
      await slider.fill('0.8');
      await page.locator('.compare .contingency').waitFor();
      await page.locator('.compareslider').getByRole('button', { name: 'Stop comparing' }).click();
    });

    await step("A name of one's own, which stays", async () => {
      await page.locator('.groupbutton').first().click();
      await page.locator('.groupcard').getByRole('button', { name: /^Rename/ }).click();
      await page.locator('dialog input[type=text]').fill('Loyal <b>customers</b>');
      await page.locator('dialog').getByRole('button', { name: 'Rename', exact: true }).click();
      await w.until((s) => s.fit!.clusters.some((c) => c.name === 'Loyal <b>customers</b>'), 'the group has its name');
      assert.equal(await page.locator('.groupname1 b').count(), 0, 'a name is text');
      await w.settled();
    });

    await step('Export, and the command that makes the same bytes', async () => {
      await w.settled();
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const files: Record<string, string> = {};
      for (const name of ['rows.csv', 'clusters.csv', 'report.html']) {
        const [d] = await Promise.all([page.waitForEvent('download'), page.locator('.exports button', { hasText: name }).click()]);
        assert.equal(d.suggestedFilename(), name);
        files[name] = (await saved(d)).toString();
      }
      assert.equal(files['rows.csv'].trim().split('\n').length, 5001);
      assert.ok(files['report.html'].startsWith('<!doctype html>') || files['report.html'].startsWith('<!DOCTYPE html>'));
      const { lines } = await page.evaluate(async () => (await fetch('./api/command')).json() as Promise<{ lines: string[] }>);
      const [click] = await Promise.all([page.waitForResponse(/api\/command/), page.getByRole('button', { name: /Copy the command/ }).click()]);
      assert.equal(click.status(), 200);
      await w.accessible('export');
      w.quiet();
      await program.stop();
      for (const l of lines) execFileSync('bash', ['-c', l.replace(/^inkling /, `'${binary}' `)], { cwd: dir.path });
      assert.equal(readFileSync(join(dir.path, 'clusters.csv'), 'utf8'), files['clusters.csv'], 'the copied command makes the exported bytes');
    });
    end();
  } finally {
    await w.close();
    await program.stop();
  }
});

test('with the keyboard alone', async () => {
  const w = await begin('keys.jsonl'), { page } = w, session = join(dir.path, 'keys.jsonl');
  const press = (...keys: string[]) => keys.reduce((p, k) => p.then(() => page.keyboard.press(k)), Promise.resolve());
  // reach goes on with Tab, or another key, until the focused element has this name.
  const reach = async (name: RegExp, key = 'Tab') => {
    for (let i = 0; i < 150; i++) {
      const at = await page.evaluate(() => {
        const e = document.activeElement as HTMLElement;
        return (e.getAttribute('aria-label') ?? e.textContent ?? '').trim();
      });
      if (name.test(at)) return;
      await page.keyboard.press(key);
    }
    assert.fail(`${key} does not reach ${name}`);
  };
  const { step, end } = steps(w);
  try {
    const first = await w.settled();

    await step('G goes to the groups, Enter opens one', async () => {
      await press('g', 'Enter');
      await page.locator('.groupcard .rowlinks li').first().waitFor();
      await press('Enter');
    });

    await step('Q, and S, D and U answer', async () => {
      await press('q');
      const key = { same: 's', different: 'd', unsure: 'u' };
      await answerQuestions(w, session, 25, (what) => press(key[what]));
      await page.locator('#question .rowid').first().waitFor();
      await press('w');
      await page.locator('.whybox').waitFor();
      const answered = (s: State) => s.totals.must + s.totals.cannot + s.totals.unsure;
      await press('Control+z');
      await w.until((s) => answered(s) === 24, 'the last answer is undone');
      await press('Control+Shift+z');
      await w.until((s) => answered(s) === 25, 'and done again');
      await w.until((s) => s.fit!.n > first.fit!.n && !s.running, 'the clustering followed the answers');
    });

    await step('A label on a row found by search', async () => {
      const given = (await w.settled()).totals.labels;
      await press('/');
      await page.keyboard.type('c1-00601');
      await page.waitForFunction(() => /^1 row$/.test(document.querySelector('.rowspanel [role=status]')?.textContent ?? ''));
      await press('Enter', 'Space', 'l');
      await page.waitForFunction(() => document.activeElement?.matches('dialog input'));
      await page.keyboard.type(segments[0]);
      await press('Enter');
      await w.until((s) => s.totals.labels > given, 'the label is counted');
      await w.settled();
    });

    await step('Suspects are beside the violations, and are dropped with Enter', async () => {
      await press('v');
      await page.waitForFunction(() => document.activeElement?.id === 'tab-violations');
      await press('ArrowRight');
      await page.getByRole('tab', { name: 'Suspects', selected: true }).waitFor();
      const { totals: { labels } } = await w.judged();
      await page.locator('.checklist li', { hasText: 'c1-00601' }).first().waitFor();
      for (let i = 0; ; i++) {
        assert.ok(i < 100, 'Tab does not reach the suspect');
        await page.keyboard.press('Tab');
        await reach(/^Drop$/);
        if (await page.evaluate(() => document.activeElement?.closest('li')?.textContent?.includes('c1-00601'))) break;
      }
      await press('Enter');
      await w.until((s) => s.totals.labels === labels - 1, 'the label is dropped');
      await w.settled();
    });

    await step('History, before and after, the slider by arrow keys', async () => {
      await press('h');
      await reach(/^Compare the last two fits$/);
      await press('Enter');
      await page.locator('.compareslider input').waitFor();
      await page.locator('.compare .contingency').waitFor();
      await press('g'); // from the groups on the way through the page
      for (let i = 0; i < 60 && !await page.evaluate(() => document.activeElement?.matches('.compareslider input')); i++) await press('Tab');
      const share = await page.locator('.compareslider input').inputValue();
      await press('ArrowRight', 'ArrowRight');
      assert.notEqual(await page.locator('.compareslider input').inputValue(), share, 'arrow keys move the slider');
      await press('Escape');
      await page.locator('.compareslider').waitFor({ state: 'detached' });
    });

    await step('The plot moves by its keys', async () => {
      for (let i = 0; i < 60 && !await page.evaluate(() => document.activeElement?.matches('.plot-surface')); i++) await press('Shift+Tab');
      const place = await w.pixel(0);
      await press('ArrowLeft');
      assert.ok((await w.pixel(0)).x > place.x, 'the arrow to the left shows what is there');
      const wide = await page.evaluate(() => Math.abs(window.__inkling.pixelOf(0)![0] - window.__inkling.pixelOf(1)![0]));
      await press('+');
      assert.ok(await page.evaluate(() => Math.abs(window.__inkling.pixelOf(0)![0] - window.__inkling.pixelOf(1)![0])) > wide, 'plus zooms in');
      await press('f');
    });

    await step('A name, an export and the command', async () => {
      await press('g', 'Enter');
      await page.locator('.groupcard').waitFor();
      await reach(/^Rename/);
      await press('Enter');
      await page.locator('dialog input[type=text]').waitFor();
      await press('Control+a');
      await page.keyboard.type('Loyal');
      await press('Enter');
      await w.until((s) => s.fit!.clusters.some((c) => c.name === 'Loyal'), 'the group has its name');
      await w.settled();
      await reach(/^Export$/, 'Shift+Tab'); // not by way of the end of the page, after which browsers differ
      await press('Enter');
      await page.locator('.exports').waitFor();
      const [d] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      assert.equal(d.suggestedFilename(), 'rows.csv');
      assert.match((await saved(d)).toString(), /Loyal/);
      await press('Escape');
      await page.locator('.exports').waitFor({ state: 'detached' });
      w.quiet();
    });
    end();
  } finally {
    await w.close();
    await program.stop();
  }
});
