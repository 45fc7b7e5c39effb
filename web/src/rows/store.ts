// Pages of rows as they come into view. The old rows stay until the new ones are there.

import { signal } from '@preact/signals'
import { api } from '../data/api'
import { toastError } from '../data/toasts'
import type { Row, RowQuery } from '../data/types'

export const pageSize = 100

export class RowStore {
  readonly total = signal(0)
  readonly columns = signal<string[]>([])
  readonly version = signal(0) // grows when rows arrive
  readonly busy = signal(false)
  private pages = new Map<number, Row[]>()
  private asked = new Set<number>()
  private stale = false
  private stop = new AbortController()
  private query: Omit<RowQuery, 'offset' | 'limit'> = {}

  // Shows another query, or the same one again when `keep` is set: rows are then replaced in place.
  show(query: Omit<RowQuery, 'offset' | 'limit'>, keep: boolean): void {
    this.stop.abort()
    this.stop = new AbortController()
    this.query = query
    this.asked.clear()
    if (keep) this.stale = true
    else this.pages.clear()
    this.busy.value = true
    this.version.value++
  }

  row(i: number): Row | undefined {
    return this.pages.get(Math.floor(i / pageSize))?.[i % pageSize]
  }

  // Loads the pages of rows first to last, if they are not there.
  want(first: number, last: number): void {
    for (let p = Math.floor(Math.max(0, first) / pageSize); p <= Math.floor(Math.max(0, last) / pageSize); p++) this.load(p)
  }

  private load(p: number): void {
    if (this.asked.has(p)) return
    this.asked.add(p)
    const stop = this.stop
    api.rows({ ...this.query, offset: p * pageSize, limit: pageSize }, stop.signal).then(
      (page) => {
        if (stop.signal.aborted) return
        if (this.stale) {
          this.stale = false
          this.pages.clear()
          this.asked = new Set([p])
        }
        this.pages.set(p, page.rows ?? [])
        this.total.value = page.total
        this.columns.value = page.columns ?? []
        this.busy.value = false
        this.version.value++
      },
      (e: unknown) => {
        if (stop.signal.aborted) return
        this.busy.value = false
        toastError(e)
      },
    )
  }
}
