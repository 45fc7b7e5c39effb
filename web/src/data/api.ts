// Calls of the server. Every path is relative to the page, so that the app works under a prefix.

import type {
  Answered, Changed, ClusterCard, ColumnTable, Comparison, Contradiction, Facet, Fault, HistoryEvent, Links, PairDetail, PointDetail,
  QuestionAnswer, Reading, RowPage, RowQuery, Say, State, Stroke, Suspects, Violations,
} from './types'

import { closing, dataKey } from './state'

// An answer of the server that is not a success.
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly fault: Fault,
    readonly body: unknown,
  ) {
    super(fault.message)
  }

  get contradiction(): Contradiction | null {
    const body = this.body as { contradicts?: Contradiction | null } | null
    const c = body?.contradicts
    return c && typeof c === 'object' && typeof c.message === 'string' ? c : null
  }
}

// What was asked and has no answer yet, with its path.
const open = new Map<Promise<unknown>, string>()

export const asking = () => [...open.values()]

function asked<T>(path: string, answer: Promise<T>): Promise<T> {
  open.set(answer, path)
  const over = () => open.delete(answer)
  answer.then(over, over)
  return answer
}

// Calls that are not about the data that are shown.
const always = /^(state|open|close|begin|reopen|look)$/

// Waits while the data are being replaced; afterwards nothing is asked about those before.
async function stay(): Promise<void> {
  if (!closing.peek()) return
  const data = dataKey.peek()
  await new Promise<void>((go) => {
    const stop = closing.subscribe((still) => {
      if (still) return
      go()
      queueMicrotask(() => stop())
    })
  })
  if (dataKey.peek() !== data) throw new DOMException('Other data are shown.', 'AbortError')
}

const patience = 1_500 // milliseconds; what was asked longer ago has reached the program

// Replaces the data that are shown, after the answers to what was asked about them.
async function leaving<T>(replace: () => Promise<T>): Promise<T> {
  closing.value = true
  try {
    await Promise.race([Promise.allSettled(open.keys()), new Promise((go) => setTimeout(go, patience))])
    return await replace()
  } catch (e) {
    closing.value = false
    throw e
  }
}

async function send(path: string, init?: RequestInit): Promise<Response> {
  if (!always.test(path)) await stay()
  let answer: Response
  try {
    answer = await fetch(`./api/${path}`, { credentials: 'same-origin', ...init })
  } catch (e) {
    if (init?.signal?.aborted) throw e
    throw new ApiError(0, { kind: 'offline', message: 'The program is not responding.', hint: 'Check that inkling is still running, then try again.' }, null)
  }
  if (answer.ok) return answer
  let body: unknown = null
  try {
    body = await answer.json()
  } catch {
    // a plain page: the status says enough
  }
  const fault = (body as { error?: Fault } | null)?.error
  const conflict = (body as { contradicts?: Contradiction } | null)?.contradicts
  throw new ApiError(
    answer.status,
    fault ?? { kind: answer.status === 409 ? 'conflict' : 'internal', message: conflict?.message ?? `The program answered with status ${answer.status}.` },
    body,
  )
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return asked(path, send(path, signal ? { signal } : undefined).then((answer) => answer.json() as Promise<T>))
}

export function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const answer = send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  })
  return asked(path, answer.then((a) => a.text()).then((text) => (text ? JSON.parse(text) : {}) as T))
}

export function bytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return asked(path, send(path, signal ? { signal } : undefined).then((answer) => answer.arrayBuffer()))
}

function query(fields: Record<string, string | number | boolean | undefined>): string {
  const q = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === '' || value === false) continue
    q.set(name, value === true ? '1' : String(value))
  }
  return q.toString()
}

export const api = {
  state: () => get<State>('state'),
  rows: (q: RowQuery, signal?: AbortSignal): Promise<RowPage> => {
    const { points, ...rest } = q
    return points ? post<RowPage>('rows', q, signal) : get<RowPage>(`rows?${query(rest)}`, signal)
  },
  search: (q: string, signal?: AbortSignal) => get<{ points: number[] | null }>(`search?${query({ q })}`, signal),
  point: (p: number, signal?: AbortSignal) => get<PointDetail>(`point?p=${p}`, signal),
  pair: (a: number, b: number, signal?: AbortSignal) => get<PairDetail>(`pair?a=${a}&b=${b}`, signal),
  cluster: (name: string, signal?: AbortSignal) => get<ClusterCard>(`cluster?${query({ name })}`, signal),
  question: () => get<QuestionAnswer>('question'),
  answer: (body: { n?: number; a: number; b: number; say: Say }) => post<Answered>('answer', body),
  undo: () => post<{ events: number[]; did: string }>('undo'),
  redo: () => post<{ events: number[]; did: string }>('redo'),
  history: (since = 0) => get<{ events: HistoryEvent[] | null }>(since > 0 ? `history?since=${since}` : 'history'),
  facet: (name: string, signal?: AbortSignal) => get<Facet>(`facet?${query({ name })}`, signal),
  violations: () => get<Violations>('violations'),
  suspects: () => get<Suspects>('suspects'),
  links: () => get<Links>('links'),
  compare: (from: number, to: number) => get<Comparison>(`compare?from=${from}&to=${to}`),
  command: () => get<{ command: string; lines?: string[] | null }>('command'),
  fit: (settings: Record<string, unknown>) => post<unknown>('fit', settings),
  cancel: () => post<unknown>('cancel'),
  auto: (on: boolean) => post<unknown>('auto', { on }),
  open: (example: string) => post<unknown>('open', { example }),
  close: () => leaving(() => post<unknown>('close')),
  begin: (upload: string, reading: Reading = {}) => post<unknown>('begin', { upload, reading }),
  look: (upload: string, reading: Reading, head = false, signal?: AbortSignal) => post<ColumnTable>('look', { ...(upload ? { upload } : {}), reading, head }, signal),
  reopen: (reading: Reading) => leaving(() => post<{ answers: number; lost: number }>('reopen', reading)),
  stroke: (s: Stroke) => post<{ event: number }>('stroke', s),
  change: (path: string, body: object) => post<Changed>(path, body),
}

export interface Uploaded {
  upload: string
  kind: string
  preview: ColumnTable
}

// Sends a file in a stream and reports the share that has gone out.
export function upload(file: Blob, name: string, onShare: (share: number) => void): Promise<Uploaded> {
  return new Promise((resolve, reject) => {
    const x = new XMLHttpRequest()
    x.open('POST', `./api/upload?name=${encodeURIComponent(name)}`)
    x.setRequestHeader('Content-Type', 'application/octet-stream')
    x.upload.onprogress = (e) => {
      if (e.lengthComputable) onShare(e.loaded / e.total)
    }
    x.onerror = () => reject(new ApiError(0, { kind: 'offline', message: 'The upload was interrupted.' }, null))
    x.onload = () => {
      let body: unknown = null
      try {
        body = JSON.parse(x.responseText)
      } catch {
        // said below
      }
      if (x.status >= 200 && x.status < 300 && body) resolve(body as Uploaded)
      else reject(new ApiError(x.status, (body as { error?: Fault } | null)?.error ?? { kind: 'input', message: `The file was refused with status ${x.status}.` }, body))
    }
    x.send(file)
  })
}

// Saves what the server exports; a selection goes out by POST, since it can be long.
export async function download(file: string, points?: Uint32Array, escape = false): Promise<void> {
  const path = `export/${file}${escape && file.endsWith('.csv') ? '?escape=1' : ''}`
  if (!points) {
    saveUrl(`./api/${path}`, file)
    return
  }
  const answer = await send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ points: Array.from(points) }),
  })
  saveBlob(await answer.blob(), file)
}

export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  saveUrl(url, name)
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function saveUrl(url: string, name: string): void {
  const a = document.createElement('a')
  a.href = url
  a.download = name
  document.body.append(a)
  a.click()
  a.remove()
}
