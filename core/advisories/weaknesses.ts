import type { AdvisoryRecord } from './record.ts'

/**
 * The classes that npm's advisories name most (CWE 4.18), from the most telling one to the least: an attack by its name goes before the fault that makes
 * it possible, and that before what is true of every vulnerability.
 */
const WEAKNESSES: ReadonlyMap<number, string> = new Map([
  [506, 'Published version contains malicious code'],
  [1321, 'Prototype pollution'],
  [471, 'Prototype pollution'],
  [1333, 'Regular expression denial of service'],
  [78, 'OS command injection'],
  [77, 'Command injection'],
  [89, 'SQL injection'],
  [93, 'CRLF injection'],
  [113, 'CRLF injection'],
  [79, 'Cross-site scripting'],
  [94, 'Code injection'],
  [918, 'Server-side request forgery'],
  [444, 'HTTP request smuggling'],
  [502, 'Unsafe deserialization'],
  [347, 'Signature verification bypass'],
  [601, 'Open redirect'],
  [352, 'Cross-site request forgery'],
  [22, 'Path traversal'],
  [59, 'Link following'],
  [434, 'Unrestricted file upload'],
  [776, 'XML entity expansion'],
  [409, 'Decompression bomb'],
  [407, 'Denial of service through algorithmic complexity'],
  [835, 'Infinite loop'],
  [674, 'Uncontrolled recursion'],
  [91, 'XML injection'],
  [117, 'Log injection'],
  [88, 'Argument injection'],
  [384, 'Session fixation'],
  [639, 'Authorization bypass through a user-controlled key'],
  [862, 'Missing authorization'],
  [863, 'Authorization bypass'],
  [306, 'Missing authentication'],
  [285, 'Authorization bypass'],
  [287, 'Authentication bypass'],
  [295, 'Certificate validation bypass'],
  [346, 'Missing or insufficient origin check'],
  [1385, 'Missing or insufficient origin check'],
  [843, 'Type confusion'],
  [362, 'Race condition'],
  [203, 'Observable timing difference'],
  [208, 'Observable timing difference'],
  [532, 'Sensitive information in logs'],
  [209, 'Information disclosure through an error message'],
  [522, 'Insufficiently protected credentials'],
  [319, 'Cleartext transmission'],
  [190, 'Integer overflow'],
  [125, 'Out-of-bounds read'],
  [248, 'Uncaught exception'],
  [789, 'Memory allocation without limits'],
  [770, 'Resource allocation without limits'],
  [87, 'Cross-site scripting through alternate syntax'],
  [183, 'Overly permissive allowlist'],
  [441, 'Unintended proxy (confused deputy)'],
  [269, 'Privilege escalation'],
  [327, 'Broken or risky cryptographic algorithm'],
  [330, 'Predictable random values'],
  [345, 'Insufficient verification of data authenticity'],
  [400, 'Denial of service through resource exhaustion'],
  [284, 'Access control bypass'],
  [436, 'Interpretation conflict'],
  [426, 'Untrusted search path'],
  [74, 'Injection'],
  [200, 'Information disclosure'],
  [693, 'Protection mechanism bypass'],
  [20, 'Improper input validation'],
  [754, 'Improper check for unusual conditions'],
  [697, 'Incorrect comparison'],
])

const RANKS: ReadonlyMap<number, number> = new Map([...WEAKNESSES.keys()].map((cwe, rank): [number, number] => [cwe, rank]))
const RANKS_BY_TITLE: ReadonlyMap<string, number> = new Map(
  [...WEAKNESSES.values()].map((title, rank): [string, number] => [title, rank]).reverse(),
)

/** What the most telling of some weaknesses is called; undefined: none of them is known here. */
export function nameWeakness(cwe: readonly number[]): string | undefined {
  const [best] = cwe.filter((number) => RANKS.has(number)).sort((a, b) => rankOf(a) - rankOf(b))
  return best === undefined ? undefined : WEAKNESSES.get(best)
}

function rankOf(cwe: number): number {
  return RANKS.get(cwe) ?? WEAKNESSES.size
}

/** A title that only names one weakness gives way to a more telling one of the same advisory; '': nothing is known. */
export function titleOf({ title, cwe }: Pick<AdvisoryRecord, 'title' | 'cwe'>): string {
  const named = nameWeakness(cwe) ?? ''
  if (title === '') return named
  const rank = RANKS_BY_TITLE.get(title)
  return rank !== undefined && (RANKS_BY_TITLE.get(named) ?? rank) < rank ? named : title
}
