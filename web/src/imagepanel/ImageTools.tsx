// Labels 1 to 9, size, eraser and opacity.

import { shownKey } from '../data/prefs'
import { undo } from '../data/actions'
import { server } from '../data/state'
import { IconButton } from '../parts/IconButton'
import { labelColour, labelName, offered } from './labels'
import { erasing, opacity, picture, pickLabel, resize, strokeLabel, strokeSize } from './tools'
import { inkOn } from '../data/colours'

export function ImageTools() {
  return (
    <div class="plottools" role="toolbar" aria-label="Stroke tools">
      <div class="segmented" role="radiogroup" aria-label="Label of the brush">
        {offered.value.map((n) => {
          const colour = labelColour(n)
          const on = !erasing.value && strokeLabel.value === n
          return (
            <button key={n} type="button" role="radio" aria-checked={on} class={`labelbutton ${on ? 'on' : ''}`} title={`${labelName(n)} (${n})`} onClick={() => pickLabel(n)}>
              <span class="chip" style={{ backgroundColor: colour, color: inkOn(colour) }}>{n}</span>
            </button>
          )
        })}
      </div>
      <IconButton icon="erase" text="Erase" label="Erase" keys={shownKey('erase')} pressed={erasing.value} onClick={() => (erasing.value = !erasing.value)} />
      <div class="segmented" role="group" aria-label="Size of the brush">
        <IconButton icon="minus" label="Smaller brush" keys="[" onClick={() => resize(1 / 1.25)} />
        <span class="sizetext num">{strokeSize.value} px</span>
        <IconButton icon="plus" label="Larger brush" keys="]" onClick={() => resize(1.25)} />
      </div>
      <label class="inlinerange">
        <span class="labeltext">Mask</span>
        <input type="range" min={0} max={1} step={0.05} value={opacity.value} aria-label="Opacity of the mask" onInput={(e) => (opacity.value = Number(e.currentTarget.value))} />
      </label>
      <span class="spacer" />
      <IconButton icon="undo" label="Undo stroke" keys="Ctrl+Z" disabled={!server.value?.undo} onClick={() => void undo()} />
      <div class="segmented zoomtools">
        <IconButton icon="minus" label="Zoom out" keys="-" onClick={() => picture.value?.zoomBy(1 / 1.5)} />
        <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => picture.value?.zoomBy(1.5)} />
        <IconButton icon="fit" label="Show everything" keys={shownKey('everything')} onClick={() => picture.value?.fit()} />
      </div>
    </div>
  )
}
