import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from '@babel/parser'
import {
  isIdentifier,
  isObjectProperty,
  isStringLiteral,
  isTemplateElement,
  isVariableDeclarator,
  traverseFast,
  type Node,
} from '@babel/types'
import { expect, test } from 'vitest'
import { englishIn } from './english-in-french.ts'

const ROOT = new URL('../../', import.meta.url).pathname
/** Tables of French texts: a member `fr`, or a constant `FR`. */
const FRENCH = /^(?:fr|FR(?:_[A-Z]+)?)$/
/** Terms that keep their English name in French. */
const TERMS = /Cross-site scripting|(?:min-)?release-age/g

interface Text {
  readonly place: string
  readonly text: string
}

/** Every French text in the source: rules, notices, problems, terminal, page. */
function* frenchTexts(folder: string): Generator<Text> {
  for (const entry of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(entry) || entry.endsWith('.d.ts')) continue
    const path = join(folder, entry)
    const source = readFileSync(join(ROOT, path), 'utf8')
    if (!/\bfr\b|\bFR/.test(source)) continue
    const tables: Node[] = []
    traverseFast(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }), (node) => {
      const table = tableOf(node)
      if (table !== undefined) tables.push(table)
    })
    for (const table of tables) yield* textsBelow(table, path)
  }
}

/** What a member `fr` or a constant `FR` holds. */
function tableOf(node: Node): Node | undefined {
  if (isObjectProperty(node)) return isIdentifier(node.key) && FRENCH.test(node.key.name) ? node.value : undefined
  if (isVariableDeclarator(node)) return isIdentifier(node.id) && FRENCH.test(node.id.name) ? (node.init ?? undefined) : undefined
  return undefined
}

function textsBelow(table: Node, path: string): Text[] {
  const texts: Text[] = []
  traverseFast(table, (node) => {
    const text = isStringLiteral(node) ? node.value : isTemplateElement(node) ? node.value.raw : undefined
    if (text !== undefined) texts.push({ place: `${path}:${node.loc?.start.line ?? 0}`, text })
  })
  return texts
}

const TEXTS = ['core', 'handlers', 'adapters'].flatMap((folder) => [...frenchTexts(folder)])

test('French texts are found where they are written', () => {
  for (const path of [
    'core/rules/cap/ssrf.ts',
    'core/report/notice-words.ts',
    'core/report/steps.ts',
    'core/secrets/table/sap.ts',
    'handlers/_fault-words.ts',
    'adapters/terminal/words.ts',
    'adapters/web/words/fr.ts',
    'adapters/web/words/fr-screens.ts',
  ])
    expect(
      TEXTS.some(({ place }) => place.startsWith(`${path}:`)),
      path,
    ).toBe(true)
})

test('no English is left in a French text', () => {
  const faults = TEXTS.flatMap(({ place, text }) => {
    const word = englishIn(text.replace(TERMS, ''))
    return word === undefined ? [] : [`${place}: "${word}" in: ${text}`]
  })
  expect(faults).toEqual([])
})

test.each([
  ['The file does not parse; only credentials were looked for in it.', 'The'],
  ['La route {source} transmet des requêtes and nothing else.', 'and'],
  ['Supprimez ce réglage, which is the default.', 'which'],
])('sees English: %s', (text, word) => {
  expect(englishIn(text)?.trim()).toBe(word)
})

test.each([
  'Écrivez where: (createdBy = $user), ou retirez "where and when" si toutes les lignes sont visées.',
  'Exécutez npm ls --all, puis if (!req.user.is("any")) return req.reject(403).',
])('leaves code alone: %s', (text) => {
  expect(englishIn(text)).toBeUndefined()
})

// an advisory is an "avis de sécurité", a notice of the scan a "remarque"
test('French texts have two words for advisories and notices', () => {
  expect(TEXTS.filter(({ text }) => /(?<!\p{L})avis\b(?! de sécurité)/iu.test(text))).toEqual([])
})
