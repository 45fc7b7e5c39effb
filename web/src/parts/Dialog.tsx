// A modal dialog of the browser: it holds the focus, and Escape closes it.

import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from './IconButton'

interface Props {
  title: string
  onClose: () => void
  children: ComponentChildren
  actions?: ComponentChildren
  wide?: boolean
}

export function Dialog({ title, onClose, children, actions, wide }: Props) {
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const d = ref.current!
    const before = document.activeElement as HTMLElement | null
    if (!d.open) d.showModal()
    const first = d.querySelector<HTMLElement>('[data-first]')
    first?.focus()
    return () => {
      d.close()
      if (before?.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      class={wide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(e: Event) => {
        e.preventDefault()
        onClose()
      }}
      onMouseDown={(e) => {
        if (e.target === ref.current) onClose()
      }}
    >
      <div class="dialogbox">
        <header>
          <h2 id={id}>{title}</h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </header>
        <div class="dialogbody">{children}</div>
        {actions && <footer>{actions}</footer>}
      </div>
    </dialog>
  )
}
