// The queue of questions: the one on the screen, the answers given so far, and the way back.

import { computed, signal } from '@preact/signals'
import { api, ApiError } from './api'
import { closing, dataKey, selection, sideTab, phoneTab } from './state'
import { toast, toastError } from './toasts'
import type { Question, QuestionAnswer, Say } from './types'

export interface GivenAnswer {
  event: number
  say: Say
  text: string
  pair: [number, number] | null
  question: Question | null // as it was asked on this page
}

export const current = signal<QuestionAnswer | null>(null)
export const given = signal<GivenAnswer[]>([]) // newest last
export const sending = signal<Say | null>(null)
export const whyShown = signal(false)
export const spoken = signal('') // for screen readers
export const lastMillis = signal<number | null>(null)

// The question is one that was answered before: its old answer is replaced.
export const revising = signal<GivenAnswer | null>(null)

export const shownQuestion = computed<Question | null>(() => revising.value?.question ?? current.value?.question ?? null)

let loading = false
let loadedFor = ''
let answersSent = 0
let missed = false // another question was announced while the page was busy

// Asks again if a question was announced while an answer or a question was on its way.
function catchUp(): void {
  if (!missed || loading || sending.peek() || revising.peek()) return
  missed = false
  void loadQuestion()
}

export async function loadQuestion(): Promise<void> {
  if (loading || !dataKey.peek() || closing.peek()) return
  if (sending.peek()) {
    // What the server asks until it has the answer may be the question that is being answered.
    missed = true
    return
  }
  loading = true
  loadedFor = dataKey.peek()
  const before = answersSent
  try {
    const got = await api.question()
    // A question that was on its way while it was answered must not come back.
    if (answersSent === before) current.value = got
    else if (!current.peek()?.question) missed = true
  } catch (e) {
    toastError(e)
  } finally {
    loading = false
    catchUp()
  }
}

export function ensureQuestion(): void {
  if (loadedFor !== dataKey.peek()) {
    given.value = []
    revising.value = null
    current.value = null
  }
  if (!current.peek()) void loadQuestion()
}

// The server has another question than before: because of this page, of another tab, or of a new fit.
export function questionChanged(n: number): void {
  if (!dataKey.peek()) return
  if (sending.peek() || revising.peek() || loading) {
    missed = true
    return
  }
  const now = current.peek()
  if (!now || (now.question?.n === n && !now.preparing)) return
  // The state that follows may say that the data were closed.
  setTimeout(() => void loadQuestion(), 30)
}

const said: Record<Say, string> = { same: 'Same', different: 'Different', unsure: 'Unsure', skip: 'Skipped' }

export async function answer(say: Say): Promise<void> {
  const q = shownQuestion.value
  if (!q || sending.value) return
  sending.value = say
  answersSent++
  whyShown.value = false
  const old = revising.value
  const began = performance.now()
  try {
    if (old) await api.change('forget', { event: old.event })
    const r = await api.answer({ ...(old ? {} : { n: q.n }), a: q.a.point, b: q.b.point, say })
    lastMillis.value = performance.now() - began
    given.value = [...given.value.filter((g) => g !== old && g.event !== r.event), { event: r.event, say, text: `${q.a.id} · ${q.b.id}`, pair: [q.a.point, q.b.point], question: q } satisfies GivenAnswer].slice(-10)
    if (r.next) current.value = r.next
    revising.value = null
    spoken.value = `${said[say]}, saved. ${r.next?.question ? 'Next question.' : r.next?.preparing ? 'Choosing the next question.' : (r.next?.done ?? '')}`
    if (r.contradicts) toast('This answer contradicts an earlier one', { kind: 'error', detail: String(r.contradicts) })
  } catch (e) {
    if (e instanceof ApiError && e.status === 409 && !e.contradiction) {
      toast('This question was answered elsewhere; here is the current one')
      revising.value = null
      missed = true // asked for below, when nothing is being sent
    } else toastError(e)
  } finally {
    sending.value = null
    catchUp()
  }
}

// Shows the last answered question again; an answer replaces the earlier one.
export function back(): void {
  const list = given.value
  const at = revising.value ? list.indexOf(revising.value) - 1 : list.length - 1
  const g = list[at]
  if (g?.pair) {
    void revise(g)
    spoken.value = `Back to an earlier question, which you answered “${said[g.say]}”.`
  } else toast('No earlier answer on this page', { detail: 'Older answers are in the history.' })
}

// Shows an answered question again. What was asked elsewhere is put together from the pair.
export async function revise(g: GivenAnswer | null): Promise<void> {
  if (g && !g.question && g.pair) {
    try {
      const d = await api.pair(g.pair[0], g.pair[1])
      g.question = { n: 0, a: d.a, b: d.b, pair: d.pair, strategy: '' }
    } catch (e) {
      toastError(e)
      return
    }
  }
  revising.value = g?.question ? g : null
  catchUp()
}

export async function takeBack(g: GivenAnswer): Promise<void> {
  try {
    await api.change('forget', { event: g.event })
    given.value = given.value.filter((o) => o !== g)
    if (revising.value === g) revising.value = null
    toast('Answer taken back')
  } catch (e) {
    toastError(e)
  }
}

export function openQuestions(): void {
  sideTab.value = 'questions'
  phoneTab.value = 'side'
  ensureQuestion()
  requestAnimationFrame(() => document.getElementById('question')?.focus())
}

export function showPair(): void {
  const q = shownQuestion.value
  if (q) selection.value = Uint32Array.of(q.a.point, q.b.point)
}

