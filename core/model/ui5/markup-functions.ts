import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findOrigin, isConstant, pathsOf, type Judge } from '../../facts/index.ts'
import type { CallValue, Definition, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { groupBy } from '../../lists.ts'
import { ENCODERS, fillsHtmlControls, formatsMarkup, MARKUP_KEYWORDS, mayHoldMarkup } from './concerns.ts'

/** Where markup comes from: `constant` what the code says, or what is encoded; `data` what a model or the user says; `unknown` what nobody can tell. */
export type MarkupOrigin = 'constant' | 'data' | 'unknown'

/** Methods that give ids and addresses of the app's own making. */
const OWN_NAMES: ReadonlySet<string> = new Set(['createId', 'getId', 'uid', 'getModulePath', 'toUrl', 'getResourcePath'])
/** Methods that read models, controls, parameters and stores. */
const READERS: ReadonlySet<string> = new Set(
  'getProperty getObject getData getValue getBoundProperty getParameter getParameters getItem getQueryParameter getHash getSelectedKey requestObject requestProperty'.split(
    ' ',
  ),
)
/** The file's own functions followed into each other. */
const MAX_CALLS = 5

/** Answers where markup comes from, as far as one script tells. */
export interface MarkupReader {
  originOf(value: Value): MarkupOrigin
  /** Whether all that a function gives is constant or encoded. */
  isHarmless(candidate: FunctionFact): boolean
}

export function createMarkupReader(facts: ScriptFacts): MarkupReader {
  const byName = groupBy(facts.functions, ({ name }) => lastName(name))

  /** What is harmless beside constants: encoded text, texts of the app, ids, what the file's own encoding functions give. */
  const judgeWithin =
    (open: Set<FunctionFact>): Judge =>
    (value) => {
      if (value.kind !== 'call') return undefined
      if (isHarmless(value)) return true
      const name = value.callee.kind === 'member' && value.callee.object.kind === 'this' ? value.callee.name : undefined
      if (name === undefined) return undefined
      const candidates = byName.get(name) ?? []
      return (candidates.length > 0 && candidates.every((candidate) => returnsConstant(candidate, open))) || undefined
    }

  const returnsConstant = (candidate: FunctionFact, open: Set<FunctionFact>): boolean => {
    if (open.has(candidate) || open.size >= MAX_CALLS || candidate.returns.length === 0) return false
    open.add(candidate)
    const answer = candidate.returns.every((value) => isConstant(value, judgeWithin(open)))
    open.delete(candidate)
    return answer
  }

  return {
    isHarmless: (candidate) => returnsConstant(candidate, new Set()),
    originOf(value) {
      if (isConstant(value, judgeWithin(new Set()))) return 'constant'
      const source = findOrigin(value, (part) => {
        if (part.kind === 'call' && isHarmless(part)) return 'clean'
        return isSource(part) ? 'source' : undefined
      })
      return source === undefined ? 'unknown' : 'data'
    },
  }
}

/** The functions of scripts that may format markup, by their last name; of several with one name all must be harmless. */
export const markupFunctions: Extract<{ readonly name: string; readonly harmless: boolean }> = defineExtract({
  name: 'ui5-markup-functions',
  keywords: MARKUP_KEYWORDS,
  prefilter: mayHoldMarkup,
  inPages: true,
  collect({ facts }) {
    if (!fillsHtmlControls(facts) && !formatsMarkup(facts)) return []
    const reader = createMarkupReader(facts)
    return [...groupBy(facts.functions, ({ name }) => lastName(name))]
      .filter(([name]) => name !== '')
      .map(([name, candidates]) => ({ name, harmless: candidates.every(reader.isHarmless) }))
  },
})

export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function isHarmless(call: CallValue): boolean {
  const names = pathsOf(call.callee).map((path) => path.at(-1) ?? '')
  // an imported encoder may have any name here: `module:sap/base/security/encodeXML`, `global:encodeURIComponent`
  if (names.length > 0 && names.every((name) => ENCODERS.has(name.replace(/^.{0,200}[/:]/u, '')))) return true
  if (call.callee.kind !== 'member' || call.callee.name === undefined) return false
  if (ENCODERS.has(call.callee.name) || OWN_NAMES.has(call.callee.name)) return true
  if (READERS.has(call.callee.name)) return readsTexts(call)
  // the values that fill a text's gaps are not part of the app
  return call.callee.name === 'getText' && call.args.slice(1).every((argument) => isConstant(argument))
}

/** `this.getView().getModel("i18n").getProperty(…)`, also with the model by name. */
function readsTexts(call: CallValue): boolean {
  let here: Value | undefined = call
  for (let hops = 0; hops < 20 && here !== undefined; hops++) {
    if (here.kind === 'reference') {
      const [definition, ...others]: readonly Definition[] = here.binding?.definitions ?? []
      here = others.length === 0 ? definition?.value : undefined
    } else if (here.kind === 'call' && here.callee.kind === 'member') {
      const [model] = here.args
      if (here.callee.name === 'getModel' && model?.kind === 'literal') return /i18n$/iu.test(String(model.value))
      here = here.callee.object
    } else return false
  }
  return false
}

function isSource(value: Value): boolean {
  if (value.kind === 'call') return value.callee.kind === 'member' && READERS.has(value.callee.name ?? '') && !readsTexts(value)
  if (value.kind !== 'member') return false
  return pathsOf(value).some(
    ([root, ...steps]) => root === 'global:location' || (root === 'global:document' && DOCUMENT.has(steps[0] ?? '')),
  )
}

const DOCUMENT: ReadonlySet<string> = new Set(['location', 'URL', 'documentURI', 'referrer', 'cookie'])
