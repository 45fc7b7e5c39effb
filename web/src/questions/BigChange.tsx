// Answers moved many rows that nobody asked about: before and after, and a way back.

import { keepOld } from '../data/actions'
import { comparing, fit, phoneTab, sideTab } from '../data/state'
import { count, sentence } from '../data/words'

export function BigChange() {
  const f = fit.value
  if (!f?.before) return null
  const before = f.before
  return (
    <div class="whybox" role="group" aria-label="A big change">
      <p>
        <strong>Your answers moved {count(f.others ?? 0, 'row')} that nobody asked about.</strong> {f.why && sentence(f.why)}
      </p>
      <button
        type="button"
        class="button small"
        onClick={() => {
          comparing.value = { from: before, to: f.n }
          sideTab.value = 'history'
          phoneTab.value = 'side'
        }}
      >
        Show before and after
      </button>{' '}
      <button type="button" class="button small" onClick={() => void keepOld()}>
        Keep the previous groups
      </button>
    </div>
  )
}
