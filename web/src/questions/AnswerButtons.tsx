// The answers, with their keys.

import { answer, back, given, revising, sending } from '../data/questions'
import { shownKey } from '../data/prefs'
import type { Say } from '../data/types'
import { Key } from '../parts/Key'

const answers: { say: Say; text: string; class: string }[] = [
  { say: 'same', text: 'Same', class: 'same' },
  { say: 'different', text: 'Different', class: 'different' },
  { say: 'unsure', text: 'Unsure', class: '' },
  { say: 'skip', text: 'Skip', class: '' },
]

export function AnswerButtons() {
  return (
    <div class="answers" role="group" aria-label="Answer">
      {answers.map((a) => (
        <button
          key={a.say}
          type="button"
          class={`answer ${a.class} ${sending.value === a.say ? 'sending' : ''} ${revising.value?.say === a.say ? 'chosen' : ''}`}
          aria-keyshortcuts={shownKey(a.say)}
          onClick={() => {
            void answer(a.say)
            document.getElementById('question')?.focus()
          }}
        >
          {a.text} <Key k={shownKey(a.say)} />
        </button>
      ))}
      <button type="button" class="answer" aria-keyshortcuts={shownKey('back')} disabled={given.value.length === 0} onClick={back}>
        Back <Key k={shownKey('back')} />
      </button>
    </div>
  )
}
