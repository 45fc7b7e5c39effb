// A share as a bar and a number.

import { percent } from '../data/words'

export function Confidence({ value }: { value: number | null | undefined }) {
  if (value === null || value === undefined) return <span class="muted">–</span>
  const v = Math.max(0, Math.min(1, value))
  return (
    <span class="confidence">
      <span class="track" aria-hidden="true">
        <span class="fill" style={{ width: `${v * 100}%` }} />
      </span>
      <span class="num">{percent(v)}</span>
    </span>
  )
}
