// J4: a photograph of twelve megapixels: strokes, a mask, undo, export, and the same mask by the command.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { Watched, elsewhere, launch, saved } from './browser';
import { photograph } from './data';
import { steps } from './steps';
import { binary, folder, start, type Running } from './program';

let browser: Browser, dir: ReturnType<typeof folder>, program: Running;
// The program is as fast whatever the browser: in Firefox the photograph is a sixteenth as large.
const shrink = elsewhere ? 4 : 1, width = 4000 / shrink, height = 3000 / shrink;

before(async () => {
  browser = await launch();
  dir = folder();
  writeFileSync(join(dir.path, 'photo.png'), photograph(width, height));
  program = await start(['photo.png'], dir.path);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  dir?.remove();
});

test('strokes, mask, undo, export', async () => {
  const w = await Watched.open(browser, program.url), { page } = w;
  const { step, end } = steps(w);
  try {
    await page.locator('.picture-surface').waitFor();
    const s = await w.until((s) => s.kind === 'image' && s.image !== null, 'the picture is open');
    assert.deepEqual([s.image!.width, s.image!.height], [width, height]);

    // The picture is shown whole in the middle: from its places, of 4000 by 3000, to those of the screen.
    const box = (await page.locator('.picture-surface').boundingBox())!;
    const scale = Math.min(box.width / width, box.height / height);
    const at = (x: number, y: number) => ({ x: box.x + (box.width - width * scale) / 2 + x / shrink * scale, y: box.y + (box.height - height * scale) / 2 + y / shrink * scale });
    const stroke = async (way: [number, number][]) => {
      const first = at(...way[0]);
      await page.mouse.move(first.x, first.y);
      await page.mouse.down();
      for (const p of way.slice(1)) {
        const q = at(...p);
        await page.mouse.move(q.x, q.y, { steps: 6 });
      }
      await page.mouse.up();
    };

    await step('two strokes make a mask', async () => {
      await page.keyboard.press('1');
      await stroke([[1700, 1300], [2300, 1700]]);
      await w.until((s) => s.image!.strokes === 1, 'the first stroke is kept');
      await page.keyboard.press('2');
      await stroke([[200, 200], [3800, 250]]);
      await w.until((s) => s.image!.strokes === 2 && s.image!.mask > 0, 'a first mask is there');
      await w.until((s) => !s.running, 'its borders are refined');
    });

    await step('one more stroke, and exactly that one is undone and drawn again', async () => {
      const before = await w.state();
      await page.keyboard.press(']');
      await stroke([[300, 2800], [3700, 2800]]);
      await w.until((s) => s.image!.strokes === 3 && s.image!.mask > before.image!.mask, 'the third stroke makes another mask');
      await w.until((s) => !s.running, 'its borders are refined too');
      await page.keyboard.press('Control+z');
      await w.until((s) => s.image!.strokes === 2 && !s.running, 'the third stroke is undone');
      await page.keyboard.press('Control+Shift+z');
      await w.until((s) => s.image!.strokes === 3 && !s.running, 'and drawn again');
    });

    await step('axe', () => w.accessible('a picture'));

    await step('the files that are exported, and the same mask by the command', async () => {
      const files: Record<string, Buffer> = {};
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      for (const name of ['mask.png', 'overlay.png', 'strokes.png']) {
        const [d] = await Promise.all([page.waitForEvent('download'), page.locator('.exports button', { hasText: name }).click()]);
        files[name] = await saved(d);
        writeFileSync(join(dir.path, name), files[name]);
        assert.equal(files[name].subarray(1, 4).toString(), 'PNG', name);
        assert.deepEqual([files[name].readUInt32BE(16), files[name].readUInt32BE(20)], [width, height], `${name} has the size of the picture`);
      }
      execFileSync(binary, ['segment', 'photo.png', '--scribbles', 'strokes.png', '-o', 'again.png'], { cwd: dir.path });
      assert.ok(readFileSync(join(dir.path, 'again.png')).equals(files['mask.png']), 'the command makes the same mask');
    });

    await step('console and requests', async () => w.quiet());
    end();
  } finally {
    await w.close();
  }
});
