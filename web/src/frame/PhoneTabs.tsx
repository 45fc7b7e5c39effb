// On a narrow screen the panels are tabs at the bottom.

import { phoneTab, server, type PhoneTab } from '../data/state'
import { Icon, type IconName } from '../parts/Icon'

export function PhoneTabs() {
  const image = server.value!.kind === 'image'
  const tabs: { name: PhoneTab; text: string; icon: IconName }[] = [
    { name: 'groups', text: image ? 'Labels' : 'Groups', icon: 'groups' },
    { name: 'plot', text: image ? 'Image' : 'Plot', icon: 'plot' },
    image ? { name: 'side', text: 'History', icon: 'history' } : { name: 'side', text: 'Questions', icon: 'question' },
    ...(image ? [] : [{ name: 'rows', text: 'Rows', icon: 'rows' } as const]),
  ]
  return (
    <nav class="phonetabs" aria-label="Panels">
      {tabs.map((t) => (
        <button key={t.name} type="button" aria-current={phoneTab.value === t.name ? 'page' : undefined} onClick={() => (phoneTab.value = t.name)}>
          <Icon name={t.icon} size={20} />
          {t.text}
        </button>
      ))}
    </nav>
  )
}
