import type { FuzzTarget } from '../targets.ts'
import { drawPair, findFault, PUMPS } from './index.ts'

/** Bytes up to which a project grows. */
const MOST = 150_000

/** All constructs singly and nested, whatever time that takes, then pairs of them as long as there is some left. */
export const pumpTarget: FuzzTarget = {
  name: 'pump',
  rounds: PUMPS.length,
  each: `, ${PUMPS.length} constructs singly and nested, then pairs`,
  async run(chance, round) {
    const fault = await findFault(PUMPS[round] ?? drawPair(chance), MOST)
    if (fault !== undefined) throw new Error(fault)
  },
}
