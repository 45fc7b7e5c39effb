// One screen: groups, plot, questions, rows.

import { phoneTab, server, dataKey } from '../data/state'
import { rowsHeight } from '../data/prefs'
import { Dialogs } from '../dialogs/Dialogs'
import { GroupsPanel } from '../groups/GroupsPanel'
import { ImagePanel } from '../imagepanel/ImagePanel'
import { SegmentsPanel } from '../imagepanel/SegmentsPanel'
import { Toasts } from '../parts/Toasts'
import { PlotPanel } from '../plotpanel/PlotPanel'
import { RowsPanel } from '../rows/RowsPanel'
import { StartScreen } from '../start/StartScreen'
import { PhoneTabs } from './PhoneTabs'
import { SidePanel } from './SidePanel'
import { TopBar } from './TopBar'

export function App() {
  const s = server.value
  return (
    <div class="app">
      <TopBar />
      {!s && <main class="loading"><span class="spinner" aria-hidden="true" /> <span role="status">Connecting…</span></main>}
      {s?.kind === 'none' && <StartScreen />}
      {s && s.kind !== 'none' && (
        <>
          {s.kind === 'image' ? (
            <main key={dataKey.value} class={`work image show-${phoneTab.value === 'rows' ? 'plot' : phoneTab.value}`}>
              <SegmentsPanel />
              <ImagePanel />
              <SidePanel />
            </main>
          ) : (
            <main key={dataKey.value} class={`work rows-${rowsHeight.value} show-${phoneTab.value}`}>
              <GroupsPanel />
              <PlotPanel />
              <SidePanel />
              <RowsPanel />
            </main>
          )}
          <PhoneTabs />
        </>
      )}
      <Dialogs />
      <Toasts />
    </div>
  )
}
