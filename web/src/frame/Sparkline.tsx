// The objective so far.

export function Sparkline({ values }: { values: number[] }) {
  const shown = values.slice(-60).filter(Number.isFinite)
  if (shown.length < 2) return null
  const low = Math.min(...shown)
  const high = Math.max(...shown)
  const y = (v: number) => 17 - (14 * (v - low)) / (high - low || 1)
  const points = shown.map((v, i) => `${((60 * i) / (shown.length - 1)).toFixed(1)},${y(v).toFixed(1)}`).join(' ')
  return (
    <svg class="sparkline desktoponly" viewBox="0 0 60 20" width="60" height="20" role="img" aria-label="Objective over time">
      <polyline points={points} />
    </svg>
  )
}
