import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { LevelChange, PackageChange, Report, ReportAdvisory, ReportFinding } from '../../../core/index.ts'
import { compareReports } from '../../../core/report/compare-reports.ts'
import { wordLevelChange } from '../../../core/report/comparison-words.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Finding } from '../parts/finding.tsx'
import { Empty, Message, Pending } from '../parts/message.tsx'
import { SeverityBadge, SeverityCountsLine } from '../parts/severity.tsx'
import { Path, WebLink } from '../parts/text.tsx'
import { useTitle } from '../parts/title.ts'
import { reportOf } from '../state/load.ts'
import { href } from '../state/router.ts'
import { locale } from '../state/settings.ts'
import { formatDate, formatNumber, say, type Word } from '../words/index.ts'

export function CompareScreen({ before, after }: { before: string; after: string }): JSX.Element {
  useTitle(say('compareTitle'))
  const resources = [reportOf(before), reportOf(after)] as const
  const load = (): void => {
    for (const resource of resources) if (resource.state.peek().value === undefined) void resource.load()
  }
  useEffect(load, [before, after])
  const [one, other] = [resources[0].state.value, resources[1].state.value]
  if (one.value !== undefined && other.value !== undefined) return <Comparison before={one.value} after={other.value} />
  const fault = one.fault ?? other.fault
  if (fault?.kind === 'problem' && fault.problem.code === 'scan-not-found') {
    return (
      <Empty title={say('expiredTitle')} screen>
        <p>{say('expiredDetail')}</p>
        <a class="fd-button fd-button--emphasized" href={href('history')}>
          {say('toHistory')}
        </a>
      </Empty>
    )
  }
  return <Pending fault={fault} retry={load} />
}

/** Findings are the same where their fingerprint is: lines may have moved. */
function Comparison({ before, after }: { before: Report; after: Report }): JSX.Element {
  const { found, gone, same, levels, packages } = useMemo(() => compareReports(before, after), [before, after])
  // a package stands in the table with all its advisories
  const isListed = (finding: ReportFinding): boolean => finding.package === undefined
  return (
    <>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{say('compareTitle')}</h1>
        <div class="compare-head">
          <Side word="compareEarlier" report={before} />
          <span class="compare-arrow" aria-hidden="true">
            →
          </span>
          <Side word="compareLater" report={after} />
        </div>
      </header>
      {before.projectName !== after.projectName && <Message kind="information" title={say('compareOther')} />}
      {!before.complete && <Message kind="warning" title={say('compareEarlierIncomplete')} />}
      {!after.complete && <Message kind="warning" title={say('compareLaterIncomplete')} />}
      <Part word="compareNew" lead="compareNewLead" kind="new" findings={found.filter(isListed)} />
      <Part word="compareGone" lead="compareGoneLead" kind="gone" findings={gone.filter(isListed)} />
      {levels.length > 0 && <Levels changes={levels} />}
      {packages.length > 0 && <Packages changes={packages} />}
      <Part word="compareSame" lead="compareSameLead" kind="same" findings={same} />
    </>
  )
}

/** Findings of both reports whose severity is another one, and why. */
function Levels({ changes }: { changes: readonly LevelChange[] }): JSX.Element {
  return (
    <section class="card compare-part">
      <DataTable
        caption={say('compareLevels')}
        rows={changes}
        keyOf={({ after }) => after.id}
        columns={[
          {
            title: say('severity'),
            cell: ({ before, after }) => (
              <>
                <SeverityBadge severity={before.severity} /> → <SeverityBadge severity={after.severity} />
              </>
            ),
          },
          { title: say('finding'), cell: ({ after }) => toVisible(after.title) },
          { title: say('path'), cell: ({ after }) => <Path file={after.file} line={after.line} column={after.column} /> },
          { title: say('reason'), cell: (change) => wordLevelChange(change, locale.value) },
        ]}
      />
    </section>
  )
}

/** Advisories by package: what came, what went. */
function Packages({ changes }: { changes: readonly PackageChange[] }): JSX.Element {
  return (
    <section class="card compare-part">
      <DataTable
        caption={say('comparePackages')}
        rows={changes}
        keyOf={({ name, file }) => `${name} ${file}`}
        columns={[
          { title: say('package'), cell: ({ name }) => toVisible(name) },
          {
            title: say('version'),
            cell: ({ before, after }) =>
              toVisible([...new Set([before.join(', '), after.join(', ')])].map((one) => one || '–').join(' → ')),
          },
          { title: say('compareNew'), cell: ({ found }) => <Advisories list={found} /> },
          { title: say('compareFixed'), cell: ({ fixed }) => <Advisories list={fixed} /> },
          { title: say('compareSame'), numeric: true, cell: ({ unchanged }) => formatNumber(unchanged) },
          { title: say('file'), cell: ({ file }) => toVisible(file) },
        ]}
      />
    </section>
  )
}

function Advisories({ list }: { list: readonly ReportAdvisory[] }): JSX.Element {
  if (list.length === 0) return <>–</>
  return (
    <ul class="advisories">
      {list.map(({ id, severity, title, url }) => (
        <li key={id} title={title}>
          <SeverityBadge severity={severity} /> <WebLink url={url} text={id} />
        </li>
      ))}
    </ul>
  )
}

function Side({ word, report }: { word: Word; report: Report }): JSX.Element {
  return (
    <div class="card compare-side">
      <p class="quiet">{say(word)}</p>
      <p>
        <a class="fd-link" href={href(`scans/${report.scanId}`)}>
          {toVisible(report.projectName)}
        </a>
      </p>
      <p class="quiet">{formatDate(report.scannedAt)}</p>
      <SeverityCountsLine counts={report.summary} />
    </div>
  )
}

interface PartProps {
  readonly word: Word
  readonly lead: Word
  readonly kind: 'new' | 'gone' | 'same'
  readonly findings: readonly ReportFinding[]
}

const CHUNK = 100

function Part({ word, lead, kind, findings }: PartProps): JSX.Element {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [limit, setLimit] = useState(CHUNK)
  const toggle = (id: string, open: boolean): void => {
    if (opened.has(id) === open) return
    setOpened(new Set(open ? [...opened, id] : [...opened].filter((other) => other !== id)))
  }
  return (
    <section class={`compare-part ${kind}`}>
      <h2 class="group-head">
        <span>{say(word)}</span>
        <span class="group-count">{formatNumber(findings.length)}</span>
      </h2>
      <p class="quiet">{findings.length === 0 ? say('compareNone') : say(lead)}</p>
      {findings.slice(0, limit).map((finding) => (
        <Finding key={finding.id} finding={finding} open={opened.has(finding.id)} onToggle={toggle} />
      ))}
      {findings.length > limit && (
        <button type="button" class="fd-button" onClick={() => setLimit(limit + CHUNK)}>
          {say('showMore', { n: Math.min(CHUNK, findings.length - limit) })}
        </button>
      )}
    </section>
  )
}
