import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Report, ReportExposure } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { AccessMapPicture } from '../parts/access-map.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { Empty } from '../parts/message.tsx'
import { SeverityBadge } from '../parts/severity.tsx'
import { Code, Path } from '../parts/text.tsx'
import { createAccessMap, wordReach } from '../state/access-map.ts'
import { collectFindings } from '../state/filter.ts'
import { say } from '../words/index.ts'

/** The same twice: as a picture to look at, and as a table to read. */
export function AccessMapView({ report }: { report: Report }): JSX.Element {
  const map = useMemo(() => createAccessMap(report, collectFindings(report)), [report])
  if (map.routes.length + map.services.length === 0) return <Empty title={say('mapEmpty')} />
  const rows = [
    ...map.routes.map((route, index) => ({
      ...route,
      kind: say('source'),
      to: map.links.flatMap(([from, service]) => (from === index ? (map.services[service]?.name ?? []) : [])),
    })),
    ...map.services.map((service, index) => ({
      ...service,
      kind: say(service.file === undefined ? 'destination' : 'service'),
      to: map.holds.flatMap(([from, entity]) => (from === index ? (map.entities[entity]?.name ?? []) : [])),
    })),
    ...map.entities.map((entity) => ({ ...entity, kind: say('entity'), to: [] })),
  ]
  return (
    <section class="card">
      <p class="quiet">{say('mapLead')}</p>
      <div class="map-frame" tabIndex={0} role="group" aria-label={say('viewMap')}>
        <AccessMapPicture map={map} />
      </div>
      <DataTable
        caption={say('viewMap')}
        rows={rows}
        keyOf={({ key }) => key}
        columns={[
          { title: say('kinds'), cell: ({ kind }) => kind },
          { title: say('name'), cell: ({ name }) => <Code text={name} /> },
          { title: say('leadsTo'), cell: ({ to }) => (to.length === 0 ? '–' : to.map(toVisible).join(', ')) },
          { title: say('reachedBy'), cell: ({ exposure }) => wordReach(exposure) || '–' },
          { title: say('access'), cell: ({ right }) => (right === '' ? '–' : toVisible(right)) },
          { title: say('statedIn'), cell: ({ exposure }) => <StatedIn exposure={exposure} /> },
          {
            title: say('severity'),
            cell: ({ severity }) => (severity === undefined ? '–' : <SeverityBadge severity={severity} />),
          },
        ]}
      />
    </section>
  )
}

/** The place that says who reaches something. */
export function StatedIn({ exposure }: { exposure: ReportExposure | undefined }): JSX.Element {
  return exposure?.by === undefined ? <>–</> : <Path file={exposure.by.file} line={exposure.by.line} />
}
