// Every view, wide and narrow, light and dark: axe finds nothing serious, nothing overflows, the console is silent.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, elsewhere, launch } from './browser';
import { photograph } from './data';
import { folder, start, type Running } from './program';

let dir: ReturnType<typeof folder>;
const pictures = process.env.INKLING_PICTURES; // a folder to put pictures of every view into

before(async () => {
  dir = folder();
  writeFileSync(join(dir.path, 'photo.png'), photograph(400, 300));
  if (pictures) mkdirSync(pictures, { recursive: true });
});

after(async () => {
  dir?.remove();
});

for (const width of [1280, 390]) {
  for (const theme of ['light', 'dark'] as const) {
    // Firefox looks at a wide screen in the light and at a narrow one in the dark.
    test(`${width} pixels wide, ${theme}`, { skip: (width > 500) === (theme === 'dark') && elsewhere }, async (t) => {
      const browser: Browser = await launch(theme);
      t.after(() => browser.close());
      const looked: string[] = [];
      const look = async (w: Watched, view: string) => {
        looked.push(view);
        const over = await w.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${view} is ${over} pixels wider than the screen`);
        if (pictures) await w.page.screenshot({ path: join(pictures, `${width}-${theme}-${view.replaceAll(' ', '-')}.png`) });
        await w.accessible(`${view}, ${width} pixels wide, ${theme}`);
      };
      const on = async (args: string[], visit: (w: Watched) => Promise<void>) => {
        const program: Running = await start(args, dir.path);
        const w = await Watched.open(browser, program.url, { width, height: width < 500 ? 780 : 800, theme, touch: width < 500 });
        try {
          await visit(w);
          w.quiet();
        } finally {
          await w.close();
          await program.stop();
        }
      };
      const narrow = width < 500;

      // Without a name an example is opened.
      await on([], async (w) => {
        const { page } = w, panel = (name: string) => page.locator('.phonetabs').getByRole('button', { name }).click();
        await w.settled();
        await look(w, 'plot');
        if (narrow) await panel('Groups');
        await page.locator('.groupbutton').first().click();
        await page.locator('.groupcard .rowlinks').first().waitFor();
        await look(w, 'a group');
        if (narrow) await panel('Rows');
        await page.locator('.rowspanel .line').nth(1).waitFor();
        await look(w, 'rows');
        await page.locator('.rowspanel .line .box').nth(0).click();
        await page.locator('.rowspanel .line .box').nth(1).click();
        for (const tab of ['Questions', 'Details', 'Violations', 'Suspects', 'History']) {
          if (narrow) await panel('Questions');
          await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
          if (tab === 'Questions') await page.locator('#question .rowid, .empty').first().waitFor();
          await page.locator('#side-body :not(.pad)').first().waitFor();
          await look(w, tab);
        }
        if (narrow) await panel('Plot');
        await page.getByRole('button', { name: 'Label the selection' }).click();
        await look(w, 'label');
        await page.keyboard.press('Escape');
        for (const [button, view] of [['Keyboard shortcuts', 'keys'], [/^Settings/, 'settings'], ['Export', 'export']] as const) {
          await page.getByRole('navigation', { name: 'Actions' }).getByRole('button', { name: button, exact: typeof button === 'string' }).click();
          await page.locator('dialog[open]').waitFor();
          await look(w, view);
          await page.keyboard.press('Escape');
          await page.locator('dialog[open]').waitFor({ state: 'detached' });
        }
        await page.getByRole('button', { name: 'Close and open other data' }).click();
        await page.locator('.examples').waitFor();
        await look(w, 'start');
      });

      await on(['photo.png', '--session', `${width}-${theme}.jsonl`], async (w) => {
        await w.page.locator('.picture-surface').waitFor();
        const [hint, zoom] = [await w.page.locator('.imagehint').boundingBox(), await w.page.locator('.zoomtools').boundingBox()];
        assert.ok(hint!.x + hint!.width <= zoom!.x || hint!.y + hint!.height <= zoom!.y || zoom!.y + zoom!.height <= hint!.y, 'the hint is under the buttons');
        assert.equal(await w.page.locator('.imagehint').evaluate((e) => e.scrollWidth > e.clientWidth), false, 'the hint is cut');
        await look(w, 'picture');
      });
      assert.ok(looked.length >= 12, `only ${looked.length} views were looked at`);
    });
  }
}
