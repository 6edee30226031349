import type { JSX } from 'preact'
import type { ReportNotice, ReportSuppressed } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Empty } from '../parts/message.tsx'
import { Code, Path } from '../parts/text.tsx'
import { href } from '../state/router.ts'
import { say } from '../words/index.ts'

export function NoticesView({ notices }: { notices: readonly ReportNotice[] }): JSX.Element {
  if (notices.length === 0) return <Empty title={say('noNotices')} />
  return (
    <section class="card">
      <DataTable
        caption={say('viewNotices')}
        lead={<p class="quiet">{say('noticesLead')}</p>}
        rows={notices}
        keyOf={(_, index) => String(index)}
        columns={[
          { title: say('code'), cell: ({ code }) => <Code text={code} /> },
          {
            title: say('file'),
            cell: ({ file, ruleId }) => (file === undefined ? <Code text={ruleId ?? ''} /> : <Path file={file} />),
          },
          { title: say('detail'), cell: ({ detail }) => toVisible(detail) },
        ]}
      />
    </section>
  )
}

export function SuppressedView({ suppressed }: { suppressed: readonly ReportSuppressed[] }): JSX.Element {
  if (suppressed.length === 0) return <Empty title={say('noSuppressed')} />
  return (
    <section class="card">
      <DataTable
        caption={say('viewSuppressed')}
        lead={<p class="quiet">{say('suppressedLead')}</p>}
        rows={suppressed}
        keyOf={({ id }, index) => `${id}${index}`}
        columns={[
          {
            title: say('rule'),
            cell: ({ ruleId }) => (
              <a class="fd-link" href={href(`rules/${ruleId}`)}>
                {ruleId}
              </a>
            ),
          },
          { title: say('file'), cell: ({ file }) => <Path file={file} /> },
          { title: say('reason'), cell: ({ reason }) => toVisible(reason) },
          { title: say('id'), cell: ({ id }) => <Code text={id} /> },
        ]}
      />
    </section>
  )
}
