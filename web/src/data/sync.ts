// Keeps the page in step with the server: the stream of events, then points and labels as they change.

import { effect } from '@preact/signals'
import { api, bytes, ApiError } from './api'
import { readAssigned, readPlaces } from './binary'
import { followAnswers } from './given'
import { followLinks } from './links'
import { resetView } from './actions'
import { assigned, chosenLayout, colourBy, connection, dataKey, layout, openGroup, places, placesVersion, rowFilter, server } from './state'
import { startPerson } from './person'
import { toastError } from './toasts'
import { questionChanged } from './questions'
import type { Running, State } from './types'

export function startSync(): void {
  startPerson()
  openStream()
  effect(loadPoints)
  effect(loadLabels)
  followLinks()
  followAnswers()
}

function openStream(): void {
  const stream = new EventSource('./api/stream')
  stream.addEventListener('open', () => (connection.value = 'open'))
  stream.addEventListener('error', () => {
    connection.value = 'lost'
    if (stream.readyState === EventSource.CLOSED) {
      stream.close()
      setTimeout(openStream, 2_000)
    }
  })
  stream.addEventListener('state', (e) => accept(JSON.parse((e as MessageEvent<string>).data) as State))
  stream.addEventListener('progress', (e) => {
    const running = JSON.parse((e as MessageEvent<string>).data) as Running
    if (server.value) server.value = { ...server.value, running }
  })
  stream.addEventListener('question', (e) => questionChanged((JSON.parse((e as MessageEvent<string>).data) as { n: number }).n))
  // What the stream brings is newer.
  api.state().then((s) => server.peek() ?? accept(s), (e: unknown) => {
    if (e instanceof ApiError && e.status === 401) toastError(e)
  })
}

function accept(s: State): void {
  connection.value = 'open'
  followNames(server.peek(), s)
  server.value = s
  document.title = s.kind === 'none' ? 'inkling' : `${s.name} · inkling`
}

// What is open stays open where a group gets another name.
function followNames(old: State | null, s: State): void {
  if (!s.fit || !old?.fit || old.session !== s.session || old.name !== s.name) return
  const index = new Map(old.fit.clusters.map((c) => [c.name, c.index]))
  const names = new Map(s.fit.clusters.map((c) => [c.index, c.name]))
  const now = (name: string) => names.get(index.get(name) ?? -1) ?? name
  const f = rowFilter.peek()
  if (f.kind === 'group' && now(f.name) !== f.name) rowFilter.value = { kind: 'group', name: now(f.name) }
  const open = openGroup.peek()
  if (open !== null && now(open) !== open) openGroup.value = now(open)
}

let pointsKey = ''
let pointsOf = ''
let pointsLoad: AbortController | null = null

function loadPoints(): void {
  const data = dataKey.value
  const version = server.value?.places?.version ?? 0
  // Until the first picture by neighbours is there the linear one is shown, unless the person asks for the other.
  const how = layout.value === 'neighbours' && (version > 0 || chosenLayout.value === 'neighbours') ? 'neighbours' : 'linear'
  const key = `${data}|${how}|${how === 'neighbours' ? version : 0}`
  if (key === pointsKey) return
  pointsKey = key
  pointsLoad?.abort()
  if (data !== pointsOf) {
    pointsOf = data
    places.value = null
    assigned.value = null
    labelsKey = ''
    resetView()
  }
  if (!data || server.peek()?.kind === 'image') return
  pointsLoad = new AbortController()
  bytes(`points?how=${how}&version=${version}`, pointsLoad.signal).then((b) => {
    placesVersion.value = how === 'neighbours' ? version : 0
    places.value = { ...readPlaces(b), how }
  }, failed)
}

const assignedRows = () => server.value?.rows ?? 0

let labelsKey = ''
let labelsOf = '' // the key of those that are there
let labelsLoad: AbortController | null = null

function loadLabels(): void {
  const data = dataKey.value
  const n = server.value?.fit?.n
  const events = server.value?.events // constraints are marked in the flags
  // Confidences follow a fit of many rows. Of very many they are fetched only to be seen: clusters alone are sent first.
  const fit = server.value?.fit
  const sure = !!fit?.sure && (assignedRows() <= 300_000 || colourBy.value === 'confidence')
  const key = data && n !== undefined ? `${data}|${n}|${events}|${sure}` : ''
  if (key === labelsKey) return
  labelsKey = key
  if (!key || server.peek()?.kind === 'image') return
  labelsLoad?.abort()
  labelsLoad = new AbortController()
  bytes('labels', labelsLoad.signal).then((b) => {
    if (key !== labelsKey) return
    labelsOf = key
    assigned.value = readAssigned(b)
  }, failed)
}

// The clusters of the points are those of the fit that is shown, with the constraints in force.
export const labelled = () => labelsOf === labelsKey

function failed(e: unknown): void {
  if (e instanceof DOMException && e.name === 'AbortError') return
  toastError(e)
}
