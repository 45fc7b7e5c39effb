// Everything that was done, newest first, and two fits side by side.

import { api } from '../data/api'
import { forgetEvent, redo, undo } from '../data/actions'
import { useLoaded } from '../data/loaded'
import { comparing, server } from '../data/state'
import { shownPerson } from '../data/person'
import { clock, figure } from '../data/words'
import { IconButton } from '../parts/IconButton'
import { Empty } from '../parts/Empty'
import type { HistoryEvent } from '../data/types'
import { CompareFits } from './CompareFits'
import { NamedStates } from './NamedStates'
import { useState } from 'preact/hooks'

const page = 200
const canDrop = new Set(['label', 'must', 'cannot', 'belief', 'unsure', 'skip', 'rename', 'stroke', 'mark'])

export function HistoryPanel() {
  const s = server.value!
  const got = useLoaded(`${s.session}|${s.events}`, () => api.history())
  const [shown, setShown] = useState(page)
  if (!got.value) return <p class="muted pad">{got.error ?? 'Loading…'}</p>
  const events = got.value.events ?? []
  // A fit is called by its place among the fits: the number of its event says nothing to people.
  const place = new Map(events.filter((e) => e.fit).map((e, i) => [e.n, i + 1]))
  const fits = events.flatMap((e) => (e.fit && e.fit.kept !== false ? [{ ...e.fit, place: place.get(e.n) ?? 0 }] : []))
  const list = [...events].reverse()
  const several = new Set(events.flatMap((e) => (e.who ? [e.who] : []))).size > 1
  return (
    <div class="history">
      <div class="historyactions">
        <IconButton icon="undo" text="Undo" label={s.undo ? `Undo: ${s.undo}` : 'Undo'} keys="Ctrl+Z" disabled={!s.undo} onClick={() => void undo()} />
        <IconButton icon="redo" text="Redo" label={s.redo ? `Redo: ${s.redo}` : 'Redo'} keys="Ctrl+Shift+Z" disabled={!s.redo} onClick={() => void redo()} />
      </div>
      {s.kind !== 'image' && <NamedStates />}
      {s.kind !== 'image' && fits.length > 1 && <CompareFits fits={fits} />}
      <h3>Events</h3>
      {list.length === 0 && <Empty title="No events yet" />}
      <ol class="events" reversed>
        {list.slice(0, shown).map((e) => (
          <Line key={e.n} e={e} place={place.get(e.n)} last={fits.at(-1)?.n} several={several} />
        ))}
      </ol>
      {list.length > shown && (
        <button type="button" class="plain small" onClick={() => setShown(shown + page)}>Show {Math.min(page, list.length - shown)} older events</button>
      )}
    </div>
  )
}

function Line({ e, place, last, several }: { e: HistoryEvent; place: number | undefined; last: number | undefined; several: boolean }) {
  return (
    <li class={`${e.inForce ? '' : 'off'} ${e.fit ? 'fitline' : ''}`}>
      <time class="muted num" dateTime={e.at}>{clock(e.at)}</time>
      <span class="eventtext">
        {e.fit ? `Fit ${place} by ${e.fit.method}, ${e.fit.k} groups` : e.text}
        {several && e.who && <span class="muted"> · {shownPerson(e.who)}</span>}
        {!e.inForce && <span class="hiddentext"> (taken back)</span>}
        {e.fit && e.fit.ariBefore !== null && e.fit.ariBefore !== undefined && <span class="muted"> · agreement with the previous fit {figure(e.fit.ariBefore)}</span>}
      </span>
      {e.fit && e.fit.kept !== false && last !== undefined && e.fit.n !== last && (
        <button type="button" class="plain small" onClick={() => (comparing.value = { from: e.fit!.n, to: last })}>Compare</button>
      )}
      {!e.fit && e.inForce && canDrop.has(e.op) && (
        <IconButton icon="close" label={`Take back: ${e.text}`} class="quiet" onClick={() => void forgetEvent(e.n, 'Taken back')} />
      )}
    </li>
  )
}
