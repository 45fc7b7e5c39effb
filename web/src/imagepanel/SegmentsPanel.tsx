// The left panel for images: what each label is, and how to go on.

import { clusters, server } from '../data/state'
import { count, number } from '../data/words'
import { inkOn } from '../data/colours'
import { labelColour, labelName, offered } from './labels'
import { pickLabel, strokeLabel } from './tools'

export function SegmentsPanel() {
  const image = server.value!.image!
  const sizes = new Map(clusters.value.map((c) => [c.index + 1, c.size]))
  return (
    <section class="panel groups" aria-label="Labels">
      <header class="panelhead"><h2>Labels</h2></header>
      <div class="panelbody">
        <ul class="grouplist">
          {offered.value.map((n) => (
            <li key={n} class="group">
              <button type="button" class="groupbutton" aria-pressed={strokeLabel.value === n} onClick={() => pickLabel(n)}>
                <span class="chip" style={{ backgroundColor: labelColour(n), color: inkOn(labelColour(n)) }} aria-hidden="true">{n}</span>
                <span class="grouptexts"><span class="groupline">
                  <span class="groupname1">{labelName(n)}</span>
                  {sizes.has(n) && <span class="num">{number(sizes.get(n)!)} px</span>}
                </span></span>
              </button>
            </li>
          ))}
        </ul>
        <p class="muted pad">{`${image.width} × ${image.height} pixels, ${count(image.strokes, 'stroke')}.`}</p>
        <ol class="steps pad muted">
          <li>Press 1 and paint a stroke on the object.</li>
          <li>Press 2 and paint a stroke on the background.</li>
          <li>Where the mask leaks, paint one more stroke. Ctrl+Z takes back exactly one.</li>
        </ol>
      </div>
    </section>
  )
}
