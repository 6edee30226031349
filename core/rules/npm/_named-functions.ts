import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { opensPretty, pinsAlgorithms, verifiesWithPair } from './_call-options.ts'
import { isLoopback } from '../../model/deployment/index.ts'
import { blankComments } from '../../model/reach/index.ts'
import { asksOpenAddress, sendsOpenMail } from './_open-addresses.ts'
import { KEY_PAIR, OPEN_ADDRESS, OPEN_MAIL, OPEN_PRETTY, USE_ROWS } from './_uses-table.ts'

const NAMES: ReadonlySet<string> = new Set(USE_ROWS.flatMap(({ names = [] }) => names))

/** Which of the functions and options that advisories name stand in a script, as these are about: with the options and data that make them vulnerable. */
export function namesIn(code: string, facts: ScriptFacts): readonly string[] {
  const foreign = foreignTemplates(facts)
  const isMeant = (word: string): boolean => {
    if (TEMPLATE_MAKERS.has(word)) return foreign.has(word)
    if (word === 'append') return FORM.test(code)
    if (word === 'urlencoded') return mayDo(facts, word, (call) => !isSimple(call))
    if (word === 'extended') return EXTENDED.test(code)
    if (word === 'verify') return !pinsAlgorithms(facts)
    // loaders of documents have a method of that name
    if (word === 'load') return mayDo(facts, word, ({ callee }) => callee.kind === 'reference')
    if (word === 'raw') return mayDo(facts, 'sendMail', mayBeRaw)
    return !CONNECTS.has(word) || mayDo(facts, word, (call) => !staysHere(call))
  }
  // a part of a word in a text is none: x-www-form-urlencoded
  const found = [...new Set(code.match(/[\w$-]+/g))].filter((word) => NAMES.has(word) && isMeant(word))
  if (asksOpenAddress(code, facts)) found.push(OPEN_ADDRESS)
  if (sendsOpenMail(facts)) found.push(OPEN_MAIL)
  if (found.includes('verify') && verifiesWithPair(facts)) found.push(KEY_PAIR)
  if (opensPretty(code, facts)) found.push(OPEN_PRETTY)
  return found
}

/** A message with the option `raw`, or one that is made elsewhere. Fact: nodemailer 7, "Custom source". */
function mayBeRaw({ args: [message] }: CallValue): boolean {
  const made = message === undefined ? undefined : resolveValue(message)
  return made?.kind !== 'object' || made.fields.some(({ key }) => key === undefined || key === 'raw')
}

/** Whether a function of this name is called in a way, or may be: it stands there and no call of it. */
function mayDo({ calls }: ScriptFacts, name: string, isMeant: (call: CallValue) => boolean): boolean {
  const own = calls.filter(({ callee }) => (callee.kind === 'member' || callee.kind === 'reference') && callee.name === name)
  return own.length === 0 || own.some(isMeant)
}

/** `extended: false`: the parser is that of Node.js. Fact: body-parser 1.20.3, lib/types/urlencoded.js (`simpleparser`). */
function isSimple({ args: [options] }: CallValue): boolean {
  const extended = options === undefined ? undefined : fieldOf(resolveValue(options), 'extended')
  return extended !== undefined && constantOf(extended.value) === false
}

const EXTENDED = /\bextended\b(?!["']?\s{0,20}:\s{0,20}false\b)/

/** Clients of databases: `mysql2`. */
const CONNECTS: ReadonlySet<string> = new Set(['createConnection', 'createPool'])

/** The server is the own machine: nobody stands between, and nobody else answers for it. */
function staysHere({ args: [options] }: CallValue): boolean {
  const host = options === undefined ? undefined : fieldOf(resolveValue(options), 'host')
  const name = host === undefined ? undefined : constantOf(host.value)
  return typeof name === 'string' && isLoopback(name)
}

/** Lists, headers and pages have a function `append` too: one of a form stands beside its name. */
const FORM = /form-?data/i

/** Functions that make code of a template. */
const TEMPLATE_MAKERS: ReadonlySet<string> = new Set(['compile', 'precompile', 'template'])

/** Those of them that a script gives other texts than its own, or those of files. */
function foreignTemplates({ calls }: ScriptFacts): ReadonlySet<string> {
  return new Set(
    calls.flatMap(({ callee, args: [text] }) => {
      // what such a function gave is a function too, `const template = compile(text)`
      const name = callee.kind === 'member' ? callee.name : accessesOf(callee)[0]?.steps.at(-1)
      return name !== undefined && TEMPLATE_MAKERS.has(name) && text !== undefined && !isOwnText(text) ? name : []
    }),
  )
}

function isOwnText(text: Value, depth = 0): boolean {
  if (typeof constantOf(text) === 'string') return true
  const value = resolveValue(text)
  if (depth > 4) return false
  if (value.kind === 'await') return isOwnText(value.value, depth + 1)
  if (value.kind !== 'call' || (value.callee.kind !== 'member' && value.callee.kind !== 'reference')) return false
  const { callee } = value
  if (/^readFile(?:Sync)?$/.test(callee.name ?? '')) return true
  return callee.kind === 'member' && callee.name === 'toString' && isOwnText(callee.object, depth + 1)
}

/** Methods of models and documents: a script that calls them loads the model by its path, and names no package. */
const ANYWHERE: readonly string[] = [...new Set(USE_ROWS.flatMap(({ anywhere = [] }) => anywhere))]

/** Which of the methods that advisories name some script speaks of, whatever it loads. */
export const namedCalls: Extract<string> = defineExtract({
  name: 'npm-named-calls',
  keywords: ANYWHERE,
  collectText(text, hits) {
    const written = ANYWHERE.filter((name) => hits.has(name) && text.includes(name))
    if (written.length === 0) return []
    const code = blankComments(text)
    return written.filter((name) => code.includes(name))
  },
})
