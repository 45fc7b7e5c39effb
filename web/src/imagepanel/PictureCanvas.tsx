// Holds the picture and passes to it what changes.

import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, get } from '../data/api'
import { dataKey, server } from '../data/state'
import { toastError } from '../data/toasts'
import type { Stroke } from '../data/types'
import { StrokePicture } from '../picture/strokes'
import { labelColour } from './labels'
import { erasing, opacity, picture, strokeLabel, strokeSize, usedLabels } from './tools'

const longest = 2048

export function PictureCanvas() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const p = new StrokePicture(host.current!, { onStroke: (s) => void api.stroke(s).catch(toastError) })
    picture.value = p
    let imageOf = ''
    let maskOf = ''
    let strokesOf = ''
    const stops = [
      effect(() => {
        const i = server.value?.image
        const key = dataKey.value
        if (!i || key === imageOf) return
        imageOf = key
        if (strokeSize.peek() === 0) strokeSize.value = Math.max(3, Math.round(Math.max(i.width, i.height) / 60))
        p.setImage(`./api/image?max=${longest}`, i.width, i.height)
      }),
      effect(() => {
        const i = server.value?.image
        const url = i && i.mask > 0 ? `./api/mask?n=${i.mask}&max=${longest}` : null
        if ((url ?? '') === maskOf) return
        maskOf = url ?? ''
        p.setMask(url)
      }),
      effect(() => {
        const s = server.value
        if (!s?.image) return
        const key = `${dataKey.value}|${s.events}`
        if (key === strokesOf) return
        strokesOf = key
        get<{ strokes: Stroke[] | null }>('strokes').then((r) => {
          if (key !== strokesOf) return
          p.setStrokes(r.strokes ?? [])
          usedLabels.value = [...new Set((r.strokes ?? []).filter((s) => !s.erase).map((s) => s.label))]
        }, () => undefined) // the picture keeps the strokes that it drew itself
      }),
      effect(() => p.setColours(Array.from({ length: 9 }, (_, i) => labelColour(i + 1)))),
      effect(() => p.setLabel(strokeLabel.value)),
      effect(() => p.setSize(strokeSize.value || 8)),
      effect(() => p.setErase(erasing.value)),
      effect(() => p.setOpacity(opacity.value)),
    ]
    return () => {
      for (const stop of stops) stop()
      picture.value = null
      p.destroy()
    }
  }, [])
  return <div class="plothost" ref={host} />
}
