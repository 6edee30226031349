import { quoteWord } from '../../quote.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  excerptOf,
  valuesOf,
  type Binding,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { append } from '../../lists.ts'
import { firstPartOf } from '../../model/script/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A page of a third party that gets a reference to the window which opened it. Links imply `noopener` unless they set `opener`; windows that a
 * script opens do not. A script that
 * talks to the window needs the reference; one that only brings it to the front can do without.
 * Facts: HTML standard, "window open steps", link type `opener`.
 * Impact: phishing, by a linked page that replaces the app, of a user who does not notice.
 */
export const tabnabbing: Rule = defineRule({
  id: 'ui5/tabnabbing',
  impact: 'bounded',
  // the linked page has to be a malicious one
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [1022],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/HTML5_Security_Cheat_Sheet.html#tabnabbing',
  keywords: ['window.open', 'opener'],
  prefilter: (text) => /window\.open\s{0,8}\(|\brel\s{0,5}=\s{0,5}["']?[^"'<>]{0,80}\bopener\b/i.test(text),

  checks: {
    *html({ path, content }) {
      for (const element of elementsOf(content.document)) {
        const href = attributeOf(element, 'href')
        if (element.name !== 'a' || href === undefined || !/^\s{0,5}(?:https?:)?\/\//i.test(href.value)) continue
        const words = (attributeOf(element, 'rel')?.value ?? '').toLowerCase().split(/\s+/)
        if (attributeOf(element, 'target')?.value.toLowerCase() !== '_blank' || !words.includes('opener')) continue
        yield { at: { file: path, span: href.valueSpan }, args: { target: href.value.trim() }, variant: 'link' }
      }
    },

    *'browser-script'({ path, text, content: { facts } }) {
      let used: ReadonlySet<Value> | undefined
      for (const call of facts.calls) {
        const url = openedBy(call)
        if (url === undefined || !isForeign(url)) continue
        used ??= usedValues(facts)
        if (used.has(call)) continue
        yield {
          at: { file: path, span: { start: call.start, end: call.end } },
          args: { target: quoteWord(excerptOf(text, url)) },
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Reverse tabnabbing: window opened without noopener',
      message: '{target} is opened in a new window without "noopener".',
      why: 'The opened page can navigate the app’s window through window.opener, for example to a copy of your login page (phishing).',
      fix: "Pass 'noopener' in the third argument, as in window.open(url, '_blank', 'noopener'). The call then returns null: remove any code that uses its result.",
      variants: {
        link: {
          title: 'Reverse tabnabbing: link with rel="opener"',
          message: '{target} is opened in a new window with rel="opener".',
          fix: 'Remove rel="opener" from this link.',
        },
      },
    },
    fr: {
      title: 'Tabnabbing inversé : fenêtre ouverte sans noopener',
      message: '{target} est ouvert dans une nouvelle fenêtre sans "noopener".',
      why: 'La page ouverte peut, par window.opener, rediriger la fenêtre de votre application, par exemple vers une copie de votre page de connexion (hameçonnage).',
      fix: "Passez 'noopener' en troisième argument, comme dans window.open(url, '_blank', 'noopener'). L’appel renvoie alors null : supprimez tout code qui utilise son résultat.",
      variants: {
        link: {
          title: 'Tabnabbing inversé : lien avec rel="opener"',
          message: '{target} est ouvert dans une nouvelle fenêtre avec rel="opener".',
          fix: 'Supprimez rel="opener" de ce lien.',
        },
      },
    },
  }),
})

/** Calls whose result the code uses: it talks to the window, or cuts the tie itself. */
function usedValues(facts: ScriptFacts): ReadonlySet<Value> {
  const used = new Set<Value>()
  const kept = new Map<Binding, Value[]>()
  for (const { definitions } of facts.bindings)
    for (const { value, fallback } of definitions) for (const one of [value, fallback]) if (one !== undefined) used.add(one)
  for (const binding of facts.bindings)
    for (const { value, kind, path } of binding.definitions)
      if (value?.kind === 'call' && (kind === 'init' || kind === 'assign') && path.length === 0) append(kept, binding, value)
  for (const { value, target } of facts.assignments) used.add(value).add(target.object)
  const tests = new Set(facts.guards.map(({ test }) => test))
  const talked = new Set<Binding>()
  for (const { value, parent } of valuesOf(facts)) {
    if (parent !== undefined && parent.kind !== 'choice') used.add(value)
    if (value.kind === 'reference' && value.binding !== undefined && kept.has(value.binding))
      if (!isOnlyShown(value, parent, tests)) talked.add(value.binding)
  }
  // a window that is only brought to the front needs no look back
  for (const [binding, calls] of kept) if (!talked.has(binding)) for (const call of calls) used.delete(call)
  return used
}

/** `tab.focus()`, `if (!tab)`, `tab && tab.focus()` */
function isOnlyShown(value: Value, parent: Value | undefined, tests: ReadonlySet<Value>): boolean {
  if (parent === undefined) return tests.has(value)
  if (parent.kind === 'member') return parent.object === value && /^(?:focus|blur|closed)$/.test(parent.name ?? '')
  if (parent.kind === 'choice') return parent.test === value || parent.options.at(-1) !== value
  return parent.kind === 'operation'
}

/** The address that `window.open` shows in a window that may look back. */
function openedBy({ kind, callee, args: [url, name, features] }: CallValue): Value | undefined {
  if (kind !== 'call' || url === undefined || callee.kind !== 'member') return undefined
  if (!accessesOf(callee).some(({ root, steps }) => root === 'global:open' && steps.length === 0)) return undefined
  const target = name === undefined ? '_blank' : constantOf(name)
  if (typeof target !== 'string' || /^_(?:self|top|parent)$/i.test(target)) return undefined
  const given = features === undefined ? '' : constantOf(features)
  return typeof given === 'string' && !/\bnoopener\b|\bnoreferrer\b/i.test(given) ? url : undefined
}

/** Names of what leads within the own server: resources, shells, downloads. */
const OWN = /^(?:createObjectURL|toUrl|getModulePath|getResourcePath|hrefForExternal|getResourceUrl|getUriForPath)$/
const OWN_NAME =
  /(?:blob|object|download|pdf|file|media|resource|relative|internal|hash|base|service|data|path|href)_?ur[il]$|path$|hash$|href$|blob$|serviceurl/i

/** Names of data that hold an address of a third party: `context.getProperty("Website")`, `source.data("url")`. */
const FOREIGN_NAME = /(?:ur[il]|link|website|homepage)$/i
const READERS: ReadonlySet<string> = new Set(['getProperty', 'getObject', 'data', 'get', 'getParameter'])

function isForeignCall({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (OWN.test(name)) return false
  if (!READERS.has(name)) return /url$|link$|website$/i.test(name)
  const given = stringConstantOf(args[0])
  return given !== undefined && FOREIGN_NAME.test(given) && !OWN_NAME.test(given)
}

/** Whether the host is another one, or is chosen while the app runs by a value that is not known to lead within the app. */
function isForeign(url: Value): boolean {
  const first = firstPartOf(url, isForeign)
  if (first === undefined) return false
  const text = constantOf(first)
  if (typeof text === 'string') return /^\s{0,5}(?:https?:)?\/\//i.test(text) && !/^https?:\/\/localhost\b/i.test(text)
  if (text !== undefined) return false
  if (first.kind === 'call') return isForeignCall(first)
  if (
    accessesOf(first).some(
      ({ root, steps }) => root === 'global:location' || steps.includes('location') || steps.includes('createObjectURL'),
    )
  )
    return false
  const name = lastNameOf(first) ?? ''
  return /ur[il]$|link$|website$|homepage$|address$/i.test(name) && !OWN_NAME.test(name)
}
