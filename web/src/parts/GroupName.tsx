// A cluster by number, colour and name.

import { clusterByName, groupTitle } from '../data/state'
import { Chip } from './Chip'

export function GroupName({ name, plain = false }: { name: string; plain?: boolean }) {
  const c = clusterByName.value.get(name)
  return (
    <span class="groupname">
      <Chip index={c ? c.index : null} />
      <span class={plain ? '' : 'ellipsis'} title={groupTitle(name)}>{groupTitle(name)}</span>
    </span>
  )
}
