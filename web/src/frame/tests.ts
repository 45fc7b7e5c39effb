// What tests in a browser ask the page for.

import { layout, places, placesVersion, server } from '../data/state'
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
      // The points are where they stay.
      get placed() {
        const p = server.value?.places
        return !p || server.value?.kind === 'image' || (!p.settling && places.value?.how === layout.value && (layout.value === 'linear' || p.version === placesVersion.value))
      },
      pointAt: (x: number, y: number) => (plot.value as WithPlaces | null)?.pointAt?.(x, y) ?? null,
      pixelOf: (point: number) => (plot.value as WithPlaces | null)?.pixelOf?.(point) ?? null,
    },
  })
}
