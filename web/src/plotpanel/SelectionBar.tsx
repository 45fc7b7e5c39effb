// What can be done with the selected points.

import { shownKey } from '../data/prefs'
import { acceptPoints, askLabel, linkSelection, select, splitSelection } from '../data/actions'
import { phoneTab, rowFilter, selection, sideTab } from '../data/state'
import { count } from '../data/words'
import { IconButton } from '../parts/IconButton'

export function SelectionBar() {
  const s = selection.value
  if (!s) return null
  return (
    <div class="selectionbar" role="toolbar" aria-label="Selection">
      <strong>{count(s.length, 'row')} selected</strong>
      <IconButton icon="tag" text="Label" label="Label the selection" keys={shownKey('label')} onClick={askLabel} />
      {s.length === 2 && (
        <>
          <IconButton icon="link" text="Must-link" label="Must-link: the two belong together" keys={shownKey('must')} onClick={() => linkSelection('must')} />
          <IconButton icon="unlink" text="Cannot-link" label="Cannot-link: the two do not belong together" keys={shownKey('cannot')} onClick={() => linkSelection('cannot')} />
        </>
      )}
      {s.length > 2 && (
        <>
          <IconButton icon="split" text="Split off" label="Split off: put the selection into a group of its own" onClick={() => void splitSelection(s)} />
          <IconButton icon="check" text="Accept" label="Accept: label each row with the name of its group" onClick={() => void acceptPoints(s)} />
        </>
      )}
      <IconButton icon="rows" label="Show the selected rows in the table" onClick={() => {
        rowFilter.value = { kind: 'selection' }
        phoneTab.value = 'rows'
      }} />
      <IconButton icon="target" label="Show the details of the selection" onClick={() => {
        sideTab.value = 'selection'
        phoneTab.value = 'side'
      }} />
      <IconButton icon="close" label="Clear the selection" keys="Esc" onClick={() => select(null)} />
    </div>
  )
}
