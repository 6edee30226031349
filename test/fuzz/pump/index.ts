import type { Chance } from '../../hostile/mutate.ts'
import { BACKENDS } from './backends.ts'
import { nested, pair, single, type Construct, type Pump } from './construct.ts'
import { DOCUMENTS } from './documents.ts'
import { FORMATS } from './formats.ts'
import { PROJECTS } from './projects.ts'
import { ROUTES_OF_SERVERS } from './routes.ts'
import { SCRIPTS } from './scripts.ts'
import { SETTINGS } from './settings.ts'

export { findFault } from './measure.ts'
export type { Pump } from './construct.ts'

const CONSTRUCTS: readonly Construct[] = [...SCRIPTS, ...ROUTES_OF_SERVERS, ...DOCUMENTS, ...SETTINGS, ...FORMATS, ...BACKENDS]

/** Each construct of each language and format that is read: singly, nested where it can be, and what grows by files. */
export const PUMPS: readonly Pump[] = [...CONSTRUCTS.flatMap((one) => [single(one), ...nested(one)]), ...PROJECTS]

/** Two constructs that chance puts together. */
export function drawPair(chance: Chance): Pump {
  return pair(CONSTRUCTS, chance)
}
