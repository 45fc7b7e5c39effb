// The right panel: questions, the selection, violations, suspects, history.

import { fit, selectionSize, server, sideTab, type SideTab } from '../data/state'
import { SuspectsPanel } from '../checks/SuspectsPanel'
import { ViolationsPanel } from '../checks/ViolationsPanel'
import { SelectionPanel } from '../details/SelectionPanel'
import { HistoryPanel } from '../history/HistoryPanel'
import { Tabs } from '../parts/Tabs'
import { QuestionPanel } from '../questions/QuestionPanel'

export function SidePanel() {
  const image = server.value!.kind === 'image'
  const tab: SideTab = image ? 'history' : sideTab.value
  const tabs: { name: SideTab; text: string; badge?: number; keys?: string }[] = image
    ? [{ name: 'history', text: 'History', keys: 'H' }]
    : [
        { name: 'questions', text: 'Questions', keys: 'Q' },
        { name: 'selection', text: 'Details', badge: selectionSize.value },
        { name: 'violations', text: 'Violations', badge: fit.value?.violated ?? 0, keys: 'V' },
        { name: 'suspects', text: 'Suspects', badge: server.value!.suspects?.likely ?? 0 },
        { name: 'history', text: 'History', keys: 'H' },
      ]
  return (
    <section class="panel side" aria-label="Questions and checks">
      <Tabs label="Questions and checks" tabs={tabs} current={tab} controls="side-body" onPick={(t) => (sideTab.value = t)} />
      <h2 class="hiddentext">{tabs.find((t) => t.name === tab)?.text}</h2>
      <div class="panelbody" id="side-body" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        {tab === 'questions' && <QuestionPanel />}
        {tab === 'selection' && <SelectionPanel />}
        {tab === 'violations' && <ViolationsPanel />}
        {tab === 'suspects' && <SuspectsPanel />}
        {tab === 'history' && <HistoryPanel />}
      </div>
    </section>
  )
}
