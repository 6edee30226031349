import type { Advisory } from '../../advisories/types.ts'
import { SEVERITIES } from '../../scales.ts'
import type { GradeFacts, Severity } from '../../types.ts'
import type { LibraryUse } from './_library-calls.ts'

const MAX_IDS = 5

/** CVE ids where there are some. */
export function listIds(advisories: readonly Advisory[]): string {
  const ids = advisories.map(({ id, aliases }) => aliases.find((alias) => alias.startsWith('CVE-')) ?? id)
  return ids.slice(0, MAX_IDS).join(', ') + (ids.length > MAX_IDS ? ', …' : '')
}

/** The level of an advisory in a page: HIGH at most; a link is missing where the user alone waits for a page that hangs. */
export function factsOf({ severity, cwe }: Advisory, use: LibraryUse): GradeFacts & { readonly advisory: Severity } {
  // what ends in that often begins with an unchecked input
  const isDenial = cwe.some((one) => DENIAL.has(one)) && cwe.every((one) => DENIAL.has(one) || one === UNCHECKED_INPUT)
  const advisory = severity === 'CRITICAL' ? 'HIGH' : severity
  return {
    advisory,
    ...((use === 'impossible' || (use === 'possible' && isDenial)) && { evidence: 'assumed' }),
    ...(use !== 'possible' && { circumstance: use === 'impossible' ? 'off' : 'unused' }),
  }
}

/** Those that are graded lower stand behind. */
export function rankOf({ advisory, facts }: { readonly advisory: Advisory; readonly facts: ReturnType<typeof factsOf> }): number {
  const lower = facts.circumstance === 'off' ? 2 : facts.evidence !== undefined || facts.circumstance !== undefined ? 1 : 0
  return (SEVERITIES.indexOf(facts.advisory) + lower) * SEVERITIES.length + SEVERITIES.indexOf(advisory.severity)
}

/** CWE-20, "Improper Input Validation". */
const UNCHECKED_INPUT = 20
/** Weaknesses that end in a denial of service: resources, loops, recursion, expressions. Source: CWE-400 and its children. */
const DENIAL: ReadonlySet<number> = new Set([400, 405, 407, 409, 674, 770, 834, 835, 1176, 1333])
