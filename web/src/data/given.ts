// The last answers as the session has them: also those of other tabs, and without those that were undone.

import { effect } from '@preact/signals'
import { api } from './api'
import { given, type GivenAnswer } from './questions'
import { links } from './links'
import { dataKey, server, sideTab } from './state'
import type { HistoryEvent, Say } from './types'

const says: Record<string, Say> = { must: 'same', cannot: 'different', unsure: 'unsure', skip: 'skip' }

export function followAnswers(): void {
  let seen = ''
  effect(() => {
    const s = server.value
    const key = s && dataKey.value ? `${dataKey.value}|${s.events}` : ''
    if (key === seen || sideTab.value !== 'questions' || s?.kind === 'image') return
    seen = key
    if (!key || !s || s.events === 0) {
      given.value = []
      return
    }
    const from = Math.max(0, Math.min(s.events - 60, (given.peek()[0]?.event ?? s.events) - 1))
    api.history(from).then(
      (h) => {
        if (key === seen) given.value = merged(h.events ?? [])
      },
      () => undefined, // the list stays as it is
    )
  })
}

function merged(events: HistoryEvent[]): GivenAnswer[] {
  const own = new Map(given.peek().map((g) => [g.event, g]))
  const out: GivenAnswer[] = []
  for (const e of events) {
    const say = says[e.op]
    if (!say || !e.inForce) continue
    const had = own.get(e.n)
    if (had) {
      out.push(had)
      continue
    }
    const link = links.peek().find((l) => l.event === e.n)
    const a = e.a ?? link?.a ?? null
    const b = e.b ?? link?.b ?? null
    out.push({ event: e.n, say, text: e.text, pair: a !== null && b !== null ? [a, b] : null, question: null })
  }
  // Answers that were confirmed after the history was read.
  const last = events.at(-1)?.n ?? 0
  for (const g of given.peek()) if (g.event > last) out.push(g)
  return out.slice(-10)
}
