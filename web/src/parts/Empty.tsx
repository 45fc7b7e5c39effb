// What a panel says while it has nothing to show.

import type { ComponentChildren } from 'preact'

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="emptytitle">{title}</p>
      {children && <div class="muted">{children}</div>}
    </div>
  )
}
