import { BATCH, findLeaks, seedsOf } from '../secrets/find-leaks.ts'
import type { FuzzTarget } from './targets.ts'

const VALUES = 20_000

/** Values of all formats and random ones beside findings: nothing of them may be told by any output. */
export const leakTarget: FuzzTarget = {
  name: 'leaks',
  rounds: VALUES / BATCH,
  each: ` of ${BATCH} values`,
  async run(chance) {
    const { leaks } = await findLeaks(seedsOf(`fuzz ${chance.below(2 ** 31)}`))
    const told = Object.entries(leaks).flatMap(([output, names]) => names.map((name) => `${output}: ${name}`))
    if (told.length > 0) throw new Error(told.join('\n'))
  },
}
