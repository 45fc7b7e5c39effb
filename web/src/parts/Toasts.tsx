// The corner where messages appear. The regions stay in the page, so that screen readers notice what is added.

import { dismiss, toasts } from '../data/toasts'
import { IconButton } from './IconButton'

export function Toasts() {
  const done = toasts.value.filter((t) => t.kind === 'done')
  const errors = toasts.value.filter((t) => t.kind === 'error')
  return (
    <div class="toasts">
      {[errors, done].map((list, i) => (
        <div key={i} role={i === 0 ? 'alert' : 'status'} aria-live={i === 0 ? 'assertive' : 'polite'}>
          {list.map((t) => (
            <div class={`toast ${t.kind}`} key={t.n}>
              <div class="toasttext">
                <p>{t.text}</p>
                {t.detail && <p class="toastdetail">{t.detail}</p>}
              </div>
              {t.action && (
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    t.action!.run()
                    dismiss(t.n)
                  }}
                >
                  {t.action.text}
                </button>
              )}
              <IconButton icon="close" label="Dismiss" onClick={() => dismiss(t.n)} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
