// Figures of the page with very many points. Frames are counted by the page itself.

import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Watched, launch } from '../journeys/browser';
import { folder, start } from '../journeys/program';

const n = Number(process.argv[2] ?? 1_000_000);

// table writes n rows of four numbers around twelve centres.
function table(path: string): void {
  let state = 17;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const normal = () => random() + random() + random() + random() - 2;
  const centres = Array.from({ length: 12 }, () => Array.from({ length: 4 }, () => 6 * normal()));
  const file = openSync(path, 'w');
  let text = 'a,b,c,d\n';
  for (let i = 0; i < n; i++) {
    text += centres[i % 12].map((c) => (c + 2 * normal()).toFixed(3)).join(',') + '\n';
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const dir = folder(), browser = await launch();
try {
  table(join(dir.path, 'points.csv'));
  const begun = performance.now();
  const program = await start(['points.csv', '-k', '12', '--method', 'kmeans'], dir.path);
  console.log(`address printed          ${seconds(performance.now() - begun)}`);
  try {
    // The server works first: the page is opened when the places of the points are known.
    const w = await Watched.open(browser, program.url), { page } = w;
    await w.settled();
    console.log(`first clustering drawn   ${seconds(performance.now() - begun)} after the start`);
    const sent = new Map<string, number>();
    page.on('response', (r) => {
      const name = new URL(r.url()).pathname.replace(/^.*\/api\//, '');
      void r.request().sizes().then((s) => sent.set(name, (sent.get(name) ?? 0) + s.responseBodySize), () => undefined);
    });
    await page.reload();
    await page.waitForFunction(() => (window.__inkling?.plot?.stats().drawn ?? 0) > 0);
    const first = await page.evaluate(() => performance.now());
    await w.settled();
    console.log(`first picture            ${first.toFixed(0)} ms after the page was asked for`);
    console.log(`points                   ${megabytes(sent.get('points') ?? 0)}`);

    const move = (what: 'pan' | 'zoom') => page.evaluate(async (what) => {
      const s = document.querySelector('.plot-surface')!, r = s.getBoundingClientRect();
      for (let i = 0; i < 150; i++) {
        if (what === 'pan') s.dispatchEvent(new KeyboardEvent('keydown', { key: i % 40 < 20 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
        else s.dispatchEvent(new WheelEvent('wheel', { deltaY: i % 100 < 50 ? -20 : 20, clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, bubbles: true, cancelable: true }));
        await new Promise(requestAnimationFrame);
      }
      return window.__inkling.plot!.stats();
    }, what);
    for (const what of ['pan', 'zoom'] as const) {
      const s = await move(what);
      console.log(`${what.padEnd(24)} ${s.fps.toFixed(0)} frames a second, ${s.ms.toFixed(1)} ms of drawing each, ${s.drawn.toLocaleString('en')} points`);
    }

    await page.keyboard.press('f');
    await page.waitForFunction(() => window.__inkling.plot!.stats().drawn === window.__inkling.state!.rows);
    await page.getByRole('button', { name: /^Lasso/ }).click();
    const box = (await page.locator('.plot-surface').boundingBox())!;
    // A circle with about a tenth of the points in it.
    const radius = await page.evaluate(() => {
      const rect = document.querySelector('.plot-surface')!.getBoundingClientRect(), away: number[] = [];
      for (let i = 0; i < Math.min(10_000, window.__inkling.state!.rows); i++) {
        const [x, y] = window.__inkling.pixelOf(i)!;
        away.push(Math.hypot(x - rect.width / 2, y - rect.height / 2));
      }
      return away.sort((a, b) => a - b)[Math.floor(away.length / 10)];
    });
    await page.mouse.move(box.x + box.width / 2 + radius, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 1; i <= 48; i++) await page.mouse.move(box.x + box.width / 2 + radius * Math.cos(i * Math.PI / 24), box.y + box.height / 2 + radius * Math.sin(i * Math.PI / 24));
    await page.mouse.up();
    await page.locator('.selectionbar').waitFor();
    const chosen = await page.locator('.selectionbar strong').textContent();
    console.log(`lasso                    ${(await page.evaluate(() => window.__inkling.plot!.stats().lasso)).toFixed(0)} ms, ${chosen}`);
    await page.keyboard.press('Escape');

    sent.clear();
    const before = (await w.state()).fit!.n, again = performance.now();
    await page.evaluate(() => fetch('./api/fit', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"seed":7}' }));
    await w.until((s) => s.fit!.n > before && !s.running, 'the new clustering is there');
    const took = performance.now() - again;
    for (let i = 0; i < 100 && !sent.has('labels'); i++) await page.waitForTimeout(100);
    await page.waitForTimeout(1000);
    let all = 0;
    for (const [name, bytes] of sent) if (name !== 'stream') all += bytes;
    console.log(`a new clustering         ${megabytes(sent.get('labels') ?? 0)} of labels, ${megabytes(all)} in all, ${seconds(took)}`);
    for (const c of [...w.complaints, ...w.outside]) console.log('complaint: ' + c);
    await w.close();
  } finally {
    await program.stop();
  }
} finally {
  await browser.close();
  dir.remove();
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1) + ' s';
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2) + ' MB';
}
