// The key of an action, shown on its button while keys are switched on.

import { keysOn } from '../data/prefs'

export function Key({ k }: { k: string }) {
  return keysOn.value ? <kbd aria-hidden="true">{k}</kbd> : null
}
