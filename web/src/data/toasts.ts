// Short messages, which are also read out.

import { signal } from '@preact/signals'
import { ApiError } from './api'
import { sentence } from './words'

export interface Toast {
  n: number
  text: string
  detail?: string
  kind: 'done' | 'error'
  action?: { text: string; run: () => void }
}

export const toasts = signal<Toast[]>([])
let last = 0

export function toast(text: string, more: Partial<Omit<Toast, 'n' | 'text'>> = {}): void {
  const t: Toast = { n: ++last, text, kind: 'done', ...more }
  // An older "Undo" would take back the newer change: only the newest message offers it.
  const others = toasts.value.filter((o) => o.text !== text && !(t.kind === 'done' && o.kind === 'done'))
  toasts.value = [...others.slice(-2), t]
  setTimeout(() => dismiss(t.n), t.kind === 'error' ? 12_000 : t.action ? 7_000 : 4_000)
}

export function dismiss(n: number): void {
  toasts.value = toasts.value.filter((t) => t.n !== n)
}

export function toastError(e: unknown): void {
  if (e instanceof DOMException && e.name === 'AbortError') return
  if (e instanceof ApiError) toast(sentence(e.fault.message), { kind: 'error', ...(e.fault.hint ? { detail: sentence(e.fault.hint) } : {}) })
  else toast('Something went wrong in the page.', { kind: 'error', detail: e instanceof Error ? e.message : String(e) })
}
