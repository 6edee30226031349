import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { bindingOf } from '../../facts/asked-values.ts'
import { excerptOf } from '../../facts/excerpt.ts'
import type { Definition, ScriptFacts, Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { parentModules } from './_app-methods.ts'
import { textsSent } from './_sent-fields.ts'
import { KEYED_WORDS } from './_sent-identities.ts'
import { argumentsFor, identityOf, isOfThis } from './_user-identities.ts'

/** A method of `this` gets the user of the page, which another file, such as a base controller, may send. */
export interface HandedIdentity {
  /** Method and position: `loadFor 1`. */
  readonly to: string
  /** Names of the modules whose classes those of the script extend, which may have the method. */
  readonly modules: readonly string[]
}

/** A text that is sent holds what a method was given. */
export interface OpenKey {
  readonly at: Span
  readonly field: string
  readonly value: string
  /** Methods and positions that the value may come by. */
  readonly from: readonly string[]
}

/** What changes how a text is written. */
const RESHAPES: ReadonlySet<string> = new Set(['encodeURIComponent', 'String', 'trim', 'toUpperCase', 'toLowerCase', 'toString'])
const MAX_DEPTH = 4

/** The user of the page, handed to methods that the file does not have itself. */
export const handedIdentities: Extract<HandedIdentity> = defineExtract({
  name: 'ui5-handed-identities',
  keywords: ['UserInfo', 'getUser(', 'localStorage', 'sessionStorage', 'sap.storage'],
  withFlow: true,
  prefilter: (text) => /\bthis\.\w{2,60}\([^()]/.test(text),
  *collect({ facts, step }) {
    const own = new Set(facts.functions.map(({ name }) => lastName(name)))
    const parents = parentModules(facts)
    if (parents.length === 0) return
    const told = new Set<string>()
    for (const { callee, args } of facts.calls) {
      if (callee.kind !== 'member' || callee.name === undefined || own.has(callee.name) || !isOfThis(callee.object)) continue
      for (const [index, value] of args.entries()) {
        const to = `${callee.name} ${index}`
        if (told.has(to) || identityOf(value, facts, step) !== 'user') continue
        told.add(to)
        yield { to, modules: parents }
      }
    }
  },
})

/** Keys and parameters of addresses that methods are given. */
export const openKeys: Extract<OpenKey> = defineExtract({
  name: 'ui5-open-keys',
  keywords: [...KEYED_WORDS, `('"`, `('\${`, `(\\''`],
  withFlow: true,
  prefilter: (text) => /\/\w{2,60}\((?:[^()\n]{0,100}=)?(?:'|\\')(?:["'`]|\$\{)/.test(text),
  *collect({ facts, text, step }) {
    for (const { field, value } of textsSent(facts, text)) {
      const from = methodsBehind(value, facts, step)
      const at = { start: value.start, end: value.end }
      if (from.length > 0) yield { at, field, value: excerptOf(text, at), from }
    }
  },
})

/** The methods that a value is given by, over those of the same file that hand it on. */
function methodsBehind(value: Value, facts: ScriptFacts, step: (count?: number) => void, depth = 0): readonly string[] {
  step()
  if (depth > MAX_DEPTH) return []
  const behind = (one: Value): readonly string[] => methodsBehind(one, facts, step, depth + 1)
  if (value.kind === 'call') {
    const { callee, args } = value
    if (!RESHAPES.has(lastNameOf(callee) ?? '')) return []
    const reshaped = callee.kind === 'member' ? callee.object : args[0]
    return reshaped === undefined ? [] : behind(reshaped)
  }
  const definitions = bindingOf(value)?.definitions ?? []
  return definitions.flatMap((definition) => {
    const { kind, value: given, path } = definition
    if (path.length > 0) return []
    if (kind === 'init') return given === undefined ? [] : behind(given)
    if (kind !== 'parameter' || given !== undefined) return []
    step(facts.calls.length)
    return [...methodOf(definition), ...argumentsFor(definition, facts).flatMap(behind)]
  })
}

function methodOf({ parameter, function: around }: Definition): readonly string[] {
  return parameter === undefined || around.owner === undefined ? [] : [`${lastName(around.name)} ${parameter}`]
}
