import type { JSX } from 'preact'
import type { Report } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { say } from '../words/index.ts'
import { DataTable } from './data-table.tsx'
import { Code, Path } from './text.tsx'

/** Which package to move where, and what that repairs. A report that an older version kept has none. */
export function Upgrades({ upgrades = [] }: { upgrades?: Report['results']['npm']['upgrades'] }): JSX.Element | null {
  if (upgrades.length === 0) return null
  return (
    <section class="card upgrades">
      <DataTable
        caption={say('upgrades')}
        rows={upgrades}
        first={5}
        keyOf={(upgrade) => `${upgrade.file} ${upgrade.package} ${upgrade.from}`}
        columns={[
          { title: say('package'), cell: (upgrade) => <Code text={upgrade.package} /> },
          {
            title: say('version'),
            cell: ({ from, to }) => `${toVisible(from)} → ${to === undefined ? say('upgradeUnknown') : toVisible(to)}`,
          },
          { title: say('upgradeEffect'), cell: ({ breaking }) => (breaking ? say('upgradeBreaks') : say('upgradeKeeps')) },
          { title: say('upgradeRepairs'), cell: ({ repairs }) => say('upgradeAdvisories', { n: repairs.advisories }) },
          { title: say('file'), cell: ({ file }) => <Path file={file} /> },
        ]}
      />
    </section>
  )
}
