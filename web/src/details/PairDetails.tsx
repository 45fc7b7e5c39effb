// Two rows: why they are together or apart, and links between them.

import { shownKey } from '../data/prefs'
import { useState } from 'preact/hooks'
import { believePoints, linkSelection } from '../data/actions'
import { api } from '../data/api'
import { useLoaded } from '../data/loaded'
import { fit, server } from '../data/state'
import { figure, sentence } from '../data/words'
import { IconButton } from '../parts/IconButton'
import { PairView } from '../parts/PairView'

export function PairDetails({ a, b }: { a: number; b: number }) {
  const got = useLoaded(`${a}|${b}|${fit.value?.n}|${server.value?.events}`, (stop) => api.pair(a, b, stop))
  const [belief, setBelief] = useState(0.5)
  const d = got.value
  if (!d) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  return (
    <div class="details">
      <h3 class="detailtitle">{d.together ? 'Why together' : 'Why apart'}</h3>
      {(d.why ?? []).map((w, i) => <p key={i}>{sentence(w)}</p>)}
      {!!d.chain?.length && (
        <p class="muted">Must-links join them: {d.chain.join(' – ')}.</p>
      )}
      <div class="cardactions">
        <IconButton icon="link" text="Must-link" label="Must-link: the two belong together" keys={shownKey('must')} onClick={() => linkSelection('must')} />
        <IconButton icon="unlink" text="Cannot-link" label="Cannot-link: the two do not belong together" keys={shownKey('cannot')} onClick={() => linkSelection('cannot')} />
      </div>
      <div class="belief">
        <label>
          <span>Belief {figure(belief)}</span>
          <input type="range" min={-1} max={1} step={0.1} value={belief} onInput={(e) => setBelief(Number(e.currentTarget.value))} />
          <span class="ends muted"><span>apart</span><span>together</span></span>
        </label>
        <button type="button" class="button small" disabled={belief === 0} onClick={() => void believePoints(a, b, belief)}>Add belief</button>
      </div>
      <PairView pair={d.pair} a={d.a} b={d.b} />
    </div>
  )
}
