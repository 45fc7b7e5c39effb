// What tests in a browser ask the page for.

import { asking } from '../data/api'
import { labelled } from '../data/sync'
import { layout, places, placesVersion, server } from '../data/state'
import { plot } from '../plotpanel/handle'

// What the page always shows of the state; cards and reports, which take longer, are for whoever opens them to wait for.
const shown = /^(labels|points|rows|links|edges|column|facet|search|history|suspects|question)\b/

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
      // What is under way, nothing once the clustering is there with all that follows it, and shown, or it failed.
      get underWay() {
        const s = server.value
        if (!s) return ['the first state']
        const out = asking().filter((path) => shown.test(path)).map((path) => `an answer to ${path}`)
        if (s.running) out.push(`a fit, ${s.running.stage}`)
        if (!this.placed) out.push('places of points')
        if (s.error || s.kind === 'image') return out
        if (!s.fit?.detailed) out.push('what follows a fit')
        if (!labelled()) out.push('the clusters of points')
        const drawn = plot.value?.stats().drawn
        if (drawn !== s.rows) out.push(`points: ${drawn ?? 'none'} of ${s.rows} are drawn`)
        return out
      },
      pointAt: (x: number, y: number) => (plot.value as WithPlaces | null)?.pointAt?.(x, y) ?? null,
      pixelOf: (point: number) => (plot.value as WithPlaces | null)?.pixelOf?.(point) ?? null,
    },
  })
}
