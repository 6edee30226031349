import {
  charsetOf,
  ENCODED_KEYWORDS,
  limitMatches,
  literalOf,
  READER_KEYWORDS,
  TOKEN_ROWS,
  type Candidate,
  type CredentialFile,
  type Family,
  type TokenRow,
} from '../../secrets/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Localized, Match, RuleMessages } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { ScanDay } from '../subjects.ts'
import { EXPIRED, FAMILY_WORDS, inPageText, MANGLED, TEST_KEY, TEST_KEY_ID, WEAK } from './_family-words.ts'

/** JSON Web Tokens: they tell until when they are valid. The service role keys of Supabase are such tokens. */
const TELL_EXPIRY: ReadonlySet<string> = new Set(['jwt', 'supabase-token'])

/** What is no secret: IDs of keys, and keys that a provider designed for browsers. */
const PUBLIC_FAMILIES: ReadonlySet<Family> = new Set(['key-id', 'public', 'public-ingestion'])

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
    text: toWords(row),
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
  for (const found of credentials.found().byRow.get(row.name) ?? []) {
    const { value, span, name, impact, evidence, confidence, variant } = found
    const grade = isExpired(found, date)
      ? ({ impact: 'defence', evidence: 'shown', confidence, variant: 'expired' } as const)
      : { impact, evidence, confidence, ...(variant !== undefined && { variant }) }
    yield {
      at: { file: file.path, span },
      secret: value,
      args: { name: quoteWord(name ?? credentials.nameAt(span.start)), length: String(value.length), ...charsetOf(value) },
      ...grade,
      // the accounts of a table of initial data are one fault, whose cells are its places
      ...(TABLE.test(file.path) && { groupKey: `${file.path} ${name ?? ''}` }),
    }
  }
}

const TABLE = /\.[ct]sv$/i

function isExpired({ expires }: Candidate, date: string): boolean {
  return expires !== undefined && expires * 1000 < Date.parse(date)
}

function withArticle(name: string): string {
  // by sound: an SAP key, an npm token
  return `${/^(?:[AEIOaeio]|SAP |HCP|HDI|HTTP|NVIDIA|XSUAA|X |xAI|npm |ngrok)/.test(name) ? 'an' : 'a'} ${name}`
}

function toWords({ name, what, family, check, lesser, inPages }: TokenRow): Localized<RuleMessages> {
  const { en, fr } = FAMILY_WORDS[family]
  const test = family === 'key-id' ? TEST_KEY_ID : TEST_KEY
  const isPublic = PUBLIC_FAMILIES.has(family)
  return {
    en: {
      title: `Hard-coded ${what.en}`,
      message: `{name} contains a hard-coded ${what.en} ({length} characters: {charset}).`,
      ...en,
      variants: {
        weak: {
          message: `{name} contains a well-known default value, hard-coded as ${withArticle(what.en)} ({length} characters).`,
          ...WEAK.en,
        },
        ...(check === 'crc32' && {
          checksum: {
            message: `{name} contains what looks like ${withArticle(what.en)}, but its checksum is wrong ({length} characters).`,
            ...MANGLED.en,
          },
        }),
        ...(lesser !== undefined && { test: test.en }),
        ...(inPages !== undefined && { browser: inPageText(family).en }),
        ...(TELL_EXPIRY.has(name) && { expired: EXPIRED.en }),
      },
    },
    fr: {
      title: `${isPublic ? 'Valeur' : 'Secret'} en dur : ${what.fr}`,
      message: `{name} contient ${isPublic ? 'une valeur' : 'un secret'} en dur (${what.fr}, {length} caractères : {caracteres}).`,
      ...fr,
      variants: {
        weak: {
          message: `{name} contient un secret en dur (${what.fr}), qui est une valeur par défaut connue ({length} caractères).`,
          ...WEAK.fr,
        },
        ...(check === 'crc32' && {
          checksum: {
            message: `{name} contient ce qui ressemble à un secret (${what.fr}), mais sa somme de contrôle est fausse ({length} caractères).`,
            ...MANGLED.fr,
          },
        }),
        ...(lesser !== undefined && { test: test.fr }),
        ...(inPages !== undefined && { browser: inPageText(family).fr }),
        ...(TELL_EXPIRY.has(name) && { expired: EXPIRED.fr }),
      },
    },
  }
}
