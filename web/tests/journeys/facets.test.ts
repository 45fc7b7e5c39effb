// J7: columns beside the plot: a brush on one selects rows, the others follow; what sets a selection apart; places; small screens.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, launch } from './browser';
import { shops } from './data';
import { photographer, steps } from './steps';
import { folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'shops.csv'), shops(300));
  program = await start(['shops.csv', '-k', '3'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

const picture = photographer('facets');

// cut lists what is shown in part: the choices of lists that are wider than the list, and what the state of the fit says.
function cut(w: Watched): Promise<string[]> {
  return w.page.evaluate(() => {
    const found: string[] = [], pen = document.createElement('canvas').getContext('2d')!;
    for (const list of document.querySelectorAll<HTMLSelectElement>('.plottools select')) {
      const style = getComputedStyle(list), arrow = 18;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      const text = list.selectedOptions[0]!.text, room = list.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
      if (pen.measureText(text).width > room + 1) found.push(`${text} in ${room} px`);
    }
    const state = document.querySelector('.fitstate')!.getBoundingClientRect();
    for (const part of document.querySelectorAll('.fitstate > *')) {
      const r = part.getBoundingClientRect();
      if (r.width > 0 && r.top < state.bottom && (r.right > state.right + 1 || r.bottom > state.bottom + 3)) found.push(part.textContent!);
    }
    return found;
  });
}

test('facets, places, small screens', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  try {
    await w.settled();
    await page.getByRole('tab', { name: 'Details' }).click();
    const facets = page.locator('.facets');
    const market = facets.getByRole('list', { name: 'kind' }).getByRole('button', { name: /^market/ });

    await step('a value of a category selects its rows, and a second one adds to them', async () => {
      await market.waitFor();
      const rows = Number((await market.locator('.num').textContent())!.replace(',', ''));
      await market.click();
      await w.selected((n) => n === rows, `the ${rows} markets are selected`);
      await page.locator('.setapart li', { hasText: 'kind market: 100 %' }).waitFor();
      await picture(w, 'market');
      await w.accessible('facets');
    });

    await step('a brush on a histogram narrows the selection, and the other facets follow', async () => {
      const box = (await facets.getByRole('img', { name: /^revenue/ }).boundingBox())!;
      const before = await w.selected((n) => n > 0, 'markets are selected');
      await page.mouse.move(box.x + 1, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + 0.36 * box.width, box.y + 20);
      await page.mouse.up();
      const both = await w.selected((n) => n > 0 && n < before, 'fewer rows are selected');
      assert.match((await market.textContent())!, new RegExp(`${both} / `), 'the bars count the selected rows');
      await picture(w, 'brush');
      await facets.getByRole('button', { name: 'Clear the filter of revenue' }).click();
      await w.selected((n) => n === before, 'the brush is taken back');
    });

    await step('by keyboard: a slider narrows, Escape clears', async () => {
      const slider = facets.getByRole('slider', { name: 'staff to' });
      await slider.focus();
      for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowLeft');
      const before = await w.selected((n) => n > 0, 'rows are selected');
      await facets.getByRole('button', { name: 'Clear the filter of staff' }).click();
      await w.selected((n) => n > before, 'the slider narrowed the selection');
      await market.focus();
      await page.keyboard.press('Enter');
      await w.selected((n) => n === 0, 'nothing is selected');
    });

    await step('points are coloured by a category', async () => {
      await page.getByRole('combobox', { name: 'Colour' }).selectOption('column:kind');
      await page.locator('.colourkey .levelkey', { hasText: 'outlet' }).waitFor();
      await picture(w, 'colours');
      await page.getByRole('combobox', { name: 'Colour' }).selectOption('cluster');
    });

    await step('places are by neighbours or linear, and a fit moves neither', async () => {
      const places = () => page.evaluate(() => Array.from({ length: 40 }, (_, i) => window.__inkling.pixelOf(i)));
      const how = page.getByRole('combobox', { name: 'Layout' });
      const shown = async (name: string) => {
        await how.selectOption(name);
        await page.waitForFunction(() => window.__inkling.placed);
        await w.settled();
        return places();
      };
      await shown('neighbours');
      const linear = await shown('linear'), near = await shown('neighbours');
      assert.notDeepEqual(near, linear);
      await page.evaluate(() => fetch('./api/fit', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"k":4}' }));
      await w.until((s) => s.fit?.k === 4 && !s.running, 'four groups');
      await w.settled();
      assert.deepEqual(await places(), near);
    });

    await step('fits are counted among fits', async () => {
      await page.getByRole('tab', { name: 'History' }).click();
      await page.locator('.events li', { hasText: /^.*Fit 2 by/ }).waitFor();
    });

    await step('colours are hidden with the groups when the pair of a question is shown', async () => {
      await page.getByRole('tab', { name: 'Questions' }).click();
      await page.getByRole('button', { name: 'Show on the plot' }).click();
      await page.locator('.colourkey', { hasText: 'Groups are hidden while you answer' }).waitFor();
      await picture(w, 'hidden');
      await page.keyboard.press('Escape');
    });

    await step('nothing is cut off at 1024 px, at 200 % and on a phone', async () => {
      for (const [width, height] of [[1440, 900], [1024, 700], [640, 400], [390, 800]] as const) {
        await w.resized(width, height);
        if (width < 1024) await page.locator('.phonetabs').getByRole('button', { name: 'Plot' }).click();
        await page.locator('.plot-surface').focus();
        await page.keyboard.press('f');
        await w.settled();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide at ${width} px`);
        const tabs = page.locator('.side .tabs');
        if (width >= 1024) {
          const over = await tabs.evaluate((e) => Math.max(...[...e.children].map((c) => c.getBoundingClientRect().right)) - e.getBoundingClientRect().right);
          assert.ok(over <= 1, `the tabs are ${over} px too wide at ${width} px`);
          const [key, surface] = [await page.locator('.colourkey').boundingBox(), await page.locator('.plot-surface').boundingBox()];
          assert.ok(key!.y >= surface!.y + surface!.height - 1, 'the line about colours lies over the points');
        }
        assert.deepEqual(await cut(w), [], `texts are cut at ${width} px`);
        await w.accessible(`facets at ${width} px`);
        await picture(w, String(width));
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });

    await step('axe, console, requests', async () => {
      await w.accessible('facets at the end');
      w.quiet();
    });
    end();
  } finally {
    await w.close();
  }
});
