// Do these two rows belong to the same group? One key answers and goes on.

import { useEffect } from 'preact/hooks'
import { showPair } from '../details/open'
import { current, ensureQuestion, lastMillis, revising, revise, sending, shownQuestion, spoken, whyShown } from '../data/questions'
import { blind, shownKey } from '../data/prefs'
import { dataKey, fit } from '../data/state'
import { count, sentence } from '../data/words'
import { Empty } from '../parts/Empty'
import { PairView } from '../parts/PairView'
import { Key } from '../parts/Key'
import { AnswerButtons } from './AnswerButtons'
import { BigChange } from './BigChange'
import { RecentAnswers } from './RecentAnswers'

export function QuestionPanel() {
  useEffect(ensureQuestion, [dataKey.value, fit.value === null])
  const q = shownQuestion.value
  const got = current.value
  return (
    <div class="questions">
      <BigChange />
      <div id="question" class="question" tabIndex={-1} role="group" aria-label="Question">
        {(!got || (got.preparing && !q)) && <Empty title="Choosing a question…" />}
        {got && !got.preparing && !q && (
          <Empty title="No questions left">
            <p>{got.done ? sentence(got.done) : 'Every pair that would change the groups has been answered.'}</p>
          </Empty>
        )}
        {q && (
          <>
            <h3 class="ask">{revising.value ? 'Your earlier question' : q.strategy === 'disagreement' ? 'You disagree about these two' : 'Do these two belong together?'}</h3>
            <PairView key={`${q.a.point}-${q.b.point}`} pair={q.pair} a={q.a} b={q.b} blind={blind.value} />
          </>
        )}
      </div>
      {q && (
        <>
          <AnswerButtons />
          {(whyShown.value || q.strategy === 'disagreement') && (
            <div class="whybox">
              <p>{q.why ? sentence(q.why) : 'This pair was chosen because the groups are least certain about it.'}</p>
              {q.strategy && q.strategy !== 'disagreement' && <p class="muted">Chosen by the strategy “{q.strategy}”.</p>}
            </div>
          )}
          <div class="questionlinks">
            <button type="button" class="plain small" aria-expanded={whyShown.value} onClick={() => (whyShown.value = !whyShown.value)}>
              Why this question? <Key k={shownKey('why')} />
            </button>
            <button
              type="button"
              class="plain small"
              onClick={() => showPair(q.a.point, q.b.point)}
            >
              Show on the plot
            </button>
            {revising.value && (
              <button type="button" class="plain small" onClick={() => void revise(null)}>
                Return to the current question
              </button>
            )}
          </div>
        </>
      )}
      {got && <QueueStatus />}
      <RecentAnswers />
      <p class="hiddentext" aria-live="polite">{spoken.value}</p>
    </div>
  )
}

function QueueStatus() {
  const got = current.value!
  const t = got.totals
  const answers = t ? t.must + t.cannot + t.beliefs : 0
  return (
    <div class="queuestatus">
      {t && (
        <p>
          {count(answers, 'link')}
          {t.unsure > 0 && `, ${t.unsure} unsure`}
          {t.skipped > 0 && `, ${t.skipped} skipped`}
          {lastMillis.value !== null && !sending.value && <span class="muted"> · saved in {Math.max(1, Math.round(lastMillis.value))} ms</span>}
        </p>
      )}
      {!!got.others && <p class="muted">{count(got.others, 'other person', 'other people')} {got.others === 1 ? 'answers' : 'answer'} too; nobody else is asked about this pair.</p>}
      {got.question && got.left && <p class={got.left.includes('stopping') ? 'enough' : 'muted'}>{sentence(got.left)}</p>}
      <label class="check">
        <input type="checkbox" checked={blind.value} onChange={(e) => (blind.value = e.currentTarget.checked)} />
        <span>Hide the current groups while I answer</span>
      </label>
    </div>
  )
}
