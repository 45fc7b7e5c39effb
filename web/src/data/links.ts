// Links between points, loaded again when an event or a fit changes them.

import { computed, effect, signal } from '@preact/signals'
import { api } from './api'
import { dataKey, fit, server } from './state'
import { toastError } from './toasts'
import type { Links } from './types'

export const links = signal<NonNullable<Links['links']>>([])

const key = computed(() => {
  const s = server.value
  if (!dataKey.value || !s || s.kind === 'image') return ''
  const any = s.totals.must + s.totals.cannot + s.totals.beliefs > 0
  return any ? `${dataKey.value}|${fit.value?.n}|${s.events}` : ''
})

export function followLinks(): void {
  effect(() => {
    const k = key.value
    if (!k) {
      links.value = []
      return
    }
    api.links().then((l) => {
      if (key.peek() === k) links.value = l.links ?? []
    }, toastError)
  })
}
