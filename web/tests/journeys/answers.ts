// Answers of somebody who knows the truth, which the ids of the data tell.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Watched } from './browser';

const truth = (id: string) => id.split('-')[0];

// answerQuestions answers so many questions by the function say, which gets what is true, and asserts that each
// answer is in the session on disk by the time the page shows it as saved.
export async function answerQuestions(w: Watched, session: string, count: number, say: (what: 'same' | 'different' | 'unsure') => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  for (let i = 0; i < count; i++) {
    const heads = w.page.locator('#question .rowid');
    await heads.first().waitFor();
    const [a, b] = await heads.allTextContents();
    const before = await w.page.locator('.recent li').count(), shown = await w.page.evaluate(() => document.querySelector('.recent')?.textContent ?? '');
    const events = readFileSync(session, 'utf8').split('\n').length;
    const begun = Date.now();
    await say(i % 10 === 9 ? 'unsure' : truth(a) === truth(b) ? 'same' : 'different');
    // Ten answers are listed; from then on the list changes without growing.
    await w.page.waitForFunction(([n, text]) => {
      const list = document.querySelector('.recent');
      return list !== null && (list.querySelectorAll('li').length > Number(n) || list.textContent !== text);
    }, [before, shown] as const);
    took.push(Date.now() - begun);
    assert.ok(readFileSync(session, 'utf8').split('\n').length > events, `answer ${i + 1} is shown as saved and not on disk`);
  }
  return took;
}
