// The brush: which label it paints, how large it is, and how much of the mask is seen.

import { signal } from '@preact/signals'
import type { StrokePicture } from '../picture/strokes'

export const strokeLabel = signal(1)
export const strokeSize = signal(0) // in pixels of the image; 0: not chosen yet
export const usedLabels = signal<number[]>([]) // by strokes in force
export const erasing = signal(false)
export const opacity = signal(0.5)
export const picture = signal<StrokePicture | null>(null)

export function pickLabel(n: number): void {
  strokeLabel.value = n
  erasing.value = false
}

export function resize(factor: number): void {
  strokeSize.value = Math.max(1, Math.min(400, Math.round(strokeSize.value * factor + (factor > 1 ? 1 : -1))))
}
