import type { JSX } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { ReportFinding } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import {
  collectFindings,
  groupFindings,
  isFiltered,
  readFilter,
  selectFindings,
  type Filter,
  type Group,
} from '../state/filter.ts'
import { reportOf } from '../state/load.ts'
import { address, decode, setQuery } from '../state/router.ts'
import { formatNumber, say, sayOf } from '../words/index.ts'
import { DataTable } from './data-table.tsx'
import { Decide } from './decision.tsx'
import { FilterBar, RESET } from './filter-bar.tsx'
import { Finding, findingAnchor } from './finding.tsx'
import { later } from './later.tsx'
import { Empty } from './message.tsx'
import { isPrinting, usePrinting } from './printing.ts'
import { RepairFirst } from './repair-first.tsx'
import { isSeverity, SeverityBadge, severityWord } from './severity.tsx'
import { Path } from './text.tsx'
import { Upgrades } from './upgrades.tsx'
import type { Report } from '../../../core/index.ts'

const DecisionDialog = later(async () => (await import('../screens/over-time.ts')).DecisionDialog)

/** Rows that a change of the filter makes: each costs time with every key that is typed. */
const FIRST = 60
/** Rows that somebody asks for who wants to see more. */
const CHUNK = 200

const wantedId = (): string => (location.hash.startsWith('#f-') ? decode(location.hash.slice(3)) : '')

export function FindingList({ report }: { report: Report }): JSX.Element {
  const findings = useMemo(() => collectFindings(report), [report])
  const filter = readFilter(address.value.searchParams)
  const selected = useMemo(() => selectFindings(findings, filter), [findings, address.value.search])
  const printing = usePrinting()
  const [full, brief] = useMemo(() => (printing === 'form' ? splitForPaper(selected) : [selected, []]), [selected, printing])
  const groups = useMemo(() => groupFindings(full, filter.group), [full, filter.group])
  const [limit, setLimit] = useState(FIRST)
  const [opened, setOpened] = useState<ReadonlySet<string>>(() => new Set(wantedId() === '' ? [] : [wantedId()]))

  const [wanted, setWanted] = useState(wantedId)
  const [asked, setAsked] = useState<readonly ReportFinding[]>()
  // a report that was not stored belongs to no project
  const canDecide = findings.some(({ status }) => status !== undefined)
  const shown = useRef(selected)
  shown.current = selected

  useEffect(() => {
    setLimit(FIRST)
    setWanted(wantedId())
  }, [selected, filter.group])
  useEffect(() => {
    const show = (): void => {
      const id = wantedId()
      if (id === '' || !findings.some((finding) => finding.id === id)) return
      // a link leads to its finding, whatever was filtered
      if (!shown.current.some((finding) => finding.id === id)) setQuery(RESET, true, true)
      setWanted(id)
      setOpened((now) => new Set([...now, id]))
      requestAnimationFrame(() => document.getElementById(findingAnchor(id))?.scrollIntoView({ block: 'start' }))
    }
    show()
    addEventListener('hashchange', show)
    return () => removeEventListener('hashchange', show)
  }, [report.scanId])

  // always the same, so that a row that did not change is not made again
  const toggle = useCallback((id: string, open: boolean): void => {
    if (isPrinting()) return
    setOpened((now) => {
      if (now.has(id) === open) return now
      const next = new Set(now)
      if (open) next.add(id)
      else next.delete(id)
      return next
    })
    // the address leads to what is read; going back leaves the report all the same
    const target = new URL(location.href)
    target.hash = open ? findingAnchor(id) : ''
    history.replaceState(null, '', target)
  }, [])

  if (findings.length === 0) return <NothingFound report={report} />
  const position = groups.flatMap((group) => group.findings).findIndex(({ id }) => id === wanted)
  const rows = printing !== undefined ? selected.length : Math.min(Math.max(limit, position + 1), selected.length)
  const more = selected.length - rows
  return (
    <>
      {!isFiltered(filter) && <RepairFirst findings={findings} />}
      {!isFiltered(filter) && <Upgrades upgrades={report.results.npm.upgrades} />}
      <FilterBar findings={findings} filter={filter} shown={selected.length} />
      {canDecide && selected.length > 0 && printing === undefined && (
        <p class="decide-shown">
          <button type="button" class="fd-button" onClick={() => setAsked(selected)}>
            {say('decideShown', { n: selected.length })}
          </button>
        </p>
      )}
      {asked !== undefined && (
        <DecisionDialog
          project={report.projectName}
          findings={asked}
          onClose={() => setAsked(undefined)}
          onDone={() => void reportOf(report.scanId).load()}
        />
      )}
      {selected.length === 0 && <NothingFits filter={filter} />}
      <Decide.Provider value={canDecide ? setAsked : undefined}>
        <div class="finding-groups">
          {cutGroups(groups, rows).map(({ key, findings: rows, total }) => (
            <section key={key} class="finding-group">
              <h3 class="group-head">
                <GroupTitle grouping={filter.group} groupKey={key} first={rows[0]} />
                <span class="group-count">{formatNumber(total)}</span>
              </h3>
              {rows.map((finding) => (
                <Finding
                  key={finding.id}
                  finding={finding}
                  open={printing !== undefined || opened.has(finding.id)}
                  onToggle={toggle}
                  underRule={filter.group === 'rule'}
                />
              ))}
            </section>
          ))}
        </div>
      </Decide.Provider>
      {brief.length > 0 && <BriefFindings findings={brief} />}
      {more > 0 && printing === undefined && (
        <p class="more">
          <button type="button" class="fd-button" onClick={() => setLimit(limit + CHUNK)}>
            {say('showMore', { n: Math.min(CHUNK, more) })}
          </button>
          <span class="quiet">{say('hiddenBefore', { n: more })}</span>
        </p>
      )}
    </>
  )
}

/** What is printed in full, and what as a table. */
function splitForPaper(findings: readonly ReportFinding[]): readonly [readonly ReportFinding[], readonly ReportFinding[]] {
  const isFull = ({ severity }: ReportFinding): boolean => severity === 'CRITICAL' || severity === 'HIGH'
  return [findings.filter(isFull), findings.filter((finding) => !isFull(finding))]
}

/** Findings on a line each. */
function BriefFindings({ findings }: { findings: readonly ReportFinding[] }): JSX.Element {
  return (
    <section class="brief-findings">
      <DataTable
        caption={say('printOthers')}
        rows={findings}
        keyOf={({ id }) => id}
        columns={[
          { title: say('severity'), cell: ({ severity }) => <SeverityBadge severity={severity} /> },
          { title: say('title'), cell: ({ title }) => toVisible(title) },
          { title: say('file'), cell: ({ file, line, column }) => <Path file={file} line={line} column={column} /> },
          { title: say('rule'), cell: ({ ruleId }) => <code translate={false}>{ruleId}</code> },
        ]}
      />
    </section>
  )
}

/** The first rows of all groups together. */
function cutGroups(groups: readonly Group[], rows: number): readonly (Group & { readonly total: number })[] {
  let left = rows
  return groups.flatMap(({ key, findings }) => {
    if (left <= 0) return []
    const shown = findings.slice(0, left)
    left -= shown.length
    return [{ key, findings: shown, total: findings.length }]
  })
}

function GroupTitle({
  grouping,
  groupKey,
  first,
}: {
  grouping: Filter['group']
  groupKey: string
  first?: ReportFinding
}): JSX.Element {
  if (grouping === 'severity') return <span>{isSeverity(groupKey) ? severityWord(groupKey) : groupKey}</span>
  if (grouping === 'area') return <span>{sayOf('area', groupKey)}</span>
  if (grouping === 'file') return <code translate={false}>{toVisible(groupKey)}</code>
  return (
    <>
      <span>{toVisible(first?.title ?? groupKey)}</span> <code translate={false}>{groupKey}</code>
    </>
  )
}

function NothingFound({ report }: { report: Report }): JSX.Element {
  return (
    <Empty title={say('noneTitle', { files: say('noneFiles', { n: report.filesScanned }) })}>
      <p>{say('noneDetail')}</p>
      <button type="button" class="fd-button" onClick={() => setQuery({ view: 'looked' }, false)}>
        {say('viewLooked')}
      </button>
    </Empty>
  )
}

function NothingFits({ filter }: { filter: Filter }): JSX.Element {
  const { severities, area, rule, file, cwe, text, status } = filter
  const named = [
    area && sayOf('area', area),
    rule,
    file,
    cwe,
    status && sayOf('status', status).replace(/^[a-z-]+$/, (state) => sayOf('decision', state)),
    text && `“${text}”`,
  ]
  const parts = [...severities.map(severityWord), ...named].filter(Boolean)
  return (
    <Empty title={say('filteredTitle')}>
      <p>{say('filteredDetail', { filters: toVisible(parts.join(', ')) })}</p>
      {isFiltered(filter) && (
        <button type="button" class="fd-button fd-button--emphasized" onClick={() => setQuery(RESET)}>
          {say('reset')}
        </button>
      )}
    </Empty>
  )
}
