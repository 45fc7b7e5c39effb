// What tests in a browser ask the page for.

import { server } from '../data/state'
import { plot } from '../plotpanel/handle'

interface WithPlaces {
  pointAt?(x: number, y: number): number | null
  pixelOf?(point: number): [number, number] | { x: number; y: number } | null
}

export function offerToTests(): void {
  Object.defineProperty(window, '__inkling', {
    value: {
      get state() {
        return server.value
      },
      get plot() {
        return plot.value
      },
      pointAt: (x: number, y: number) => (plot.value as WithPlaces | null)?.pointAt?.(x, y) ?? null,
      pixelOf: (point: number) => (plot.value as WithPlaces | null)?.pixelOf?.(point) ?? null,
    },
  })
}
