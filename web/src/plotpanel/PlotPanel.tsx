// The centre: the plot, its tools, the hover card and the before/after slider.

import { comparing, fit, groupTitle, places, selectionSize, server } from '../data/state'
import { count, number } from '../data/words'
import { PlotCanvas } from './PlotCanvas'
import { PlotTools } from './PlotTools'
import { HoverCard } from './HoverCard'
import { CompareSlider } from './CompareSlider'
import { SelectionBar } from './SelectionBar'
import { ColourKey } from './ColourKey'

export function PlotPanel() {
  const s = server.value!
  const f = fit.value
  const things = s.kind === 'graph' ? 'node' : 'row'
  return (
    <section class="panel plotpanel" aria-label={s.kind === 'graph' ? 'Graph' : 'Plot'}>
      <PlotTools />
      <div class="plotarea">
        <PlotCanvas />
        <p class="hiddentext" id="plot-summary">
          {`${count(s.rows, things)} as points in two dimensions`}
          {f ? `, coloured by ${count(f.clusters.length, 'group')}: ${f.clusters.slice(0, 12).map((c) => `${groupTitle(c.name)} ${number(c.size)}`).join(', ')}` : ''}.
          {selectionSize.value > 0 ? ` ${count(selectionSize.value, things)} selected.` : ''} Everything that you can do here you can also do in the table of rows.
        </p>
        {!places.value && (
          <div class="plotwait" role="status">
            <span class="spinner" aria-hidden="true" />
            Placing {count(s.rows, 'point')} in two dimensions…
          </div>
        )}
        <HoverCard />
        <SelectionBar />
        {comparing.value ? <CompareSlider /> : <ColourKey />}
      </div>
    </section>
  )
}
