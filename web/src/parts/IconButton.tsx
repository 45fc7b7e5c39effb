// A button with a drawing, a name for screen readers and a tooltip.

import { Icon, type IconName } from './Icon'

interface Props {
  icon: IconName
  label: string
  keys?: string
  text?: string
  pressed?: boolean
  disabled?: boolean
  onClick: (e: MouseEvent) => void
  class?: string
  id?: string
}

export function IconButton({ icon, label, keys, text, pressed, disabled, onClick, class: more = '', id }: Props) {
  const title = keys ? `${label} (${keys})` : label
  return (
    <button
      type="button"
      class={`iconbutton ${text ? 'withtext' : ''} ${more}`}
      title={title}
      aria-label={text && text === label ? undefined : label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys?.length === 1 ? keys : undefined}
      disabled={disabled}
      onClick={onClick}
      id={id}
    >
      <Icon name={icon} />
      {text && <span>{text}</span>}
    </button>
  )
}
