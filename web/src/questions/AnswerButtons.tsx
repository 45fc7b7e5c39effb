// The answers, with their keys.

import { answer, back, given, revising, sending } from '../data/questions'
import type { Say } from '../data/types'
import { Key } from '../parts/Key'

const answers: { say: Say; text: string; key: string; shown: string; class: string }[] = [
  { say: 'same', text: 'Same', key: 's', shown: 'S', class: 'same' },
  { say: 'different', text: 'Different', key: 'd', shown: 'D', class: 'different' },
  { say: 'unsure', text: 'Unsure', key: 'u', shown: 'U', class: '' },
  { say: 'skip', text: 'Skip', key: 'Space', shown: 'Space', class: '' },
]

export function AnswerButtons() {
  return (
    <div class="answers" role="group" aria-label="Answer">
      {answers.map((a) => (
        <button
          key={a.say}
          type="button"
          class={`answer ${a.class} ${sending.value === a.say ? 'sending' : ''} ${revising.value?.say === a.say ? 'chosen' : ''}`}
          aria-keyshortcuts={a.key}
          onClick={() => {
            void answer(a.say)
            document.getElementById('question')?.focus()
          }}
        >
          {a.text} <Key k={a.shown} />
        </button>
      ))}
      <button type="button" class="answer" aria-keyshortcuts="b" disabled={given.value.length === 0} onClick={back}>
        Back <Key k="B" />
      </button>
    </div>
  )
}
