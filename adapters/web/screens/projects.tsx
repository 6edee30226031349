import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ProjectRow } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Choice, toOption } from '../parts/filter-bar.tsx'
import { Empty, Pending } from '../parts/message.tsx'
import { SeverityCountsLine } from '../parts/severity.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { useTitle } from '../parts/title.ts'
import { projects, segmentOf } from '../state/projects.ts'
import { address, href, setQuery } from '../state/router.ts'
import { formatAge, formatDate, formatNumber, say, sayOf } from '../words/index.ts'

const ORDERS = {
  name: () => 0,
  risk: (one, other) => other.lastScan.riskScore - one.lastScan.riskScore || other.counts.total - one.counts.total,
  new: (one, other) => other.new - one.new,
  last: (one, other) => (one.lastScan.scannedAt < other.lastScan.scannedAt ? 1 : -1),
} as const satisfies Readonly<Record<string, (one: ProjectRow, other: ProjectRow) => number>>

const isOrder = (text: string): text is keyof typeof ORDERS => Object.hasOwn(ORDERS, text)

export function ProjectsScreen(): JSX.Element {
  useTitle(say('projectsTitle'))
  useEffect(() => void projects.load(), [])
  const { value, fault } = projects.state.value
  return (
    <>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{say('projectsTitle')}</h1>
        <p class="lead">{say('projectsLead')}</p>
      </header>
      {value === undefined || fault !== undefined ? <Pending fault={fault} retry={() => void projects.load()} /> : null}
      {value !== undefined && (value.length === 0 ? <Nothing /> : <ProjectTable projects={value} />)}
    </>
  )
}

function Nothing(): JSX.Element {
  return (
    <Empty title={say('historyEmpty')}>
      <a class="fd-button fd-button--emphasized" href={href('scan')}>
        {say('toStart')}
      </a>
    </Empty>
  )
}

function ProjectTable({ projects: all }: { projects: readonly ProjectRow[] }): JSX.Element {
  const query = address.value.searchParams
  const [text, tag, sort] = [query.get('q') ?? '', query.get('tag') ?? '', query.get('sort') ?? '']
  const words = text.toLowerCase().split(/\s+/)
  const tags = [...new Set(all.flatMap((row) => row.tags))].sort()
  const shown = all
    .filter(
      ({ name, title = '', tags: own }) =>
        (tag === '' || own.includes(tag)) && words.every((word) => `${name} ${title}`.toLowerCase().includes(word)),
    )
    .sort(ORDERS[isOrder(sort) ? sort : 'name'])
  return (
    <>
      <form class="filters" role="search" aria-label={say('projectsFilter')} onSubmit={(event) => event.preventDefault()}>
        <label class="filter-search">
          <span class="fd-form-label">{say('search')}</span>
          <input
            class="fd-input"
            type="search"
            value={text}
            placeholder={say('projectsHint')}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
        </label>
        <Choice
          label={say('tag')}
          value={tag}
          all={say('allTags')}
          options={tags.map((name) => toOption(name, toVisible(name)))}
          onChoose={(name) => setQuery({ tag: name })}
        />
        <Choice
          label={say('sortBy')}
          value={isOrder(sort) ? sort : ''}
          all={say('sort_name')}
          options={(['risk', 'new', 'last'] as const).map((name) => toOption(name, say(`sort_${name}`)))}
          onChoose={(name) => setQuery({ sort: name })}
        />
        <output class="shown" aria-live="polite">
          {say('projectsShown', { n: shown.length, total: all.length })}
        </output>
      </form>
      <section class="card">
        <DataTable
          caption={say('projectsTitle')}
          rows={shown}
          keyOf={({ key }) => key}
          columns={[
            { title: say('project'), cell: (row) => <ProjectName row={row} /> },
            { title: say('viewFindings'), cell: ({ counts }) => <SeverityCountsLine counts={counts} /> },
            {
              title: say('risk'),
              cell: ({ lastScan: { riskScore, riskLevel }, trend }) => (
                <span class="project-risk">
                  {riskScore} ({sayOf('level', riskLevel)}) <Sparkline scores={trend} level={riskLevel} />
                </span>
              ),
            },
            {
              title: say('newAndFixed'),
              numeric: true,
              cell: ({ new: found, fixed }) => `${formatNumber(found)} / ${formatNumber(fixed)}`,
            },
            { title: say('decisions'), cell: ({ decided, expiring }) => <DecidedCount decided={decided} expiring={expiring} /> },
            {
              title: say('lastScan'),
              cell: ({ lastScan: { scannedAt, complete } }) => (
                <>
                  <time dateTime={scannedAt} title={formatDate(scannedAt)}>
                    {formatAge(scannedAt)}
                  </time>
                  {!complete && <span class="quiet"> ({say('incomplete')})</span>}
                </>
              ),
            },
          ]}
        />
      </section>
    </>
  )
}

function DecidedCount({ decided, expiring }: { decided: number; expiring: number }): JSX.Element {
  return (
    <>
      {formatNumber(decided)}
      {expiring > 0 && <b class="expiring"> {say('expiringCount', { n: expiring })}</b>}
    </>
  )
}

function ProjectName({ row }: { row: ProjectRow }): JSX.Element {
  const { name, title, tags } = row
  return (
    <>
      <a class="fd-link" href={href(`projects/${segmentOf(row)}`)}>
        {toVisible(title ?? name)}
      </a>
      {title !== undefined && title !== name && <span class="quiet"> {toVisible(name)}</span>}
      {tags.length > 0 && <Tags tags={tags} />}
    </>
  )
}

export function Tags({ tags }: { tags: readonly string[] }): JSX.Element {
  return (
    <span class="tags">
      {tags.map((tag) => (
        <a key={tag} class="kind" href={href(`projects?tag=${encodeURIComponent(tag)}`)}>
          {toVisible(tag)}
        </a>
      ))}
    </span>
  )
}
