import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Report } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Code, Path } from '../parts/text.tsx'
import { Upgrades } from '../parts/upgrades.tsx'
import { wordReach } from '../state/access-map.ts'
import { formatDate, say, sayOf } from '../words/index.ts'

/** What each area looked at: it shows why there is no finding where there is none. */
export function LookedView({ report }: { report: Report }): JSX.Element {
  const { ui5, cap, approuter } = report.results
  return (
    <>
      <section class="card">
        <DataTable
          caption={say('apps')}
          rows={ui5.apps}
          keyOf={({ root }, index) => `${root}${index}`}
          columns={[
            { title: say('app'), cell: ({ id, root }) => <Code text={id ?? root} /> },
            { title: say('folder'), cell: ({ root }) => <Path file={root} /> },
            { title: say('ui5Version'), cell: ({ version }) => (version === undefined ? say('unknown') : toVisible(version)) },
            {
              title: say('statedIn'),
              cell: ({ versionSource }) => (versionSource === undefined ? '–' : <Code text={versionSource} />),
            },
            {
              title: say('support'),
              cell: ({ support, catalogueDate }) =>
                support === undefined
                  ? '–'
                  : `${toVisible(support)}${catalogueDate === undefined ? '' : ` (${say('asOf', { date: toVisible(catalogueDate) })})`}`,
            },
          ]}
        />
        {ui5.apps.length === 0 && <p class="quiet">{say('nothingLooked')}</p>}
      </section>
      <section class="card">
        <DataTable
          caption={say('services')}
          rows={cap.services}
          keyOf={({ name }, index) => `${name}${index}`}
          columns={[
            { title: say('service'), cell: ({ name }) => <Code text={name} /> },
            { title: say('path'), cell: ({ path = '' }) => (path === '' ? '–' : <Code text={path} />) },
            { title: say('reachedBy'), cell: ({ exposure }) => wordReach(exposure) || '–' },
            { title: say('access'), cell: ({ access }) => toVisible(access) },
            { title: say('file'), cell: ({ file, line }) => <Path file={file} line={line} /> },
          ]}
        />
        {cap.services.length === 0 && <p class="quiet">{say('nothingLooked')}</p>}
      </section>
      <section class="card">
        <DataTable
          caption={say('routes')}
          rows={approuter.routes}
          keyOf={({ source }, index) => `${source}${index}`}
          columns={[
            { title: say('source'), cell: ({ source }) => <Code text={source} /> },
            { title: say('target'), cell: ({ target }) => (target === undefined ? '–' : <Code text={target} />) },
            { title: say('reachedBy'), cell: ({ exposure }) => wordReach(exposure) || '–' },
            { title: say('authentication'), cell: ({ authentication }) => toVisible(authentication) },
            { title: say('methods'), cell: ({ methods }) => (methods === undefined ? '–' : methods.map(toVisible).join(', ')) },
            { title: say('file'), cell: ({ file, line }) => <Path file={file} line={line} /> },
          ]}
        />
        {approuter.routes.length === 0 && <p class="quiet">{say('nothingLooked')}</p>}
      </section>
      <Upgrades upgrades={report.results.npm.upgrades} />
      <Packages npm={report.results.npm} />
    </>
  )
}

function Packages({ npm }: { npm: Report['results']['npm'] }): JSX.Element {
  const [text, setText] = useState('')
  const { packages, advisories } = npm
  const rows = packages.filter(({ name, path = '' }) => `${name} ${path}`.toLowerCase().includes(text.toLowerCase()))
  return (
    <section class="card">
      <DataTable
        caption={say('packages')}
        lead={
          <>
            <p class="quiet">
              {say('advisoriesFrom', { date: formatDate(advisories.date), source: sayOf('source', advisories.source) })}{' '}
              {advisories.complete ? '' : say('advisoriesPartly')}
            </p>
            {packages.length > 10 && (
              <label class="table-filter">
                <span class="fd-form-label">{say('packagesFilter')}</span>
                <input
                  class="fd-input"
                  type="search"
                  value={text}
                  onInput={({ currentTarget }) => setText(currentTarget.value)}
                />
              </label>
            )}
          </>
        }
        rows={rows}
        keyOf={({ name, version, range, path }) => `${name}@${version ?? range} ${path}`}
        columns={[
          { title: say('package'), cell: ({ name }) => <Code text={name} /> },
          { title: say('version'), cell: ({ version, range = '–' }) => toVisible(version ?? range) },
          { title: say('scope'), cell: ({ scope }) => (scope === undefined ? '–' : sayOf('scope', scope)) },
          { title: say('broughtBy'), cell: ({ path }) => (path === undefined ? '–' : toVisible(wordAbove(path))) },
        ]}
      />
      {packages.length === 0 && <p class="quiet">{say('nothingLooked')}</p>}
    </section>
  )
}

/** The chain of packages above one, which ends its own. */
const wordAbove = (path: string): string => path.split(' > ').slice(0, -1).join(' > ') || say('direct')
