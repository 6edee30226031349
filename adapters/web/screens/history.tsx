import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { HistoryEntry } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Choice, toOption } from '../parts/filter-bar.tsx'
import { Empty, Pending } from '../parts/message.tsx'
import { SeverityCountsLine } from '../parts/severity.tsx'
import { useTitle } from '../parts/title.ts'
import { Trend } from '../parts/trend.tsx'
import { scans } from '../state/load.ts'
import { address, go, href, setQuery } from '../state/router.ts'
import { formatDate, say, sayOf } from '../words/index.ts'

export function HistoryScreen(): JSX.Element {
  useTitle(say('historyTitle'))
  useEffect(() => void scans.load(), [])
  const { value, fault } = scans.state.value
  return (
    <>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{say('historyTitle')}</h1>
        <p class="lead">{say('historyLead')}</p>
      </header>
      {value === undefined || fault !== undefined ? <Pending fault={fault} retry={() => void scans.load()} /> : null}
      {value !== undefined && (value.length === 0 ? <Nothing /> : <HistoryTable entries={value} />)}
    </>
  )
}

function Nothing(): JSX.Element {
  return (
    <Empty title={say('historyEmpty')}>
      <p>{say('historyEmptyDetail')}</p>
      <a class="fd-button fd-button--emphasized" href={href('scan')}>
        {say('toStart')}
      </a>
    </Empty>
  )
}

function HistoryTable({ entries }: { entries: readonly HistoryEntry[] }): JSX.Element {
  const names = [...new Set(entries.map(({ projectName }) => projectName))].sort()
  const project = address.value.searchParams.get('project') ?? ''
  const [chosen, setChosen] = useState<readonly string[]>([])
  const rows = project === '' ? entries : entries.filter(({ projectName }) => projectName === project)
  // at most two: the one chosen first makes room
  const choose = (scanId: string, on: boolean): void =>
    setChosen(on ? [...chosen.slice(-1), scanId] : chosen.filter((other) => other !== scanId))
  const compare = (): void => {
    const [after, before] = entries.filter(({ scanId }) => chosen.includes(scanId))
    if (after !== undefined && before !== undefined) go(`compare/${before.scanId}/${after.scanId}`)
  }
  return (
    <>
      <section class="card history-head">
        <div class="history-controls">
          <Choice
            label={say('project')}
            value={project}
            all={say('allProjects')}
            options={names.map((name) => toOption(name, toVisible(name)))}
            onChoose={(name) => setQuery({ project: name })}
          />
          <button type="button" class="fd-button" disabled={chosen.length !== 2} onClick={compare}>
            {say('compareChosen')}
          </button>
          <p class="quiet">{say('compareHint')}</p>
        </div>
        {project !== '' && <Trend name={project} entries={rows.toReversed()} />}
      </section>
      <section class="card">
        <DataTable
          caption={say('historyTitle')}
          rows={rows}
          keyOf={({ scanId }) => scanId}
          columns={[
            {
              title: say('compare'),
              cell: ({ scanId, projectName, scannedAt }) => (
                <input
                  type="checkbox"
                  checked={chosen.includes(scanId)}
                  aria-label={say('choose', { name: toVisible(projectName), date: formatDate(scannedAt) })}
                  onChange={({ currentTarget }) => choose(scanId, currentTarget.checked)}
                />
              ),
            },
            {
              title: say('project'),
              cell: ({ scanId, projectName }) => (
                <a class="fd-link" href={href(`scans/${scanId}`)}>
                  {toVisible(projectName)}
                </a>
              ),
            },
            { title: say('date'), cell: ({ scannedAt }) => <time dateTime={scannedAt}>{formatDate(scannedAt)}</time> },
            { title: say('kinds'), cell: ({ projectTypes }) => (projectTypes.length === 0 ? '–' : projectTypes.join(', ')) },
            { title: say('viewFindings'), cell: ({ summary }) => <SeverityCountsLine counts={summary} /> },
            {
              title: say('risk'),
              numeric: true,
              cell: ({ riskScore, riskLevel }) => `${riskScore} (${sayOf('level', riskLevel)})`,
            },
          ]}
        />
      </section>
    </>
  )
}
