import { RUNNING_TYPE, WORD, type Proof } from '../../conditions/constraint.ts'
import { PLAIN_VALUE, PLAIN_TYPE } from '../field-marks.ts'
import { EXAMINED_CLEANS, FOLDER_CHECK_CLEANS, HOST_CHECK_CLEANS, PREFIX_CHECK_CLEANS, SIGNED_CLEANS } from './propagators.ts'
import { SHORT_CLEANS } from '../models/written-cleaning.ts'
import { QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'
import { HTML_FAULTS, ORIGIN_CHECK_CLEANS, SCHEME_CHECK_CLEANS, WORDED } from './web.ts'

interface Harmless {
  readonly proof: Proof
  /** Beside it. */
  readonly and?: Proof
  readonly rules: readonly string[]
}

/** Which rules are satisfied by what conditions have proved of a value: the only place that joins both. What is `listed` or `answered` is followed no further. */
const HARMLESS: readonly Harmless[] = [
  { proof: { kind: 'form' }, rules: [PLAIN_VALUE] },
  { proof: { kind: 'form', text: RUNNING_TYPE }, rules: [PLAIN_TYPE] },
  { proof: { kind: 'lacks', text: '<' }, rules: [...HTML_FAULTS, 'cap/reflected-xss', TAGS_ESCAPED, ...EXAMINED_CLEANS] },
  { proof: { kind: 'lacks', text: '"' }, rules: [QUOTES_ESCAPED] },
  { proof: { kind: 'lacks', text: "'" }, rules: ['cap/cql-injection', 'ui5/odata-filter-injection', ...EXAMINED_CLEANS] },
  { proof: { kind: 'lacks', text: '..' }, rules: FOLDER_CHECK_CLEANS },
  { proof: { kind: 'lacks', text: '../' }, rules: FOLDER_CHECK_CLEANS },
  { proof: { kind: 'lacks', text: '/' }, rules: FOLDER_CHECK_CLEANS },
  { proof: { kind: 'short' }, rules: SHORT_CLEANS },
  { proof: { kind: 'inside' }, rules: PREFIX_CHECK_CLEANS },
  { proof: { kind: 'starts' }, rules: HOST_CHECK_CLEANS },
  // as a whole it is relative to the own address, and chooses a path of another one
  { proof: { kind: 'starts', text: WORD }, rules: ['cap/open-redirect', WORDED] },
  { proof: { kind: 'host' }, rules: HOST_CHECK_CLEANS },
  { proof: { kind: 'origin' }, rules: [...ORIGIN_CHECK_CLEANS, ...HOST_CHECK_CLEANS] },
  {
    proof: { kind: 'starts', text: '/' },
    and: { kind: 'unlike', text: '//' },
    rules: [...ORIGIN_CHECK_CLEANS, ...HOST_CHECK_CLEANS],
  },
  { proof: { kind: 'scheme' }, rules: SCHEME_CHECK_CLEANS },
  { proof: { kind: 'signed' }, rules: SIGNED_CLEANS },
  { proof: { kind: 'handed' }, rules: ['cap/cql-injection', 'cap/query-object-from-request', ...EXAMINED_CLEANS] },
  { proof: { kind: 'asked' }, rules: ['cap/query-object-from-request', ...EXAMINED_CLEANS] },
]

/** The rules for which a value is harmless of which this is proved. */
export function harmlessBy(proofs: readonly Proof[]): readonly string[] {
  if (proofs.length === 0) return []
  const has = (wanted: Proof | undefined): boolean =>
    wanted === undefined || proofs.some(({ kind, text }) => kind === wanted.kind && text === wanted.text)
  const rules = HARMLESS.flatMap(({ proof, and, rules }) => (has(proof) && has(and) ? rules : []))
  return [...new Set(rules)]
}

/** For all rules, or for these. */
export type Cleans = 'all' | readonly string[]

/** For which rules a check is enough; undefined: for none. */
export function cleansOf(proofs: readonly Proof[]): Cleans | undefined {
  if (proofs.some(({ kind }) => kind === 'listed')) return 'all'
  const rules = harmlessBy(proofs)
  return rules.length === 0 ? undefined : rules
}
