// A browser with a page that watches itself: errors on the console and requests to
// other places than the program are kept, and every test asks for them at its end.
// INKLING_JOURNEYS says which: chromium, unless it is firefox.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, firefox, type Browser, type BrowserContext, type BrowserServer, type Download, type LaunchOptions, type Page } from 'playwright-core';
import type { Plot } from '../../src/plot/plot';
import type { State } from '../../src/data/types';

declare global {
  interface Window {
    __inkling: { state: State | null; plot: Plot | null; placed: boolean; underWay: string[]; pointAt(x: number, y: number): number | null; pixelOf(point: number): [number, number] | null };
    axe: { run(context: Document, options: object): Promise<{ violations: AxeViolation[] }> };
  }
}

interface AxeViolation { id: string; impact: string | null; help: string; nodes: { target: unknown; failureSummary?: string }[] }

// No step waits longer than this for what it expects; slow machines take their time.
export const patience = Number(process.env.INKLING_PATIENCE ?? 120) * 1000;

// How many times slower Chromium runs the page than it could: INKLING_SLOWER=6 looks for steps that wait for a time and not for a state.
const slower = Number(process.env.INKLING_SLOWER ?? 1);

export type Theme = 'light' | 'dark';

export const inFirefox = process.env.INKLING_JOURNEYS === 'firefox';

// elsewhere is why a journey is left out in Firefox: what it meets first is the program, and what it needs of the browser
// other journeys meet there. With INKLING_FULL=1 Firefox walks all of them.
export const elsewhere = inFirefox && !process.env.INKLING_FULL && 'walked in Chromium; in Firefox with INKLING_FULL=1';

const kind = inFirefox ? firefox : chromium;

// Firefox, driven by WebDriver BiDi, takes a theme and less motion from its settings only: one that is dark is another process.
function options(theme: Theme): LaunchOptions {
  if (!inFirefox) return { executablePath: process.env.INKLING_BROWSER || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] };
  return {
    channel: 'moz-firefox', executablePath: process.env.INKLING_FIREFOX || '/usr/bin/firefox-esr',
    firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'layout.css.prefers-color-scheme.content-override': theme === 'dark' ? 0 : 1 },
  };
}

// serve starts the browser that the journeys share.
export function serve(): Promise<BrowserServer> {
  return kind.launchServer(options('light'));
}

// launch connects to the browser at INKLING_BROWSER_AT, and starts one where there is none or it has another theme.
export function launch(theme: Theme = 'light'): Promise<Browser> {
  const at = process.env.INKLING_BROWSER_AT;
  return at && !(inFirefox && theme === 'dark') ? kind.connect(at) : kind.launch(options(theme));
}

// saved returns what was downloaded.
export async function saved(d: Download): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), 'inkling-download-')), path = join(dir, 'file');
  try {
    await d.saveAs(path);
    return readFileSync(path);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export interface Look { width?: number; height?: number; theme?: Theme; ratio?: number; touch?: boolean }

export class Watched {
  readonly complaints: string[] = [];
  readonly outside: string[] = [];
  private constructor(readonly context: BrowserContext, readonly page: Page) {}

  static async open(browser: Browser, url: string, look: Look = {}): Promise<Watched> {
    const context = await browser.newContext({
      viewport: { width: look.width ?? 1280, height: look.height ?? 800 }, deviceScaleFactor: look.ratio ?? 1, acceptDownloads: true,
      ...inFirefox ? {} : { colorScheme: look.theme ?? 'light', hasTouch: look.touch ?? false, reducedMotion: 'reduce' },
    });
    context.setDefaultTimeout(patience);
    const page = await context.newPage(), w = new Watched(context, page);
    if (slower > 1 && !inFirefox) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slower });
    const origin = new URL(url).origin;
    const complain = (what: string) => {
      if (inFirefox && process.env.INKLING_PICTURES && what.includes('blocked an inline style')) return; // of what takes the pictures
      w.complaints.push(what);
    };
    page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') complain(`${m.type()}: ${m.text()} ${m.location().url}`); });
    page.on('pageerror', (e) => complain(`error: ${e.message}`));
    page.on('requestfailed', (r) => { if (!/ABORTED$/.test(r.failure()?.errorText ?? '')) w.complaints.push(`failed: ${r.url()} ${r.failure()?.errorText}`); });
    await context.route('**/*', (route) => {
      const to = route.request().url();
      if (to.startsWith('blob:') || to.startsWith('data:') || new URL(to).origin === origin) return route.continue();
      w.outside.push(to);
      return route.abort();
    });
    await page.goto(url);
    return w;
  }

  // settled waits until the clustering is there with its descriptions and names, nothing is running or being asked, and the points
  // are drawn: also after two frames, in which a part of the page may ask for what it shows.
  async settled(): Promise<State> {
    const end = Date.now() + patience;
    for (;;) {
      const now = await this.page.evaluate(async () => {
        const before = window.__inkling?.underWay ?? ['the page'];
        if (before.length > 0) return before;
        await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(go))));
        return window.__inkling.underWay.length > 0 ? window.__inkling.underWay : window.__inkling.state!;
      });
      if (!Array.isArray(now)) {
        assert.equal(now.error ?? null, null, 'the fit failed');
        return now;
      }
      assert.ok(Date.now() < end, `waited in vain for ${now.join(', ')}`);
      await this.page.waitForTimeout(40);
    }
  }

  // judged waits until all constraints were looked at for suspects, and the panel, where it is open, lists them.
  async judged(): Promise<State> {
    await this.until((s) => !!s.suspects?.ready && !s.running, 'all constraints are judged');
    const s = await this.settled();
    await this.page.locator('.checks .waiting').waitFor({ state: 'detached' });
    return s;
  }

  async state(): Promise<State> {
    return this.page.evaluate(() => window.__inkling.state!);
  }

  // until waits for something of the state.
  async until(what: (s: State) => boolean, words: string): Promise<State> {
    const end = Date.now() + patience;
    for (;;) {
      const s = await this.state();
      if (s && what(s)) return s;
      assert.ok(Date.now() < end, `waited in vain until ${words}; the state is ${JSON.stringify({ ...s, columns: [], examples: [], methods: [] }).slice(0, 2500)}`);
      await this.page.waitForTimeout(40);
    }
  }

  // selected waits until so many rows are selected as it should be, and returns their number.
  async selected(what: (n: number) => boolean, words: string): Promise<number> {
    const end = Date.now() + patience;
    for (;;) {
      const n = await this.page.evaluate(() => Number(document.querySelector('.selectionbar strong')?.textContent?.replace(/\D/g, '') ?? 0));
      if (what(n)) return n;
      assert.ok(Date.now() < end, `waited in vain until ${words}; ${n} rows are selected`);
      await this.page.waitForTimeout(40);
    }
  }

  // listed waits until the table shows so many rows.
  async listed(count: number): Promise<void> {
    await this.page.waitForFunction((words) => document.querySelector('.rowspanel [role=status]')?.textContent === words, `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`);
    await this.settled();
  }

  // resized waits until the page has another size, and the plot, where it is shown, the one that it has then.
  async resized(width: number, height: number): Promise<void> {
    await this.page.setViewportSize({ width, height });
    await this.page.waitForFunction(([width, height]) => {
      const host = document.querySelector<HTMLElement>('.plot-surface'), canvas = host?.querySelector('canvas');
      return innerWidth === width && innerHeight === height && (!host || !canvas || host.clientWidth === 0 || Math.abs(canvas.width / devicePixelRatio - host.clientWidth) < 1);
    }, [width, height] as const);
  }

  // pixel returns where a point is on the screen.
  async pixel(point: number): Promise<{ x: number; y: number }> {
    const at = await this.page.evaluate((p) => {
      const host = document.querySelector('.plot-surface')!.getBoundingClientRect(), [x, y] = window.__inkling.pixelOf(p)!;
      return { x: host.left + x, y: host.top + y };
    }, point);
    return at;
  }

  // quiet asserts that the page neither complained nor asked anybody else.
  quiet(): void {
    assert.deepEqual(this.complaints, [], 'the console has errors or warnings');
    assert.deepEqual(this.outside, [], 'requests left the origin');
  }

  // accessible asserts that axe finds nothing serious in what is shown.
  async accessible(view: string): Promise<void> {
    if (!await this.page.evaluate(() => 'axe' in window)) {
      // As a function of the page and not as a script tag, which its policy forbids.
      await this.page.evaluate(axeSource);
    }
    const found = await this.page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'] })).violations);
    const bad = found.filter((v) => v.impact === 'serious' || v.impact === 'critical');
    assert.deepEqual(bad.map((v) => `${v.id}: ${v.help}\n${v.nodes.slice(0, 4).map((n) => `    ${JSON.stringify(n.target)} ${n.failureSummary ?? ''}`).join('\n')}`), [], `axe finds serious faults in: ${view}`);
  }

  async close(): Promise<void> {
    await this.context.close();
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
