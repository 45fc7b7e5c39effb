// Results with a name: to return to, and to compare with.

import { forgetEvent, returnTo } from '../data/actions'
import { comparing, dialog, server } from '../data/state'
import { clock, count } from '../data/words'
import { IconButton } from '../parts/IconButton'
import type { NamedState } from '../data/types'

export function NamedStates() {
  const s = server.value!
  const states = s.states ?? []
  if (!s.fit) return null
  const latest = s.fit.n
  return (
    <section class="states" aria-labelledby="states-title">
      <div class="movedhead">
        <h3 id="states-title">Saved results</h3>
        <button type="button" class="plain small" onClick={() => (dialog.value = { name: 'state' })}>Save this one…</button>
      </div>
      {states.length === 0 && <p class="muted small">Save a result under a name, try something else, then return to it or compare with it.</p>}
      {states.length > 0 && (
        <ul class="statelist">
          {[...states].reverse().map((x) => <Line key={x.event} state={x} latest={latest} />)}
        </ul>
      )}
    </section>
  )
}

function Line({ state: x, latest }: { state: NamedState; latest: number }) {
  return (
    <li>
      <span class="statename">
        <strong class="ellipsis" title={x.name}>{x.name}</strong>
        <span class="muted small" title={x.method}>{count(x.k, 'group')} · {x.shown ? 'shown now' : clock(x.at)}</span>
      </span>
      {!x.shown && (
        <>
          <button type="button" class="plain small" aria-label={`Compare ${x.name} with the result shown now`} onClick={() => (comparing.value = { from: x.fit, to: latest })}>Compare</button>
          <button type="button" class="plain small" aria-label={`Go back to ${x.name}`} onClick={() => void returnTo(x.fit, x.name)}>Go back</button>
        </>
      )}
      <IconButton icon="close" label={`Remove the saved result ${x.name}`} class="quiet" onClick={() => void forgetEvent(x.event, `Removed “${x.name}”`)} />
    </li>
  )
}
