import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { LimitsAnswer } from '../../../handlers/index.ts'
import { Icon } from '../parts/icons.tsx'
import { FaultMessage, Message } from '../parts/message.tsx'
import { Progress } from '../parts/progress.tsx'
import { SeverityCountsLine } from '../parts/severity.tsx'
import { useTitle } from '../parts/title.ts'
import { fetchBlob } from '../state/api.ts'
import { BUNDLED } from '../state/bundled.ts'
import { limits, scans } from '../state/load.ts'
import { href } from '../state/router.ts'
import { dismissScan, retryScan, scan, scanDirectory, scanFile } from '../state/scan.ts'
import { formatAge, formatNumber, formatSize, say } from '../words/index.ts'

const RECENT = 5

interface Refused {
  readonly title: string
  readonly detail: string
}

/** What need not be sent in order to be refused. */
function refuse(file: File, known: LimitsAnswer | undefined): Refused | undefined {
  const name = toVisible(file.name)
  if (!/\.zip$/i.test(file.name)) return { title: say('wrongType'), detail: say('wrongTypeDetail', { name }) }
  if (file.size === 0) return { title: say('emptyFile'), detail: say('emptyFileDetail', { name }) }
  if (known !== undefined && file.size > known.upload) {
    return {
      title: say('tooLarge'),
      detail: say('tooLargeDetail', { name, size: formatSize(file.size), limit: formatSize(known.upload) }),
    }
  }
  return undefined
}

export function StartScreen(): JSX.Element {
  const known = limits.state.value.value
  const recent = scans.state.value.value ?? []
  const [refused, setRefused] = useState<Refused>()
  const state = scan.value
  const title = recent.length === 0 && scans.state.value.value !== undefined ? say('startFirst') : say('startTitle')
  useTitle(title)
  useEffect(() => {
    void limits.load()
    void scans.load()
  }, [])

  const choose = (file: File | undefined): void => {
    if (file === undefined) return
    const wrong = refuse(file, known)
    setRefused(wrong)
    if (wrong === undefined) scanFile(file)
    else dismissScan()
  }
  const working = state.step === 'sending' || state.step === 'scanning' || state.step === 'busy'
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(state.step)
  useEffect(() => {
    // what was refused before is no news beside what happens now
    if (state.step !== 'idle') setRefused(undefined)
    if (before.current === state.step) return
    before.current = state.step
    // what had the focus may be gone: the next thing to do takes it
    if (document.activeElement !== null && document.activeElement !== document.body) return
    place.current?.querySelector<HTMLElement>('.message-actions button, .progress button, .drop button')?.focus()
  }, [state.step])
  const again = (
    <>
      <button type="button" class="fd-button fd-button--emphasized" onClick={retryScan}>
        {say('retry')}
      </button>
      <button type="button" class="fd-button fd-button--transparent" onClick={dismissScan}>
        {say('close')}
      </button>
    </>
  )
  return (
    <div class="start" ref={place}>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{title}</h1>
        <p class="lead">{say('startLead')}</p>
      </header>
      {refused !== undefined && (
        <Message kind="error" title={refused.title} alert>
          <p>{refused.detail}</p>
        </Message>
      )}
      {state.step === 'failed' && <FaultMessage fault={state.fault} actions={again} />}
      {state.step === 'cancelled' && (
        <Message kind="information" title={say('scanCancelled')} alert actions={again}>
          <p>{say('scanCancelledDetail', { name: toVisible(state.name) })}</p>
        </Message>
      )}
      {working ? <Progress state={state} /> : <Drop onFile={choose} known={known} />}
      {!working && (
        <div class="start-more">
          {known?.directory === true && <FolderForm />}
          <Sample onFault={setRefused} />
        </div>
      )}
      <Recent />
    </div>
  )
}

function Drop({ onFile, known }: { onFile: (file: File | undefined) => void; known?: LimitsAnswer }): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const onDragOver = (event: DragEvent): void => {
    event.preventDefault()
    setOver(true)
  }
  const onDrop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer?.files[0])
  }
  return (
    <div class={over ? 'card drop over' : 'card drop'} onDragOver={onDragOver} onDragLeave={() => setOver(false)} onDrop={onDrop}>
      <span class="drop-icon">
        <Icon name="upload" size={40} />
      </span>
      <p class="drop-title">{over ? say('dropRelease') : say('dropTitle')}</p>
      <p class="quiet">{say('dropOr')}</p>
      <input
        ref={input}
        id="file"
        type="file"
        accept=".zip,application/zip"
        hidden
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0])
          // the same file may be chosen again
          currentTarget.value = ''
        }}
      />
      <button type="button" class="fd-button fd-button--emphasized" onClick={() => input.current?.click()}>
        {say('chooseFile')}
      </button>
      {known !== undefined && (
        <p class="quiet drop-limits">
          {say('dropLimits', { size: formatSize(known.upload), entries: formatNumber(known.entries) })}
        </p>
      )}
    </div>
  )
}

function FolderForm(): JSX.Element {
  const [path, setPath] = useState('')
  return (
    <form
      class="card folder"
      onSubmit={(event) => {
        event.preventDefault()
        if (path.trim() !== '') scanDirectory(path.trim())
      }}
    >
      <h2 class="fd-title fd-title--h5">{say('folderTitle')}</h2>
      <label>
        <span class="fd-form-label">{say('folderLabel')}</span>
        <input
          class="fd-input"
          value={path}
          placeholder={say('folderPlaceholder')}
          spellcheck={false}
          required
          onInput={({ currentTarget }) => setPath(currentTarget.value)}
        />
      </label>
      <button type="submit" class="fd-button">
        {say('folderScan')}
      </button>
    </form>
  )
}

function Sample({ onFault }: { onFault: (fault: Refused) => void }): JSX.Element | null {
  const { sample } = BUNDLED
  if (sample === undefined) return null
  const tryIt = async (): Promise<void> => {
    try {
      scanFile(new File([await fetchBlob(`assets/${sample}`)], 'sample-shop.zip', { type: 'application/zip' }))
    } catch {
      onFault({ title: say('offlineTitle'), detail: say('offlineDetail') })
    }
  }
  return (
    <section class="card sample">
      <h2 class="fd-title fd-title--h5">{say('sampleTitle')}</h2>
      <p class="quiet">{say('sampleLead')}</p>
      <button type="button" class="fd-button" onClick={() => void tryIt()}>
        {say('sampleTry')}
      </button>
    </section>
  )
}

function Recent(): JSX.Element | null {
  const recent = scans.state.value.value ?? []
  if (recent.length === 0) return null
  return (
    <section class="card recent">
      <header class="card-head">
        <h2 class="fd-title fd-title--h5">{say('recent')}</h2>
        <a class="fd-link" href={href('history')}>
          {say('recentAll')}
        </a>
      </header>
      <ul>
        {recent.slice(0, RECENT).map(({ scanId, projectName, summary, scannedAt }) => (
          <li key={scanId}>
            <a class="recent-name fd-link" href={href(`scans/${scanId}`)}>
              {toVisible(projectName)}
            </a>
            <SeverityCountsLine counts={summary} />
            <time class="quiet" dateTime={scannedAt}>
              {formatAge(scannedAt)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
