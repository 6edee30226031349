import type { Family, TokenRow } from '../../secrets/index.ts'
import type { Localized, RuleMessages } from '../../types.ts'
import { EXPIRED, FAMILY_WORDS, inPageText, MANGLED, TEST_KEY, TEST_KEY_ID, WEAK } from './_family-words.ts'

/** JSON Web Tokens: they tell until when they are valid. The service role keys of Supabase and most bearer tokens are such tokens. */
const TELL_EXPIRY: ReadonlySet<string> = new Set(['jwt', 'supabase-token', 'bearer-header'])

/** What is no secret: IDs of keys, and keys that a provider designed for browsers. */
const PUBLIC_FAMILIES: ReadonlySet<Family> = new Set(['key-id', 'public', 'public-ingestion'])

function withArticle(name: string): string {
  // by sound: an SAP key, an npm token
  return `${/^(?:[AEIOaeio]|SAP |HCP|HDI|HTTP|NVIDIA|XSUAA|X |xAI|npm |ngrok)/.test(name) ? 'an' : 'a'} ${name}`
}

/** The texts of the rule that a row of the token table is. */
export function tokenWords({ name, what, family, check, lesser, inPages }: TokenRow): Localized<RuleMessages> {
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
