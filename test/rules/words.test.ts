import { describe, expect, test } from 'vitest'
import { RULES } from '../../core/rules/index.ts'
import type { Locale, RuleText, RuleMessages } from '../../core/types.ts'
import { REVISED } from './revised.ts'

/** Characters that each part may have in English; French takes a quarter more. */
const LENGTHS: Readonly<Record<keyof RuleText, number>> = { title: 70, message: 220, why: 260, fix: 260 }
const FRENCH = 1.25
const PARTS = ['title', 'message', 'why', 'fix'] as const

/** Phrases of another style than that of MDN, OWASP and ESLint. */
const AVOIDED: Readonly<Record<Locale, RegExp>> = {
  en: /(?:^|[.:;] )Who(?:ever)?\b|\bwho once\b|\b(?:anybody|everybody|whoever)\b|\bhis\b|\b(?:is|are) told\b|\basks? for (?:no|a) login|\bhands? (?:out|over|on)\b|\bstands? in\b|\bpass(?:es)? for\b|\blets? (?:in|everybody)\b|\b(?:is|are) meant\b|\bof somebody else\b|\bsomebody else\b|\bby the way\b|\bintruders?\b|\ban? \w+ of CAP\b|\bvulnerabilit(?:y|ies) of\b|\bmessages of\b|\bsecret of the pipeline\b|\bfix(?:es|ed)? the versions?\b|\brights\b|\bof somebody\b|\bstore the new one\b|\blook(?:s|ed)? the \w+ up\b/i,
  // code stands in straight quotes, whatever the language; locataire, point de terminaison: the terms of SAP's French documentation
  fr: /(?:^|[.:;] )Quiconque\b|« ?["`]|« [\w./-]{1,60} »|(?<![\w.{"/$([-])(?:[Ee]ndpoints?|tenants?)(?![\w}:'"\]-])|\bchiffres? hexad[ée]cimales?\b|\batteindre (?:des|les|ses|ces|leurs|d’autres) (?:données|lignes|ressources)|\bdroits de ce secret\b|[Pp]oints? de rappel\b|\bjournal du navigateur\b|\bnon sûre?s?\b|\bautorités? privées?\b|\bautorité de votre\b|\b[Aa]uthentification absente\b|, (?:l’|les? |la |une? |des )[^,.;:]{1,60} (?:est|sont|n’est) donc\b/,
}
/** A piece of advice begins with what to do, not with what is. */
const NO_VERB =
  /^(?:The|A|An|If|In|It|There|This|That|These|Those|Since|With|Without|To|For|Only|No|Not|Le|La|Les|L’|Un|Une|Si|Dans|Il|Ce|Cette|Avec|Sans|Pour)\b/

/** What `npm run new-rule` writes. */
const TEMPLATE =
  /^(?:Name of the vulnerability|What was seen here\.|What an attacker can do\.|Write the exact line\.|Nom de la vulnérabilité|Ce qui a été vu ici\.|Ce que peut faire un attaquant\.|Écrivez la ligne exacte\.)$/

/** Arguments that are words have one name in each language: the title of an advisory, the characters of a secret. */
const TRANSLATED: ReadonlyMap<string, string> = new Map([
  ['titre', 'title'],
  ['caracteres', 'charset'],
])

const placeholdersIn = (text: string | undefined): string[] =>
  [
    ...new Set(
      [...(text ?? '').matchAll(/(?<!\$)\{([a-zA-Z]\w*)(?::[a-z]+)?\}/g)].map(([, name = '']) => TRANSLATED.get(name) ?? name),
    ),
  ].sort()

function* textsOf(words: RuleMessages): Generator<[string, Partial<RuleText>]> {
  yield ['', words]
  for (const [name, text] of Object.entries(words.variants ?? {})) yield [name, text]
}

for (const { id, docs, text: make } of RULES) {
  const text = make()
  describe(id, () => {
    test('names the document that it rests on', () => {
      expect(docs, '"docs" must be a complete URL, that of the section about the topic').toMatch(/^https:\/\/[^/\s]+\/\S*$/)
    })

    test('both languages have the same variants, steps and placeholders', () => {
      expect(Object.keys(text.fr.variants ?? {}).sort()).toEqual(Object.keys(text.en.variants ?? {}).sort())
      expect(Object.keys(text.fr.steps ?? {}).sort()).toEqual(Object.keys(text.en.steps ?? {}).sort())
      for (const [name, english] of textsOf(text.en)) {
        const french: Partial<RuleText> = name === '' ? text.fr : (text.fr.variants?.[name] ?? {})
        for (const part of PARTS)
          expect(
            placeholdersIn(french[part]),
            `${['fr', name, part].filter(Boolean).join(' ')}: its {placeholders} must be those of the English text`,
          ).toEqual(placeholdersIn(english[part]))
      }
    })

    for (const locale of ['en', 'fr'] as const)
      test(`the form of its texts: ${locale}`, () => {
        for (const [name, words] of textsOf(text[locale]))
          for (const part of PARTS) {
            const written = words[part]
            if (written === undefined) continue
            const where = `${[locale, name, part].filter(Boolean).join(' ')}: ${written}`
            expect(written, `still the text of the template: ${where}`).not.toMatch(TEMPLATE)
            expect(written.length, `too long: ${where}`).toBeLessThanOrEqual(LENGTHS[part] * (locale === 'fr' ? FRENCH : 1))
            expect(AVOIDED[locale].exec(written)?.[0], `avoid this phrase: ${where}`).toBeUndefined()
            if (part === 'title') expect(written, `a title has no full stop: ${where}`).not.toMatch(/[.!?]$/)
            else expect(written, `must end with a full stop, a colon or a parenthesis: ${where}`).toMatch(/[.:)]$/)
            if (part === 'fix')
              expect(NO_VERB.exec(written)?.[0], `a fix starts with a verb, such as "Remove": ${where}`).toBeUndefined()
          }
      })
  })
}

test('rules are revised area by area', () => {
  expect([...REVISED].every((area) => RULES.some(({ id }) => id.startsWith(`${area ?? ''}/`)))).toBe(true)
})
