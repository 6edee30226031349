import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { LimitsAnswer } from '../../../handlers/index.ts'
import { Icon } from '../parts/icons.tsx'
import { FaultMessage, Message } from '../parts/message.tsx'
import { Progress } from '../parts/progress.tsx'
import { SeverityCountsLine } from '../parts/severity.tsx'
import { useTitle } from '../parts/title.ts'
import { fetchBlob } from '../state/api.ts'
import { BUNDLED } from '../state/bundled.ts'
import { limits, recentScans } from '../state/load.ts'
import { href } from '../state/router.ts'
import { dragged } from '../state/drop.ts'
import { readPicked, type Chosen } from '../state/folder.ts'
import { dismissScan, folderPath, refused, retryScan, scan, scanChosen, scanDirectory, scanFile } from '../state/scan.ts'
import { formatAge, formatNumber, formatSize, say } from '../words/index.ts'

export function StartScreen(): JSX.Element {
  const known = limits.state.value.value
  const recent = recentScans.state.value.value ?? []
  const state = scan.value
  const title = recent.length === 0 && recentScans.state.value.value !== undefined ? say('startFirst') : say('startTitle')
  useTitle(title)
  useEffect(() => {
    void limits.load()
    void recentScans.load()
  }, [])

  const working = state.step === 'packing' || state.step === 'sending' || state.step === 'scanning' || state.step === 'busy'
  const isWrongFolder = state.step === 'failed' && state.isWrongFolder === true
  const place = useRef<HTMLDivElement>(null)
  const before = useRef(state.step)
  useEffect(() => {
    if (before.current === state.step) return
    before.current = state.step
    // what had the focus may be gone: the next thing to do takes it
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const next = isWrongFolder ? '.folder input' : '.message-actions button, .progress button, .drop button'
    place.current?.querySelector<HTMLElement>(next)?.focus()
  }, [state.step])
  const again = (
    <>
      {!isWrongFolder && (
        <button type="button" class="fd-button fd-button--emphasized" onClick={retryScan}>
          {say('retry')}
        </button>
      )}
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
      {refused.value !== undefined && (
        <Message kind="error" title={refused.value.title} alert>
          <p>{refused.value.detail}</p>
        </Message>
      )}
      {state.step === 'failed' && <FaultMessage fault={state.fault} actions={again} about={state.name} />}
      {state.step === 'cancelled' && (
        <Message kind="information" title={say('scanCancelled')} alert actions={again}>
          <p>{say('scanCancelledDetail', { name: toVisible(state.name) })}</p>
        </Message>
      )}
      {working ? <Progress state={state} /> : <Drop known={known} />}
      {!working && (
        <div class="start-more">
          {known?.directory === true && <FolderForm />}
          <Sample />
        </div>
      )}
      <Recent />
    </div>
  )
}

/** Every browser has it by this name alone; the types of Preact have none for it. */
const WHOLE_FOLDERS = { webkitdirectory: true }

function choose(chosen: Chosen | undefined): void {
  if (chosen !== undefined) void scanChosen(chosen)
}

function Drop({ known }: { known?: LimitsAnswer }): JSX.Element {
  const file = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  // it is dropped anywhere on the page
  const over = dragged.value
  return (
    <div class={over ? 'card drop over' : 'card drop'}>
      <span class="drop-icon">
        <Icon name="upload" size={40} />
      </span>
      <p class="drop-title">{over ? say('dropRelease') : say('dropTitle')}</p>
      <p class="quiet">{say('dropOr')}</p>
      <input
        ref={file}
        id="file"
        type="file"
        accept=".zip,application/zip"
        hidden
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          choose(chosen && { kind: 'file', file: chosen })
          // the same file may be chosen again
          currentTarget.value = ''
        }}
      />
      <input
        ref={folder}
        id="folder"
        type="file"
        {...WHOLE_FOLDERS}
        hidden
        onChange={({ currentTarget }) => {
          choose(currentTarget.files === null ? undefined : readPicked(currentTarget.files))
          currentTarget.value = ''
        }}
      />
      <p class="drop-buttons">
        <button type="button" class="fd-button fd-button--emphasized" onClick={() => file.current?.click()}>
          {say('chooseFile')}
        </button>
        <button type="button" class="fd-button" onClick={() => folder.current?.click()}>
          {say('chooseFolder')}
        </button>
      </p>
      {known !== undefined && (
        <p class="quiet drop-limits">
          {say('dropLimits', { size: formatSize(known.upload), entries: formatNumber(known.entries) })}
        </p>
      )}
    </div>
  )
}

function FolderForm(): JSX.Element {
  const path = folderPath.value
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
          onInput={({ currentTarget }) => (folderPath.value = currentTarget.value)}
        />
      </label>
      <button type="submit" class="fd-button">
        {say('folderScan')}
      </button>
    </form>
  )
}

function Sample(): JSX.Element | null {
  const { sample } = BUNDLED
  if (sample === undefined) return null
  const tryIt = async (): Promise<void> => {
    try {
      scanFile(new File([await fetchBlob(`assets/${sample}`)], 'sample-shop.zip', { type: 'application/zip' }))
    } catch {
      refused.value = { title: say('offlineTitle'), detail: say('offlineDetail') }
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
  const recent = recentScans.state.value.value ?? []
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
        {recent.map(({ scanId, projectName, summary, scannedAt }) => (
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
