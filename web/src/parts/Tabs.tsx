// A row of tabs; arrow keys move between them.

import { useRef } from 'preact/hooks'

interface Tab<T extends string> {
  name: T
  text: string
  badge?: number
  keys?: string
}

interface Props<T extends string> {
  label: string
  tabs: Tab<T>[]
  current: T
  controls: string
  onPick: (name: T) => void
}

export function Tabs<T extends string>({ label, tabs, current, controls, onPick }: Props<T>) {
  const ref = useRef<HTMLDivElement>(null)
  function move(e: KeyboardEvent) {
    const at = tabs.findIndex((t) => t.name === current)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    e.stopPropagation()
    const next = tabs[(to + tabs.length) % tabs.length]!
    onPick(next.name)
    requestAnimationFrame(() => ref.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={ref} onKeyDown={move}>
      {tabs.map((t) => (
        <button
          key={t.name}
          id={`tab-${t.name}`}
          type="button"
          role="tab"
          aria-selected={t.name === current}
          aria-controls={controls}
          tabIndex={t.name === current ? 0 : -1}
          title={t.keys ? `${t.text} (${t.keys})` : t.text}
          onClick={() => onPick(t.name)}
        >
          {t.text}
          {t.badge ? <span class="badge">{t.badge > 99 ? '99+' : t.badge}</span> : null}
        </button>
      ))}
    </div>
  )
}
