// Before on the left, after on the right, and a slider between them.

import { compareShare, comparing } from '../data/state'
import { IconButton } from '../parts/IconButton'

export function CompareSlider() {
  return (
    <div class="compareslider">
      <span>Before</span>
      <label>
        <span class="hiddentext">Share of the plot that shows the previous fit</span>
        <input
          type="range"
          min={0}
          max={1}
          step={0.01}
          value={compareShare.value}
          onInput={(e) => (compareShare.value = Number(e.currentTarget.value))}
        />
      </label>
      <span>After</span>
      <IconButton icon="close" label="Stop comparing" onClick={() => (comparing.value = null)} />
    </div>
  )
}
