// Answers of somebody who knows the truth, which the ids of the data tell.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { State } from '../../src/data/types';
import type { Watched } from './browser';

const truth = (id: string) => id.split('-')[0];

const answered = (s: State) => s.totals.must + s.totals.cannot + s.totals.unsure;

// answerQuestions answers so many questions by the function say, which gets what is true, and asserts that each
// answer is in the session on disk by the time the page shows it as saved, and that the page counts all of them.
export async function answerQuestions(w: Watched, session: string, count: number, say: (what: 'same' | 'different' | 'unsure') => Promise<void>): Promise<void> {
  const before = answered(await w.state()), asked = new Set<string>();
  for (let i = 0; i < count; i++) {
    const heads = w.page.locator('#question .rowid');
    await heads.nth(1).waitFor();
    const [a, b] = await heads.allTextContents();
    assert.ok(!asked.has(`${a} · ${b}`), `${a} and ${b} are asked about twice`);
    asked.add(`${a} · ${b}`);
    await say(i % 10 === 9 ? 'unsure' : truth(a) === truth(b) ? 'same' : 'different');
    // The answer is the newest of the list.
    await w.page.waitForFunction((pair) => document.querySelector('.recent li .ellipsis')?.textContent === pair, `${a} · ${b}`);
    const saved = readFileSync(session, 'utf8').split('\n').some((line) => line.includes(JSON.stringify(a)) && line.includes(JSON.stringify(b)));
    assert.ok(saved, `answer ${i + 1}, about ${a} and ${b}, is shown as saved and not on disk`);
  }
  await w.until((s) => answered(s) === before + count, 'all answers are counted');
}
