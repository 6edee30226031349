import type { JSX } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { DecidedFinding, Project, Report } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { fetchConfig, fetchDecisions } from '../state/decisions.ts'
import { collectFindings } from '../state/filter.ts'
import { createResource, reportOf } from '../state/load.ts'
import { href } from '../state/router.ts'
import { say } from '../words/index.ts'
import { DataTable } from './data-table.tsx'
import { DecisionMark, DecisionText } from './decision.tsx'
import { FormerList } from './decision-dialog.tsx'
import { findingAnchor } from './finding.tsx'
import { Pending } from './message.tsx'
import { CopyButton, Path } from './text.tsx'

interface Row extends Partial<DecidedFinding> {
  readonly id: string
  /** As the last report has it. */
  readonly title?: string
  readonly file?: string
  /** The reason of the project's own files. */
  readonly code?: string
}

/** What was decided, also on what is no longer found, and what the code of the project decides itself. */
export function Decisions({ project, name }: { project: Project; name: string }): JSX.Element {
  const { lastScan } = project
  const resource = useMemo(() => createResource(() => fetchDecisions(name)), [name])
  const report = lastScan.kept ? reportOf(lastScan.scanId) : undefined
  useEffect(() => {
    void resource.load()
    if (report?.state.peek().value === undefined) void report?.load()
  }, [name, lastScan.scanId])
  const { value, fault } = resource.state.value
  const rows = value === undefined ? [] : toRows(value, report?.state.value.value)
  return (
    <section class="card decisions">
      {value === undefined && <Pending fault={fault} retry={() => void resource.load()} />}
      {value !== undefined && rows.length === 0 && (
        <>
          <h2 class="fd-title fd-title--h5">{say('decisions')}</h2>
          <p class="quiet">{say('noDecisions')}</p>
        </>
      )}
      {rows.length > 0 && (
        <DataTable
          caption={say('decisions')}
          rows={rows}
          first={50}
          keyOf={({ id, code }) => `${id}${code}`}
          columns={[
            { title: say('finding'), cell: (row) => <FindingCell row={row} scanId={lastScan.scanId} /> },
            {
              title: say('decision'),
              cell: ({ decision, code }) =>
                decision === undefined ? (
                  <span class="kind">{code === undefined ? '–' : say('decision_code')}</span>
                ) : (
                  <DecisionMark decision={decision} />
                ),
            },
            { title: say('reason'), cell: (row) => <ReasonCell row={row} /> },
          ]}
        />
      )}
      {value?.some(({ decision }) => decision !== undefined) === true && <ConfigEntries name={name} />}
    </section>
  )
}

function toRows(decided: readonly DecidedFinding[], report: Report | undefined): readonly Row[] {
  const known = new Map((report === undefined ? [] : collectFindings(report)).map((finding) => [finding.id, finding]))
  const rows = decided.map((one): Row => {
    const { title, file } = known.get(one.findingId) ?? {}
    return { ...one, id: one.findingId, ...(title !== undefined && { title }), ...(file !== undefined && { file }) }
  })
  const hidden = (report?.suppressed ?? []).map(({ id, ruleId, file, reason }): Row => ({
    id,
    title: ruleId,
    file,
    code: reason,
  }))
  // what ends first comes first
  return [...rows.sort((one, other) => (endOf(one) < endOf(other) ? -1 : 1)), ...hidden]
}

const endOf = ({ decision }: Row): string => decision?.until ?? '9'

function FindingCell({ row: { id, title, file, code }, scanId }: { row: Row; scanId: string }): JSX.Element {
  if (title === undefined || file === undefined)
    return (
      <>
        <code translate={false}>{id}</code> <span class="quiet">({say('goneNow')})</span>
      </>
    )
  const text = toVisible(title)
  return (
    <>
      {code === undefined ? (
        <a class="fd-link" href={href(`scans/${scanId}#${findingAnchor(id)}`)}>
          {text}
        </a>
      ) : (
        <code translate={false}>{text}</code>
      )}{' '}
      <Path file={file} />
    </>
  )
}

function ReasonCell({ row: { findingId = '', decision, code = '', history = [] } }: { row: Row }): JSX.Element {
  return (
    <>
      {decision === undefined ? toVisible(code) : <DecisionText decision={decision} />}
      <FormerList finding={{ findingId, history }} />
    </>
  )
}

/** The decisions for the project's own file, to be copied or downloaded. */
function ConfigEntries({ name }: { name: string }): JSX.Element | null {
  const [text, setText] = useState('')
  useEffect(() => {
    fetchConfig(name).then(setText, () => setText(''))
  }, [name])
  if (text === '') return null
  return (
    <p class="config-entries">
      {say('configLead')} <CopyButton text={text} label={say('copy')} />
      <a class="fd-button" download="parapet.config.json" href={`data:application/json,${encodeURIComponent(text)}`}>
        {say('download')}
      </a>
    </p>
  )
}
