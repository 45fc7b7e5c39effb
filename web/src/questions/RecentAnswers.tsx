// The last ten answers; each can be changed or taken back.

import { given, revise, revising, takeBack } from '../data/questions'
import { IconButton } from '../parts/IconButton'

const words = { same: 'same', different: 'different', unsure: 'unsure', skip: 'skipped' }

export function RecentAnswers() {
  const list = [...given.value].reverse()
  if (list.length === 0) return null
  return (
    <div class="recent">
      <h3>Last answers</h3>
      <ol>
        {list.map((g) => (
          <li key={g.event} class={revising.value === g ? 'current' : ''}>
            <span class={`said ${g.say}`}>{words[g.say]}</span>
            <span class="ellipsis" title={g.text}>{g.text}</span>
            {g.pair && (
              <IconButton icon="edit" label={`Change the answer: ${g.text}`} class="quiet" onClick={() => {
                void revise(g)
                document.getElementById('question')?.focus()
              }} />
            )}
            <IconButton icon="close" label={`Take back the answer: ${g.text}`} class="quiet" onClick={() => void takeBack(g)} />
          </li>
        ))}
      </ol>
    </div>
  )
}
