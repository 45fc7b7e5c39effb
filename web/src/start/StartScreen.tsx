// Nothing is loaded: drop a file, paste a table, or try an example.

import { useRef, useState } from 'preact/hooks'
import { api, upload, type Uploaded } from '../data/api'
import { server } from '../data/state'
import { toastError } from '../data/toasts'
import { percent } from '../data/words'
import { Icon } from '../parts/Icon'
import { ColumnsDialog, groupWords } from '../columns/ColumnsDialog'
import { Examples } from './Examples'

export function StartScreen() {
  const [share, setShare] = useState<number | null>(null)
  const [over, setOver] = useState(false)
  const [got, setGot] = useState<{ name: string; uploaded: Uploaded } | null>(null)
  const input = useRef<HTMLInputElement>(null)

  async function take(file: Blob, name: string) {
    setShare(0)
    try {
      const uploaded = await upload(file, name, setShare)
      if (uploaded.preview?.columns?.length) setGot({ name, uploaded })
      else await api.begin(uploaded.upload)
    } catch (e) {
      toastError(e)
    } finally {
      setShare(null)
    }
  }

  return (
    <main
      class="start"
      onPaste={(e: ClipboardEvent) => {
        const file = e.clipboardData?.files[0]
        const text = e.clipboardData?.getData('text/plain')
        if (file) void take(file, file.name)
        else if (text && text.includes('\n')) void take(new Blob([text]), text.split('\n', 1)[0]!.includes('\t') ? 'pasted.tsv' : 'pasted.csv')
      }}
    >
      <div class="startbox">
        <div class="starttop">
          <h1>Answer questions and watch the groups update</h1>
          <p class="lede">Open a table, a graph or an image. inkling groups what is alike; you say what belongs together, and the groups follow. Your data stay on the machine that runs inkling.</p>
        </div>
        <div
          class={`dropzone ${over ? 'over' : ''}`}
          onDragOver={(e) => {
            e.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(e) => {
            e.preventDefault()
            setOver(false)
            const file = e.dataTransfer?.files[0]
            if (file) void take(file, file.name)
          }}
        >
          {share === null ? (
            <>
              <Icon name="file" size={32} />
              <p class="dropline">Drop a file here, paste a table, or</p>
              <button type="button" class="button primary" onClick={() => input.current?.click()}>Choose a file</button>
              <p class="muted">CSV, TSV, JSON, Parquet, NPY, edge list, Matrix Market, PNG or JPEG</p>
              <input ref={input} type="file" hidden aria-label="File" onChange={(e) => {
                const file = e.currentTarget.files?.[0]
                if (file) void take(file, file.name)
                e.currentTarget.value = ''
              }} />
            </>
          ) : (
            <div role="status">
              <p>Uploading: {percent(share)}</p>
              <progress value={share} max={1} aria-label="Upload" />
            </div>
          )}
        </div>
        <Examples examples={server.value?.examples ?? []} />
      </div>
      {got && (
        <ColumnsDialog
          title={got.name}
          upload={got.uploaded.upload}
          first={got.uploaded.preview}
          words="Check what each column holds. Rows are compared by numbers, categories, dates and texts; the other columns are not compared."
          action={groupWords}
          onClose={() => setGot(null)}
          onDone={(r) => api.begin(got.uploaded.upload, r).then(() => true, (e: unknown) => {
            toastError(e)
            return false
          })}
        />
      )}
    </main>
  )
}
