// The point below the pointer, and its details once they are there.

import { effect, signal } from '@preact/signals'
import { api } from '../data/api'
import { dataKey, fit, server } from '../data/state'
import type { PointDetail } from '../data/types'

export const hover = signal<{ point: number; x: number; y: number } | null>(null)
export const hoverDetail = signal<PointDetail | null>(null)

const known = new Map<number, PointDetail>()
let knownFor = ''
let timer: ReturnType<typeof setTimeout> | undefined
let load: AbortController | null = null

effect(() => {
  const at = hover.value?.point ?? null
  const key = `${dataKey.value}|${fit.value?.n}|${fit.value?.sure}|${server.value?.events}`
  if (key !== knownFor) {
    known.clear()
    knownFor = key
  }
  clearTimeout(timer)
  load?.abort()
  if (at === null) {
    hoverDetail.value = null
    return
  }
  const have = known.get(at)
  if (have) {
    hoverDetail.value = have
    return
  }
  timer = setTimeout(() => {
    load = new AbortController()
    api.point(at, load.signal).then(
      (d) => {
        if (known.size > 500) known.clear()
        known.set(at, d)
        if (hover.peek()?.point === at) hoverDetail.value = d
      },
      () => undefined, // the card stays as it is
    )
  }, 60)
})
