// What the shown result is, or how far the next one is.

import { cancelFit } from '../data/actions'
import { dialog, server, sideTab, phoneTab } from '../data/state'
import { toast } from '../data/toasts'
import { number, percent, seconds, sentence } from '../data/words'
import { Icon } from '../parts/Icon'
import { Sparkline } from './Sparkline'

export function FitState() {
  const s = server.value!
  const { running: r, fit: f, error } = s
  const suspected = s.suspects?.likely ?? 0
  const checked = s.suspects?.ready ?? true
  return (
    <div class={r || error ? 'fitstate' : 'fitstate result'} role="status" aria-label="State of the fit">
      {r ? (
        <>
          <span class="spinner" aria-hidden="true" />
          <span class="fitwords">
            {r.stage || 'Fitting'}
            {r.of > 0 && <span class="muted"> {r.done < r.of ? percent(r.done / r.of) : 'almost done'}</span>}
          </span>
          {r.of > 0 && (r.done < r.of ? <progress value={r.done} max={r.of} aria-label="Progress of the fit" /> : <progress aria-label="Progress of the fit" />)}
          {!!r.objective && r.objective.length > 2 && <Sparkline values={r.objective} />}
          <button type="button" class="button small" onClick={() => void cancelFit()}><Icon name="stop" size={12} /> Cancel</button>
        </>
      ) : error ? (
        <button
          type="button"
          class="plain fiterror"
          title="Show the whole message"
          onClick={() =>
            toast(sentence(error.message), {
              kind: 'error',
              detail: error.hint ? sentence(error.hint) : 'The last result is kept until a fit succeeds.',
              action: { text: 'Settings', run: () => (dialog.value = { name: 'settings' }) },
            })
          }
        >
          <Icon name="warn" /> <span class="ellipsis">{sentence(error.message)}</span>
        </button>
      ) : f ? (
        <>
          <span class="fitwords desktoponly">{f.method}</span>
          {s.kind !== 'image' && <span class="fitwords" title={f.number ? sentence(f.number) : undefined}>{number(f.k)} groups</span>}
          {f.reliability === 'low' && s.kind !== 'image' && (
            <button type="button" class="plain fitconstraints warnword" title={sentence(f.reliable ?? '')} onClick={() => toast('Low reliability', { kind: 'error', detail: sentence(f.reliable ?? '') })}>
              <Icon name="warn" size={14} /> Low reliability
            </button>
          )}
          {(f.reliability === 'fair' || f.reliability === 'good') && s.kind !== 'image' && (
            <span class="muted desktoponly" title={sentence(f.reliable ?? '')}>{f.reliability} reliability</span>
          )}
          {f.constraints > 0 && (
            <button
              type="button"
              class={`plain fitconstraints ${f.violated > 0 ? 'warnword' : ''}`}
              title={f.violated > 0 ? 'Show violations' : suspected > 0 ? 'All constraints are satisfied, but some look wrong' : 'All constraints are satisfied'}
              onClick={() => {
                sideTab.value = 'violations'
                phoneTab.value = 'side'
              }}
            >
              {f.violated > 0 ? <Icon name="warn" size={14} /> : checked && suspected === 0 ? <span class="tick"><Icon name="check" size={14} /></span> : null}
              {number(f.satisfied)}/{number(f.constraints)}<span class="desktoponly"> satisfied</span>
            </button>
          )}
          {suspected > 0 && (
            <button
              type="button"
              class="plain fitconstraints warnword"
              title="Show constraints that look wrong"
              onClick={() => {
                sideTab.value = 'suspects'
                phoneTab.value = 'side'
              }}
            >
              <Icon name="warn" size={14} />
              {number(suspected)}<span class="desktoponly"> {suspected === 1 ? 'looks' : 'look'} wrong</span>
            </button>
          )}
          {!!f.moved && <span class="muted desktoponly wideonly">{number(f.moved)} moved</span>}
          <span class="muted desktoponly wideonly">{seconds(f.seconds)}</span>
        </>
      ) : (
        <span class="muted">{s.kind !== 'image' ? 'Not fitted yet' : s.image?.mask ? 'Mask is up to date' : 'No mask yet'}</span>
      )}
    </div>
  )
}
