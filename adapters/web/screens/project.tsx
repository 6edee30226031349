import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Project, ProjectScan } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Decisions } from '../parts/decisions.tsx'
import { Choice, toOption } from '../parts/filter-bar.tsx'
import { LevelsChart, SHOWN } from '../parts/levels-chart.tsx'
import { Empty, Pending } from '../parts/message.tsx'
import { NewFindings } from '../parts/new-findings.tsx'
import { ChangeButton, DeleteButton } from '../parts/project-dialogs.tsx'
import { SeverityCountsLine } from '../parts/severity.tsx'
import { useTitle } from '../parts/title.ts'
import { projectOf } from '../state/projects.ts'
import { address, href, setQuery } from '../state/router.ts'
import { formatDate, formatNumber, say, sayOf } from '../words/index.ts'
import { Tags } from './projects.tsx'

export function ProjectScreen({ name }: { name: string }): JSX.Element {
  const resource = useMemo(() => projectOf(name), [name])
  const { value, fault } = resource.state.value
  useEffect(() => void resource.load(), [name])
  useTitle(toVisible(value?.title ?? value?.name ?? name))
  if (fault?.kind === 'problem' && fault.problem.code === 'project-not-found') return <Gone />
  if (value === undefined) return <Pending fault={fault} retry={() => void resource.load()} />
  return (
    <>
      {fault !== undefined && <Pending fault={fault} retry={() => void resource.load()} />}
      <ProjectPage project={value} name={name} reload={() => void resource.load()} />
    </>
  )
}

function Gone(): JSX.Element {
  return (
    <Empty title={say('projectGone')} screen>
      <p>{say('projectGoneDetail')}</p>
      <a class="fd-button fd-button--emphasized" href={href('projects')}>
        {say('projectsTitle')}
      </a>
    </Empty>
  )
}

interface PageProps {
  readonly project: Project
  /** As the address names it. */
  readonly name: string
  readonly reload: () => void
}

function ProjectPage({ project, name, reload }: PageProps): JSX.Element {
  const { lastScan, tags, title } = project
  return (
    <article class="project">
      <header class="report-head">
        <div class="report-name">
          <p class="crumbs">
            <a class="fd-link" href={href('projects')}>
              {say('projectsTitle')}
            </a>
          </p>
          <h1 class="fd-title fd-title--h2">{toVisible(title ?? project.name)}</h1>
          <div class="report-facts">
            {title !== undefined && <span>{toVisible(project.name)}</span>}
            {tags.length > 0 && <Tags tags={tags} />}
            <SeverityCountsLine counts={project.counts} />
            <span>{say('riskTitle', { level: `${lastScan.riskScore} (${sayOf('level', lastScan.riskLevel)})` })}</span>
            <span>{say('newCount', { n: project.new })}</span>
            <span>{say('fixedCount', { n: project.fixed })}</span>
            <time dateTime={lastScan.scannedAt}>{say('scannedAt', { date: formatDate(lastScan.scannedAt) })}</time>
          </div>
        </div>
        <div class="report-actions">
          {lastScan.kept && (
            <a class="fd-button fd-button--emphasized" href={href(`scans/${lastScan.scanId}`)}>
              {say('openReport')}
            </a>
          )}
          <ChangeButton project={project} name={name} onDone={reload} />
          <DeleteButton project={project} name={name} />
        </div>
      </header>
      <NewFindings project={project} />
      <OverTime project={project} />
      <Decisions project={project} name={name} />
      <p class="print-address">{location.href}</p>
    </article>
  )
}

/** A branch is a member of the address; that of the figures above is left out. */
function OverTime({ project }: { project: Project }): JSX.Element {
  const { history, lastScan } = project
  const branches = [...new Set(history.map(({ branch = '' }) => branch))].sort()
  const wanted = address.value.searchParams.get('branch')
  const branch = wanted !== null && branches.includes(wanted) ? wanted : (lastScan.branch ?? '')
  const scans = history.filter((scan) => (scan.branch ?? '') === branch)
  const shown = scans.slice(0, SHOWN).reverse()
  const own = lastScan.branch ?? ''
  const word = (name: string): string => (name === '' ? say('noBranch') : toVisible(name))
  return (
    <>
      <section class="card">
        <header class="card-head">
          <h2 class="fd-title fd-title--h5">{say('levelsOver')}</h2>
          {branches.length > 1 && (
            <Choice
              label={say('branch')}
              value={branch === own ? '' : `b${branch}`}
              all={word(own)}
              options={branches.filter((name) => name !== own).map((name) => toOption(`b${name}`, word(name)))}
              onChoose={(chosen) => chooseBranch(chosen)}
            />
          )}
        </header>
        <LevelsChart scans={shown} />
        {scans.length > SHOWN && <p class="quiet">{say('levelsCut', { n: SHOWN })}</p>}
      </section>
      <section class="card">
        <ScanTable scans={scans} />
      </section>
    </>
  )
}

function chooseBranch(chosen: string): void {
  // scans without a branch have an empty one, which setQuery would leave out
  if (chosen === 'b') {
    const target = new URL(address.value)
    target.searchParams.set('branch', '')
    history.replaceState(null, '', target)
    address.value = target
  } else setQuery({ branch: chosen.slice(1) })
}

function ScanTable({ scans }: { scans: readonly ProjectScan[] }): JSX.Element {
  const kept = new Set(scans.flatMap(({ scanId, kept: isKept }) => (isKept ? [scanId] : [])))
  return (
    <DataTable
      caption={say('scansTitle')}
      rows={scans}
      first={50}
      keyOf={({ scanId }) => scanId}
      columns={[
        { title: say('date'), cell: (scan) => <ScanDate scan={scan} /> },
        { title: say('release'), cell: ({ release }) => (release === undefined ? '–' : <b>{toVisible(release)}</b>) },
        {
          title: say('commit'),
          cell: ({ commit }) => (commit === undefined ? '–' : <code translate={false}>{commit.slice(0, 10)}</code>),
        },
        { title: say('viewFindings'), cell: ({ summary }) => <SeverityCountsLine counts={summary} /> },
        { title: say('risk'), numeric: true, cell: ({ riskScore, riskLevel }) => `${riskScore} (${sayOf('level', riskLevel)})` },
        {
          title: say('newAndFixed'),
          numeric: true,
          cell: ({ new: found, fixed }) => `${formatNumber(found)} / ${formatNumber(fixed)}`,
        },
        {
          title: say('compare'),
          cell: ({ scanId, before }) =>
            before !== undefined && kept.has(before) && kept.has(scanId) ? (
              <a class="fd-link" href={href(`compare/${before}/${scanId}`)}>
                {say('compareBefore')}
              </a>
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}

function ScanDate({ scan: { scanId, scannedAt, kept, complete } }: { scan: ProjectScan }): JSX.Element {
  const date = <time dateTime={scannedAt}>{formatDate(scannedAt)}</time>
  const said = [...(complete ? [] : [say('incomplete')]), ...(kept ? [] : [say('notKept')])]
  return (
    <>
      {kept ? (
        <a class="fd-link" href={href(`scans/${scanId}`)}>
          {date}
        </a>
      ) : (
        date
      )}
      {said.length > 0 && <span class="quiet"> ({said.join(', ')})</span>}
    </>
  )
}
