// Tools above the plot: how the pointer selects, what colours mean, and zoom.

import { outlined, shownKey } from '../data/prefs'
import { chosenLayout, colourBy, layout, server, tool, type Tool } from '../data/state'
import type { Layout } from '../data/types'
import { IconButton } from '../parts/IconButton'
import type { IconName } from '../parts/Icon'
import { plot } from './handle'
import { graphView } from './view'

const tools: { name: Tool; icon: IconName; label: string }[] = [
  { name: 'pan', icon: 'pan', label: 'Move and click' },
  { name: 'lasso', icon: 'lasso', label: 'Lasso: Shift adds, Alt subtracts' },
  { name: 'rectangle', icon: 'rectangle', label: 'Rectangle: Shift adds, Alt subtracts' },
  { name: 'brush', icon: 'brush', label: 'Brush: Shift adds, Alt subtracts' },
  { name: 'link', icon: 'link', label: 'Link: drag from one point to another; hold the cannot-link key for a cannot-link' },
]

export function PlotTools() {
  const numbers = (server.value?.columns ?? []).filter((c) => ['number', 'date', 'category'].includes(c.holds ?? '')).slice(0, 200)
  const views = server.value?.graph?.views ?? []
  return (
    <div class="plottools" role="toolbar" aria-label="Plot tools">
      <div class="segmented">
        {tools.map((t) => (
          <IconButton key={t.name} icon={t.icon} label={t.label} pressed={tool.value === t.name} onClick={() => (tool.value = t.name)} />
        ))}
      </div>
      <label class="inlineselect">
        <span class="labeltext">Colour</span>
        <select aria-label="Colour" value={colourBy.value} onChange={(e) => (colourBy.value = e.currentTarget.value)}>
          <option value="cluster">by group</option>
          <option value="confidence">by confidence</option>
          <option value="label">by label</option>
          {numbers.length > 0 && (
            <optgroup label="by a column">
              {numbers.map((c) => <option key={c.name} value={`column:${c.name}`}>{c.name}</option>)}
            </optgroup>
          )}
        </select>
      </label>
      <IconButton icon="outlines" label="Outlines of the groups" keys={shownKey('outlines')} pressed={outlined.value} onClick={() => (outlined.value = !outlined.value)} />
      {server.value?.places?.near && (
        <label class="inlineselect">
          <span class="labeltext">Layout</span>
          <select aria-label="Layout" title="How points are placed" value={layout.value} onChange={(e) => (chosenLayout.value = e.currentTarget.value as Layout)}>
            <option value="neighbours">neighbours</option>
            <option value="linear">linear</option>
          </select>
        </label>
      )}
      {server.value?.kind === 'graph' && (
        <label class="inlineselect">
          <span class="labeltext">Edges</span>
          <select aria-label="Edges" value={graphView.value} onChange={(e) => (graphView.value = e.currentTarget.value)}>
            <option value="">of the graph</option>
            {views.map((v) => (
              <option key={v} value={v}>{v}</option>
            ))}
            <option value="none">hidden</option>
          </select>
        </label>
      )}
      <span class="spacer" />
      <div class="segmented zoomtools">
        <IconButton icon="minus" label="Zoom out" keys="-" onClick={() => plot.value?.zoomBy(1 / 1.5)} />
        <IconButton icon="plus" label="Zoom in" keys="+" onClick={() => plot.value?.zoomBy(1.5)} />
        <IconButton icon="fit" label="Show everything" keys={shownKey('everything')} onClick={() => plot.value?.fit()} />
      </div>
    </div>
  )
}
