import { isNonText } from './casts.ts'
import { pathOf } from './paths.ts'
import type { Binding, CallValue, FunctionFact, ReferenceValue, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** Values looked at for one answer: constants of real code need a few dozen; the depth bounds the stack. */
const MAX_VISITS = 2000
const MAX_DEPTH = 100

/** What a caller knows beside: true or false settles a value, undefined leaves it to what it is made of. */
export type Judge = (value: Value) => boolean | undefined

interface Question {
  readonly known: Judge
  visits: number
  depth: number
  /** Bindings being looked at: a name that is built up of itself is as constant as the rest. */
  readonly open: Set<Binding>
  /** Parameters of callbacks that get the items of something constant. */
  readonly assumed: Set<Binding>
}

/** Whether all that a value is made of stands in the code, or gives no text of what it is made of: literals, names of such values,
 *  members of objects of literals, numeric casts, comparisons, lists built of constants, `list.map(() => '?')`. */
export function isConstant(value: Value, known: Judge = () => undefined): boolean {
  return ask(value, { known, visits: MAX_VISITS, depth: 0, open: new Set(), assumed: new Set() })
}

function ask(value: Value, question: Question): boolean {
  if (question.visits-- <= 0 || question.depth > MAX_DEPTH) return false
  const known = question.known(value)
  if (known !== undefined) return known
  question.depth++
  const answer = judge(value, question)
  question.depth--
  return answer
}

function judge(value: Value, question: Question): boolean {
  switch (value.kind) {
    case 'literal':
    case 'regex':
    case 'operation':
    case 'function':
    case 'class':
      return true
    case 'template':
    case 'concat':
      return value.parts.every((part) => ask(part, question))
    case 'choice':
      return value.options.every((option) => ask(option, question))
    case 'array':
      return value.items.every((item) => ask(item, question))
    case 'object':
      return value.fields.every((field) => ask(field.value, question))
    case 'await':
    case 'spread':
      return ask(value.value, question)
    case 'reference':
      return askReference(value, question)
    case 'member':
      return isNonText(value) || ask(value.object, question)
    case 'call':
    case 'new':
      return askCall(value, question)
    default:
      return false
  }
}

function askReference({ name, binding }: ReferenceValue, question: Question): boolean {
  if (binding === undefined) return name === 'undefined' || name === 'NaN' || name === 'Infinity'
  if (question.assumed.has(binding) || question.open.has(binding)) return true
  if (binding.module !== undefined || binding.kind === 'import') return false
  question.open.add(binding)
  const answer =
    binding.definitions.every((definition) => {
      const { kind, operator, value, fallback } = definition
      if (fallback !== undefined && !ask(fallback, question)) return false
      if ((kind === 'parameter' && value === undefined) || kind === 'catch') return false
      if (value === undefined) return operator === '++' || operator === '--'
      // `-=` and the like give a number
      return /^(?:[+&|?]*|&&|\|\|)=$/.test(operator) ? ask(value, question) : true
    }) &&
    binding.additions.every((addition) => ask(addition, question)) &&
    (binding.nested ?? []).every((addition) => ask(addition, question))
  question.open.delete(binding)
  return answer
}

/** Methods that make a list of what their argument gives. */
const FILLING = new Set(['fill', 'map', 'flatMap'])
/** Methods that pick from their receiver, whatever they are asked for. */
const PICKING = new Set(['get', 'at', 'find', 'findLast', 'filter', 'slice', 'substring', 'substr', 'repeat'])

function askCall(call: CallValue, question: Question): boolean {
  if (isNonText(call)) return true
  const { callee, args } = call
  if (callee.kind === 'member') {
    const [first] = args
    // a list of question marks, as long as the values are many
    if (callee.name !== undefined && FILLING.has(callee.name) && first !== undefined) {
      if (first.kind === 'function' ? returnsConstant(first.function, question) : callee.name === 'fill' && ask(first, question))
        return true
    }
    const own = ownMethods(callee.object, callee.name)
    // Rules.session(), LOADERS[name](): what the functions of the file give
    if (own !== undefined) return own.length > 0 && own.every((method) => returnsConstant(method, question))
    if (ask(callee.object, question))
      return (callee.name !== undefined && PICKING.has(callee.name)) || askArguments(args, question)
  }
  if (callee.kind === 'reference' && callee.binding !== undefined) {
    const [definition] = callee.binding.definitions
    const value = callee.binding.definitions.length === 1 ? definition?.value : undefined
    return value?.kind === 'function' && returnsConstant(value.function, question)
  }
  const path = pathOf(callee)
  if (path === undefined || !path[0]?.startsWith('global:')) return false
  const name = path.join('.').slice('global:'.length)
  if (name === 'Array.from' && args[1]?.kind === 'function') return returnsConstant(args[1].function, question)
  return CONVERSIONS.has(name) && askArguments(args, question)
}

/** The functions that a method of a class or of an object of functions may be; undefined: it is none of those. */
function ownMethods(object: Value, name: string | undefined): readonly FunctionFact[] | undefined {
  const here = resolveValue(object)
  const made = here.kind === 'new' ? resolveValue(here.callee) : here
  const members =
    made.kind === 'class'
      ? made.class.members.map((member) => ({ key: member.name, value: member.value }))
      : made.kind === 'object'
        ? made.fields
        : []
  const found = members.flatMap(({ key, value }) => (value !== undefined && (name === undefined || key === name) ? value : []))
  const functions = found.flatMap((value) => (value.kind === 'function' ? value.function : []))
  return functions.length > 0 || made.kind === 'class' ? functions : undefined
}

/** Globals that give what they are given in another form. */
const CONVERSIONS = new Set([
  'String',
  'Array',
  'Set',
  'Map',
  'Array.from',
  'Array.of',
  'Object.keys',
  'Object.values',
  'Object.entries',
  'Object.freeze',
  'Object.assign',
  'JSON.stringify',
  'encodeURIComponent',
  'encodeURI',
  'String.fromCharCode',
  'Symbol',
  'structuredClone',
])

function askArguments(args: readonly Value[], question: Question): boolean {
  return args.every((argument) => {
    if (argument.kind !== 'function') return ask(argument, question)
    const added = argument.function.parameters.filter((parameter) => parameter !== undefined && !question.assumed.has(parameter))
    for (const parameter of added) if (parameter) question.assumed.add(parameter)
    const answer = returnsConstant(argument.function, question)
    for (const parameter of added) if (parameter) question.assumed.delete(parameter)
    return answer
  })
}

function returnsConstant({ returns }: FunctionFact, question: Question): boolean {
  return returns.length > 0 && returns.every((value) => ask(value, question))
}
