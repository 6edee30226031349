import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { HistoryEntry, Report } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { SEVERITIES } from '../../../core/scales.ts'
import { ExportMenu } from '../parts/export-menu.tsx'
import { FindingList } from '../parts/finding-list.tsx'
import { Empty, Message, Pending } from '../parts/message.tsx'
import { Modal } from '../parts/modal.tsx'
import { ASK_FROM, printReport, type Paper } from '../parts/printing.ts'
import { renderNow } from '../parts/render-now.ts'
import { countedWord, countOf } from '../parts/severity.tsx'
import { Source } from '../parts/source.tsx'
import { Summary } from '../parts/summary.tsx'
import { CopyButton } from '../parts/text.tsx'
import { useTitle } from '../parts/title.ts'
import { deleteScan, toFault } from '../state/api.ts'
import { forgetReport, reportOf, scans } from '../state/load.ts'
import { address, go, href } from '../state/router.ts'
import { unkept } from '../state/scan.ts'
import { formatDate, formatNumber, say, type Word } from '../words/index.ts'
import { AccessMapView } from './access-map-view.tsx'
import { LookedView } from './looked-view.tsx'
import { NoticesView, SuppressedView } from './notices-view.tsx'

export function ReportScreen({ scanId }: { scanId: string }): JSX.Element {
  const resource = reportOf(scanId)
  const { value, fault } = resource.state.value
  useEffect(() => {
    if (resource.state.peek().value === undefined) void resource.load()
  }, [scanId])
  useTitle(value === undefined ? say('viewFindings') : toTitle(value))
  if (value !== undefined) {
    return (
      <>
        {fault !== undefined && <LostBar retry={() => void resource.load()} />}
        <ReportPage report={value} />
      </>
    )
  }
  if (fault?.kind === 'problem' && (fault.problem.code === 'scan-not-found' || fault.problem.code === 'invalid-request'))
    return <Expired />
  return <Pending fault={fault} retry={() => void resource.load()} />
}

function toTitle({ projectName, summary }: Report): string {
  const counts = SEVERITIES.filter((severity) => countOf(summary, severity) > 0).map(
    (severity) => `${countOf(summary, severity)} ${countedWord(severity, countOf(summary, severity))}`,
  )
  return `${toVisible(projectName)}: ${counts.length === 0 ? say('findings', { n: 0 }) : counts.join(', ')}`
}

function LostBar({ retry }: { retry: () => void }): JSX.Element {
  return (
    <Message
      kind="warning"
      title={say('offlineTitle')}
      alert
      actions={
        <button type="button" class="fd-button" onClick={retry}>
          {say('retry')}
        </button>
      }
    >
      <p>{say('offlineKept')}</p>
    </Message>
  )
}

function Expired(): JSX.Element {
  return (
    <Empty title={say('expiredTitle')} screen>
      <p>{say('expiredDetail')}</p>
      <p class="empty-actions">
        <a class="fd-button fd-button--emphasized" href={href('history')}>
          {say('toHistory')}
        </a>
        <a class="fd-button" href={href('scan')}>
          {say('toStart')}
        </a>
      </p>
    </Empty>
  )
}

const VIEWS = ['findings', 'looked', 'map', 'notices', 'suppressed'] as const
type View = (typeof VIEWS)[number]
const VIEW_WORDS: Readonly<Record<View, Word>> = {
  findings: 'viewFindings',
  looked: 'viewLooked',
  map: 'viewMap',
  notices: 'viewNotices',
  suppressed: 'viewSuppressed',
}

function ReportPage({ report }: { report: Report }): JSX.Element {
  const view = VIEWS.find((name) => name === address.value.searchParams.get('view')) ?? 'findings'
  const kept = !unkept.value.has(report.scanId)
  const counts: Partial<Record<View, number>> = {
    findings: report.summary.total,
    notices: report.notices.length,
    suppressed: report.suppressed.length,
  }
  return (
    <article class="report">
      <ReportHead report={report} kept={kept} />
      {!kept && (
        <Message kind="warning" title={say('unkeptTitle')}>
          <p>{say('unkeptDetail')}</p>
        </Message>
      )}
      {!report.complete && (
        <Message
          kind="warning"
          title={say('incompleteTitle')}
          actions={
            view === 'notices' ? undefined : (
              <a class="fd-button" href={viewHref('notices')}>
                {say('showNotices')}
              </a>
            )
          }
        >
          <p>{say('incompleteDetail', { n: report.notices.length })}</p>
        </Message>
      )}
      {report.projectTypes.length === 0 && (
        <Message kind="information" title={say('projectKindNone')}>
          <p>{say('projectKindNoneDetail')}</p>
        </Message>
      )}
      <Summary report={report} />
      <nav class="views" aria-label={say('views')}>
        {VIEWS.map((name) => (
          <a key={name} href={viewHref(name)} aria-current={name === view ? 'page' : undefined}>
            {say(VIEW_WORDS[name])}
            {counts[name] !== undefined && <span class="view-count">{formatNumber(counts[name])}</span>}
          </a>
        ))}
      </nav>
      <h2 class="visually-hidden">{say(VIEW_WORDS[view])}</h2>
      {view === 'findings' && (
        <Source.Provider value={report.sourceUrl}>
          <FindingList report={report} />
        </Source.Provider>
      )}
      {view === 'looked' && <LookedView report={report} />}
      {view === 'map' && <AccessMapView report={report} />}
      {view === 'notices' && <NoticesView notices={report.notices} />}
      {view === 'suppressed' && <SuppressedView suppressed={report.suppressed} />}
      <p class="print-address">{location.href}</p>
    </article>
  )
}

function viewHref(view: View): string {
  const target = new URL(address.value)
  if (view === 'findings') target.searchParams.delete('view')
  else target.searchParams.set('view', view)
  target.hash = ''
  return target.href
}

function ReportHead({ report, kept }: { report: Report; kept: boolean }): JSX.Element {
  const { projectName, projectTypes, scannedAt, filesScanned, results, branch, commit, decided = 0 } = report
  const version = results.ui5.apps.find((app) => app.version !== undefined)
  return (
    <header class="report-head">
      <div class="report-name">
        {kept && projectName !== '.' && projectName !== '..' && (
          <p class="crumbs">
            <a class="fd-link" href={href(`projects/${encodeURIComponent(projectName.toWellFormed())}`)}>
              {say('toProject')}
            </a>
          </p>
        )}
        <h1 class="fd-title fd-title--h2">{toVisible(projectName)}</h1>
        <p class="report-facts">
          {projectTypes.map((kind) => (
            <span key={kind} class="kind">
              {kind}
              {kind === 'UI5' && version?.version !== undefined ? ` ${toVisible(version.version)}` : ''}
            </span>
          ))}
          {branch !== undefined && <code translate={false}>{toVisible(branch)}</code>}
          {commit !== undefined && <code translate={false}>{commit.slice(0, 10)}</code>}
          <span>{say('filesScanned', { n: filesScanned })}</span>
          {decided > 0 && (
            <a class="fd-link" href={href(`scans/${report.scanId}?status=decided`)}>
              {say('decidedCount', { n: decided })}
            </a>
          )}
          <time dateTime={scannedAt}>{say('scannedAt', { date: formatDate(scannedAt) })}</time>
        </p>
      </div>
      <div class="report-actions">
        <ExportMenu report={report} kept={kept} />
        <CopyButton text={() => location.href} label={say('copyLink')} />
        <PrintButton findings={report.summary.total} />
        {kept && <CompareMenu report={report} />}
        {kept && <RemoveButton report={report} />}
      </div>
    </header>
  )
}

/** Many findings would be hundreds of pages: what is meant is asked first. */
function PrintButton({ findings }: { findings: number }): JSX.Element {
  const [asked, setAsked] = useState(false)
  const choose = (paper: Paper): void => {
    // the dialog would be printed too
    renderNow(() => setAsked(false))
    printReport(paper)
  }
  return (
    <>
      <button
        type="button"
        class="fd-button fd-button--transparent"
        onClick={() => (findings > ASK_FROM ? setAsked(true) : printReport('form'))}
      >
        {say('print')}
      </button>
      {asked && (
        <Modal title={say('printTitle', { n: findings })} onClose={() => setAsked(false)}>
          <p>{say('printDetail')}</p>
          <div class="modal-actions">
            <button type="button" class="fd-button fd-button--emphasized" onClick={() => choose('form')}>
              {say('printForm')}
            </button>
            <button type="button" class="fd-button" onClick={() => choose('full')}>
              {say('printFull')}
            </button>
            <button type="button" class="fd-button fd-button--transparent" onClick={() => setAsked(false)}>
              {say('cancel')}
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}

/** The other scans of the project first: they are what one compares with. */
function CompareMenu({ report }: { report: Report }): JSX.Element | null {
  useEffect(() => {
    if (scans.state.peek().value === undefined) void scans.load()
  }, [])
  const others = (scans.state.value.value ?? []).filter(({ scanId }) => scanId !== report.scanId)
  if (others.length === 0) return null
  const own = others.filter(({ projectName }) => projectName === report.projectName)
  return (
    <select
      class="compare-menu"
      aria-label={say('compareWith')}
      value=""
      onChange={({ currentTarget }) => {
        const other = others.find(({ scanId }) => scanId === currentTarget.value)
        if (other === undefined) return
        const [before, after] = other.scannedAt < report.scannedAt ? [other, report] : [report, other]
        go(`compare/${before.scanId}/${after.scanId}`)
      }}
    >
      <option value="">{say('compareWith')}</option>
      {own.length > 0 ? toOptions(own) : <optgroup label={say('compareOthers')}>{toOptions(others)}</optgroup>}
    </select>
  )
}

function toOptions(entries: readonly HistoryEntry[]): readonly JSX.Element[] {
  return entries.slice(0, 50).map(({ scanId, projectName, scannedAt }) => (
    <option key={scanId} value={scanId}>
      {toVisible(projectName)}, {formatDate(scannedAt)}
    </option>
  ))
}

function RemoveButton({ report }: { report: Report }): JSX.Element {
  const [asked, setAsked] = useState(false)
  const [failed, setFailed] = useState('')
  const remove = async (): Promise<void> => {
    try {
      await deleteScan(report.scanId)
      forgetReport(report.scanId)
      await scans.load()
      go('history')
    } catch (error) {
      const fault = toFault(error)
      setFailed(fault.kind === 'offline' ? say('offlineTitle') : fault.problem.title)
    }
  }
  return (
    <>
      <button type="button" class="fd-button fd-button--transparent" onClick={() => setAsked(true)}>
        {say('remove')}
      </button>
      {asked && (
        <Modal title={say('removeTitle')} onClose={() => setAsked(false)}>
          <p>{say('removeDetail', { name: toVisible(report.projectName) })}</p>
          {failed !== '' && <Message kind="error" title={failed} alert />}
          <div class="modal-actions">
            <button type="button" class="fd-button fd-button--negative" onClick={() => void remove()}>
              {say('remove')}
            </button>
            <button type="button" class="fd-button fd-button--transparent" onClick={() => setAsked(false)}>
              {say('cancel')}
            </button>
          </div>
        </Modal>
      )}
    </>
  )
}
