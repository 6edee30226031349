import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Project } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { collectFindings } from '../state/filter.ts'
import { reportOf } from '../state/load.ts'
import { href } from '../state/router.ts'
import { say } from '../words/index.ts'
import { findingAnchor } from './finding.tsx'
import { Pending } from './message.tsx'
import { SeverityBadge } from './severity.tsx'
import { Path } from './text.tsx'

const MOST = 10

/** What the last scan found for the first time, the most severe first. */
export function NewFindings({ project }: { project: Project }): JSX.Element {
  const { lastScan } = project
  return (
    <section class="card new-findings">
      <h2 class="fd-title fd-title--h5">{say('newFindings')}</h2>
      {lastScan.before === undefined ? (
        <p class="quiet">{say('newFirst')}</p>
      ) : project.new === 0 ? (
        <p class="quiet">{say('newNone')}</p>
      ) : lastScan.kept ? (
        <NewList scanId={lastScan.scanId} />
      ) : (
        <p class="quiet">{say('newLost')}</p>
      )}
    </section>
  )
}

function NewList({ scanId }: { scanId: string }): JSX.Element {
  const resource = reportOf(scanId)
  useEffect(() => void resource.load(), [scanId])
  const { value, fault } = resource.state.value
  if (value === undefined) return <Pending fault={fault} retry={() => void resource.load()} />
  const found = collectFindings(value).filter(({ status }) => status === 'new')
  return (
    <>
      <ul>
        {found.slice(0, MOST).map(({ id, severity, title, file, line, column, newBecause }) => (
          <li key={id} class="repair-head">
            <SeverityBadge severity={severity} />
            <a class="fd-link" href={href(`scans/${scanId}#${findingAnchor(id)}`)}>
              {toVisible(title)}
            </a>
            {newBecause !== undefined && <span class="kind">{say(`newBecause_${newBecause}`)}</span>}
            <Path file={file} line={line} column={column} />
          </li>
        ))}
      </ul>
      {found.length > MOST && (
        <a class="fd-link" href={href(`scans/${scanId}?status=new`)}>
          {say('newMore', { n: found.length })}
        </a>
      )}
    </>
  )
}
