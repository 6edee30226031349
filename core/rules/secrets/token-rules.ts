import {
  charsetOf,
  ENCODED_KEYWORDS,
  isSymmetric,
  limitMatches,
  literalOf,
  READER_KEYWORDS,
  TOKEN_ROWS,
  type Candidate,
  type CredentialFile,
  type TokenRow,
} from '../../secrets/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { ScanDay } from '../subjects.ts'
import { tokenWords } from './_token-words.ts'

/** One rule for each row of the token table. */
export const tokenRules: readonly Rule[] = TOKEN_ROWS.map(toRule)

function toRule(row: TokenRow): Rule {
  return defineRule({
    id: `secrets/${row.name}`,
    impact: row.impact,
    ...(row.evidence !== undefined && { evidence: row.evidence }),
    reach: 'anyone',
    usage: 'deployed',
    confidence: row.confidence ?? 'high',
    cwe: [798],
    since: '0.1.0',
    docs: row.docs,
    keywords: keywordsOf(row),
    inTests: true,
    on: 'credentials',
    // asked for when they are told: on the edge they are a part of their own, loaded then
    text: () => ({
      get en() {
        return tokenWords(row).en
      },
      get fr() {
        return tokenWords(row).fr
      },
    }),
    check: (credentials, { date }) => limitMatches(toMatches(credentials, row, date)),
  })
}

/** A row that goes by names is asked for wherever a name may stand. */
function keywordsOf(row: TokenRow): readonly string[] {
  if (row.shape === undefined || row.words !== undefined) return READER_KEYWORDS
  return [...(row.keywords ?? [literalOf(row.shape)]), ...ENCODED_KEYWORDS]
}

function* toMatches(credentials: CredentialFile, row: TokenRow, date: ScanDay['date']): Generator<Match> {
  const { file } = credentials
  const candidates = credentials.found().byRow.get(row.name) ?? []
  const isTable = TABLE.test(file.path)
  // one account of somebody makes the whole fault one of somebody
  const isOfNobody = isTable && candidates.every(({ span }) => isOfInvented(file.text, span.start))
  for (const found of candidates) {
    const { value, span, name, impact, evidence, confidence, variant, reach, lacks } = found
    const grade = isExpired(found, date)
      ? ({ impact: 'defence', evidence: 'shown', confidence, variant: 'expired' } as const)
      : { impact, evidence, confidence, ...(variant !== undefined && { variant }) }
    yield {
      at: { file: file.path, span },
      secret: value,
      args: { name: quoteWord(name ?? credentials.nameAt(span.start)), length: String(value.length), ...charsetOf(value) },
      ...grade,
      ...(reach !== undefined && { reach }),
      ...(row.check === 'jwt' && grade.variant !== 'expired' && isSymmetric(value) && { token: value }),
      ...(lacks === 'host' && evidence === 'assumed' && VARIABLE.test(name ?? '') && { variable: name }),
      // the accounts of a table of initial data are one fault, whose cells are its places, whatever columns they have for passwords
      ...(isTable && { groupKey: file.path, ...(isOfNobody && { isOfInvented: true }) }),
    }
  }
}

/** As variables of the environment are called, which code joins with the host. */
const VARIABLE = /^[A-Z][A-Z0-9_]{2,60}$/
const TABLE = /\.[ct]sv$/i

/** Addresses of nobody. Fact: RFC 2606. */
const OF_NOBODY = /@(?:[\w-]{1,60}\.)?example\.(?:com|org|net)\b/i
const LONGEST_ROW = 2000

/** Whether the row of a cell is that of somebody whom its author made up. */
function isOfInvented(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LONGEST_ROW), start)
  const [behind = ''] = text.slice(start, start + LONGEST_ROW).split('\n', 1)
  return OF_NOBODY.test(before.slice(before.lastIndexOf('\n') + 1) + behind)
}

function isExpired({ expires }: Candidate, date: string): boolean {
  return expires !== undefined && expires * 1000 < Date.parse(date)
}
