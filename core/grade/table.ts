import type { Circumstance, Impact, Reach, Severity } from '../types.ts'
import { REACHES } from '../scales.ts'

/** `none`: no finding. */
export type Level = Severity | 'none'

type Row = Readonly<Record<Reach, Level>>

/** The levels of one impact, in the order of `REACHES`. */
function row(...levels: readonly [Level, Level, Level, Level, Level, Level, Level]): Row {
  const [anyone, user, privileged, self, local, pipeline, nobody] = levels
  return { anyone, user, privileged, self, local, pipeline, nobody }
}

const HYGIENE: Row = row('INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'INFO', 'none')

/** Impact × reach → level, for what the project shows (docs/severity.md). */
const TABLE: Readonly<Record<Impact, Row>> = {
  takeover: row('CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'LOW', 'HIGH', 'INFO'),
  data: row('CRITICAL', 'HIGH', 'MEDIUM', 'none', 'LOW', 'MEDIUM', 'INFO'),
  session: row('HIGH', 'HIGH', 'MEDIUM', 'INFO', 'INFO', 'none', 'INFO'),
  bounded: row('MEDIUM', 'LOW', 'LOW', 'none', 'INFO', 'LOW', 'none'),
  defence: row('LOW', 'LOW', 'INFO', 'none', 'INFO', 'LOW', 'none'),
  hygiene: HYGIENE,
}

/** The cells that a circumstance changes, of the one impact that it is about. */
const CIRCUMSTANCES: Readonly<Record<Circumstance, { readonly of: Impact; readonly cells: Partial<Row> }>> = {
  demo: { of: 'data', cells: { anyone: 'MEDIUM', user: 'MEDIUM' } },
  visible: { of: 'data', cells: { anyone: 'MEDIUM', user: 'LOW', privileged: 'LOW', pipeline: 'LOW' } },
  public: { of: 'data', cells: { anyone: 'MEDIUM', user: 'MEDIUM' } },
  unseen: { of: 'session', cells: { user: 'MEDIUM' } },
  unfixed: { of: 'hygiene', cells: everywhere('LOW') },
  ended: { of: 'hygiene', cells: everywhere('MEDIUM') },
  unloadable: { of: 'hygiene', cells: everywhere('HIGH') },
  // of advisories, which have levels of their own (grade.ts)
  unused: { of: 'hygiene', cells: {} },
  unloaded: { of: 'hygiene', cells: {} },
  off: { of: 'hygiene', cells: {} },
  idle: { of: 'hygiene', cells: {} },
  offline: { of: 'hygiene', cells: {} },
  unlocked: { of: 'hygiene', cells: {} },
  tab: { of: 'hygiene', cells: {} },
  undeployed: { of: 'hygiene', cells: {} },
}

function everywhere(level: Level): Partial<Row> {
  return { anyone: level, user: level, privileged: level, self: level, local: level, pipeline: level }
}

/** The level of a cell. */
export function levelAt(impact: Impact, reach: Reach, circumstance?: Circumstance): Level {
  const changed = circumstance && CIRCUMSTANCES[circumstance]
  return (changed?.of === impact ? changed.cells[reach] : undefined) ?? TABLE[impact][reach]
}

/** The row of an impact for documents and pages: each reach with its level. */
export function levelsOf(impact: Impact, circumstance?: Circumstance): readonly (readonly [Reach, Level])[] {
  return REACHES.map((reach) => [reach, levelAt(impact, reach, circumstance)])
}
