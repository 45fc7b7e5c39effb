// Loads something whenever its key changes, and keeps the old value until the new one is there.

import { useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  value: T | null
  error: string | null
  busy: boolean
}

export function useLoaded<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [got, set] = useState<Loaded<T>>({ value: null, error: null, busy: key !== null })
  useEffect(() => {
    if (key === null) {
      set({ value: null, error: null, busy: false })
      return
    }
    const stop = new AbortController()
    set((old) => ({ ...old, busy: true }))
    load(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) set({ value, error: null, busy: false })
      },
      (e: unknown) => {
        if (!stop.signal.aborted) set((old) => ({ value: old.value, error: e instanceof Error ? e.message : String(e), busy: false }))
      },
    )
    return () => stop.abort()
  }, [key])
  return got
}
