// How the values of a column are spread, over all rows and over those that are selected.

export interface Bins {
  low: number
  high: number
  all: Uint32Array
}

// binned counts numbers in equal parts between the values that a hundredth lies below and above; farther ones are in the last parts.
export function binned(values: Float32Array, parts: number): Bins | null {
  const sorted = values.filter((v) => Number.isFinite(v)).sort()
  if (sorted.length === 0) return null
  const low = sorted[Math.floor((sorted.length - 1) * 0.01)]!
  const high = sorted[Math.ceil((sorted.length - 1) * 0.99)]!
  const all = new Uint32Array(parts)
  for (const v of sorted) all[partOf(v, low, high, parts)]!++
  return { low, high, all }
}

export function partOf(v: number, low: number, high: number, parts: number): number {
  if (!(high > low)) return 0
  return Math.max(0, Math.min(parts - 1, Math.floor(((v - low) / (high - low)) * parts)))
}

// What sets some rows apart in a column, from 0: nothing.
export interface Apart {
  text: string
  size: number
}

// numbersApart compares the mean of the selected numbers with that of the others, in deviations of all.
export function numbersApart(name: string, values: Float32Array, chosen: Uint8Array): Apart | null {
  const sum = [0, 0], count = [0, 0]
  let square = 0
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!
    if (!Number.isFinite(v)) continue
    sum[chosen[i]!]! += v
    count[chosen[i]!]!++
    square += v * v
  }
  const n = count[0]! + count[1]!
  if (count[0] === 0 || count[1] === 0) return null
  const mean = (sum[0]! + sum[1]!) / n
  const deviation = Math.sqrt(Math.max(0, square / n - mean * mean))
  const inside = sum[1]! / count[1]!, outside = sum[0]! / count[0]!
  if (!(deviation > 0)) return null
  const size = (inside - outside) / deviation
  return { text: `${size > 0 ? 'high' : 'low'} ${name}: ${short(inside)}, others ${short(outside)}`, size: Math.abs(size) }
}

// levelsApart finds the level whose share among the selected rows differs most from that among the others.
export function levelsApart(name: string, levels: string[], values: Float32Array, chosen: Uint8Array): Apart | null {
  const inside = new Float64Array(levels.length), outside = new Float64Array(levels.length)
  let n = 0, m = 0
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!
    if (chosen[i]) n++
    else m++
    if (v === v) (chosen[i] ? inside : outside)[v]!++
  }
  if (n === 0 || m === 0) return null
  let best: Apart | null = null
  for (let l = 0; l < levels.length; l++) {
    const a = inside[l]! / n, b = outside[l]! / m, all = (inside[l]! + outside[l]!) / (n + m)
    const size = Math.abs(a - b) / Math.sqrt(Math.max(all * (1 - all), 1e-9))
    if (!best || size > best.size) best = { text: `${name} ${levels[l]}: ${Math.round(100 * a)} %, others ${Math.round(100 * b)} %`, size }
  }
  return best
}

export function short(v: number): string {
  return Math.abs(v) >= 1e6 || (v !== 0 && Math.abs(v) < 1e-3) ? v.toExponential(1) : String(Number(v.toPrecision(3)))
}

export function day(v: number): string {
  return new Date(v * 86_400_000).toISOString().slice(0, 10)
}
