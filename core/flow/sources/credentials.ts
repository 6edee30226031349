import { stringConstantOf, isConstant, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isSecretName, secretPartsOf } from '../../model/script/index.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What the names of credentials have in common: most calls have nothing of it. */
const MAY_NAME = /token|passw|pwd|secret|jwt|credential|authorization|bearer|iban|ssn|key|card|code|nonce|salt|csrf|xsrf/i

/** Adds credentials that a call hands to a function of the app, writes to a model or encodes: under another name they may be stored or logged there. */
export function addCredentials(call: CallValue, draft: FlowDraft): void {
  const { args, start, end } = call
  if (!MAY_NAME.test(draft.text.slice(start, Math.min(end, start + MAX_TEXT)))) return
  // `keep('jwt', value)`
  const isNamed = args.some((argument) => argument.kind === 'literal' && isSecretName(textOf(argument)))
  for (const argument of args) {
    const isWhole = isNamed && argument.kind !== 'function' && !isConstant(argument)
    const parts = isWhole ? [argument] : [...secretPartsOf(argument), ...secretFieldsOf(argument)]
    for (const part of parts) {
      // of what is encoded, what it gives: a text, whatever object the credential lay in
      const node = draft.use(encodesText(call) ? call : part)
      draft.ends.sources.push({ node, origin: 'credential', weak: false })
      draft.show(node, part)
    }
  }
}

/** Other code reads from a model what is written there, under another name. */
export function writesModel({ kind, callee }: CallValue): boolean {
  if (kind === 'new') return callee.kind === 'reference' && callee.name === 'JSONModel'
  return callee.kind === 'member' && (callee.name === 'setProperty' || callee.name === 'setData')
}

/** `btoa(password)`: anybody turns it back, and what it gives has another name. */
export function encodesText({ callee }: CallValue): boolean {
  return ENCODING.has(lastNameOf(callee) ?? '')
}

const ENCODING: ReadonlySet<string> = new Set(['btoa', 'escape', 'base64Encode', 'toBase64', 'encodeBase64'])

/** Adds credentials in what functions give back: `return { Authorization: "Bearer " + token }`. */
export function addReturnedCredentials(draft: FlowDraft): void {
  for (const { returns } of draft.facts.functions)
    for (const value of returns)
      for (const part of secretFieldsOf(value)) {
        draft.ends.sources.push({ node: draft.use(part), origin: 'credential', weak: false })
        draft.show(draft.use(part), part)
      }
}

/** `{ password: answer.second }` */
function secretFieldsOf(argument: Value): readonly Value[] {
  if (argument.kind !== 'object') return []
  return argument.fields.flatMap(({ key, value }) => (isSecretName(key) && !isConstant(value) ? value : []))
}

const MAX_TEXT = 2000

function textOf(value: Value): string | undefined {
  const text = stringConstantOf(value)
  return text !== undefined && /^[\w.-]{1,60}$/.test(text) ? text : undefined
}
