import { accessOf, resolveValue, type Value, type CallValue } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { calledBy } from '../../facts/own-answers.ts'
import type { Asked } from '../asked.ts'
import type { Constraint, Proof } from '../constraint.ts'
import { keysOf } from '../pattern-texts.ts'

/** Names of functions that say that they know what is allowed: `isValidColumn(name)`. */
const ALLOWING =
  /valid|allowed|permitted|trusted|same_?(?:site|origin)|(?:is|has)_?safe|is_?local|white_?list|allow_?list|numeric|alphanum|uuid|guid/i
/** Of those the ones that know a form. */
const FORMS = /^is_?(?:uuid|guid|numeric|alpha\w*)$/i
/** Predicates that tell of which kind a value is, not whether it is allowed. */
const OF_KINDS =
  /^is_?(?:string|text|array|object|plainobject|nil|null|undefined|defined|empty|notempty|blank|present|function|nan|date|error|promise|buffer|stream|directory|file|absolute|truthy|falsy|url|uri|set|map|length|bytelength|ascii|lowercase|uppercase|json|multibyte|fullwidth|printable|admin|authenticated|production|(?:axios|fetch|network|sql|sqlite|hana|db|database|remote|odata|sdk|system)\w{0,20}(?:error|exception|failure))$/i

/** What the name of a function promises. `allowed`: `isValid(name)`; `kind`: `isOrder(name)`, which counts where it is a function and no method of anything. */
type Promised = 'allowed' | 'kind'

function promisedBy(callee: Value): Promised | undefined {
  const name = nameOfCallee(callee)
  if (name === undefined) return undefined
  if (ALLOWING.test(name)) return 'allowed'
  return /^_?is[A-Z_]/.test(name) && !OF_KINDS.test(name) ? 'kind' : undefined
}

/** What libraries and functions of other files are believed for their names: `isAllowed(name)`, `checks.isOrder(name)`. What the file's own are worth, their bodies say. */
export function named({ test, holds }: Asked): readonly Constraint[] {
  const promised = test.kind === 'call' && holds ? promisedBy(test.callee) : undefined
  if (test.kind !== 'call' || promised === undefined || calledBy(test.callee) !== undefined) return []
  const { root = '', steps = [] } = accessOf(test.callee) ?? {}
  if (isOfSchema(steps, test.args)) return []
  const isOfProject = root.startsWith('module:.')
  const isOfLibrary = !isOfProject && root.startsWith('module:')
  if (promised === 'kind' && !isOfProject && !isOfLibrary) return []
  const proof: Proof = isOfProject
    ? answeredBy(promised)
    : FORMS.test(nameOfCallee(test.callee) ?? '')
      ? { kind: 'form' }
      : { kind: 'listed' }
  return namesGiven(test.args).map((of) => ({ ...proof, of }))
}

/** `validate(order)` of `ajv.compile(schema)`, `ajv.validate({ … }, order)`: the schema says what that is worth, and others read it. */
function isOfSchema(steps: readonly string[], [schema, ...given]: readonly Value[]): boolean {
  if (steps.includes('compile')) return true
  return steps.at(-1) === 'validate' && schema !== undefined && given.length === 1 && 'fields' in resolveValue(schema)
}

/** The same of a function of the file whose body does not tell. */
export function believed({ test, holds }: Asked): readonly Constraint[] {
  const promised = test.kind === 'call' && holds ? promisedBy(test.callee) : undefined
  if (test.kind !== 'call' || promised === undefined) return []
  return namesGiven(test.args).map((of) => ({ ...answeredBy(promised), of }))
}

function answeredBy(promised: Promised): Proof {
  return promised === 'allowed' ? { kind: 'answered', text: promised } : { kind: 'answered' }
}

/** A callback that is known by its name alone: `names.every(isValid)`, `ids.every(Number.isInteger)`. */
export function promises(callback: Value): boolean {
  return (
    promisedBy(callback) !== undefined ||
    /^(?:isUUID|isInteger|isSafeInteger|isFinite|isNumeric)$/.test(nameOfCallee(callback) ?? '')
  )
}

/** The values, and those of an object that is made of them: `isLabel({ text })`. */
export function namesGiven(args: readonly Value[]): readonly string[] {
  return args.flatMap((argument) =>
    argument.kind === 'object' ? argument.fields.flatMap(({ value }) => keysOf(value, true)) : keysOf(argument, true),
  )
}

/** What a call gave, whoever knows what that means: another file, a framework. */
export function answered({ test, holds, isCompared, isAwaited }: Asked): readonly Constraint[] {
  if (test.kind !== 'call' || isCompared !== undefined) return []
  return [{ kind: isAwaited ? 'settled' : 'gave', of: keyOfCall(test), text: String(holds) }]
}

/** What a call is known by among the values that constraints speak of. */
export function keyOfCall({ start, end }: CallValue): string {
  return `call ${start}-${end}`
}
