import { accessOf, constantOf, isConstant, keyOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { isNothing } from '../../facts/values.ts'
import { equalIn, type Asked } from '../asked.ts'
import { type Constraint, RUNNING_TYPE, toConstraints } from '../constraint.ts'
import { keysOf } from '../pattern-texts.ts'

/** Methods that answer whether a value is one of a list. */
const LISTS = /^(?:includes|has|indexOf|hasOwnProperty|isAcceptableParameter)$/
/** The same by a function that is asked about each item. */
const SEEKING = /^(?:some|find|findIndex)$/

/** Values of which the code names each, or that are no text: `NAMES.includes(name)`, `TABLE[name]`, `name === 'a'`, `typeof name === 'number'`, `!name`. */
export function listed(asked: Asked): readonly Constraint[] {
  const { test } = asked
  const names = namesListed(asked)
  // a list of content types says nothing of what browsers do with them
  const isOfTypes = names.length > 0 && 'callee' in test && 'object' in test.callee && holdsRunning(test.callee.object)
  return isOfTypes ? toConstraints('form', names, RUNNING_TYPE) : toConstraints('listed', names)
}

/** Content types whose files run scripts where a browser shows them. Fact: WHATWG HTML, "Loading XML documents"; SVG 2, "Document processing modes". */
const RUNNING = /^(?:image\/svg\+xml|text\/html|application\/xhtml\+xml)$/i

/** `['image/svg+xml']`, `new Set(['image/svg+xml'])`. */
function holdsRunning(list: Value): boolean {
  const made = resolveValue(list)
  if ('args' in made) return made.args[0] !== undefined && holdsRunning(made.args[0])
  return 'items' in made && made.items.some((item) => RUNNING.test(String(constantOf(item) ?? '')))
}

function namesListed(asked: Asked): readonly string[] {
  const { test, holds } = asked
  switch (test.kind) {
    case 'call':
      return holds ? namesInCall(test) : []
    case 'operation':
      if (test.operator === 'in') return holds && test.operands[0] !== undefined ? keysOf(test.operands[0]) : []
      return equalIn(asked).flatMap(([one, other]) => namesEqual(one, other))
    case 'member': {
      const { property, object } = test
      const isTable = holds && property !== undefined && (isConstant(object) || isOfModel(object))
      return isTable ? keysOf(property) : holds ? [] : absent(test)
    }
    default:
      return holds ? [] : absent(test)
  }
}

/** What is not there holds no text. */
function absent(value: Value): readonly string[] {
  const key = keyOf(value)
  return key === undefined ? [] : [key]
}

function namesInCall({ callee, args }: CallValue): readonly string[] {
  const name = nameOfCallee(callee)
  if (name === undefined) return []
  if (callee.kind !== 'member') return []
  // Object.prototype.hasOwnProperty.call(MAP, x), Object.hasOwn(MAP, x)
  if (name === 'hasOwn' || (name === 'call' && nameOfCallee(callee.object) === 'hasOwnProperty'))
    return args[1] === undefined ? [] : keysOf(args[1])
  if (SEEKING.test(name)) return args.flatMap(namesCompared)
  return LISTS.test(name) && !isSentAlong(callee.object, args) ? args.flatMap((argument) => keysOf(argument)) : []
}

/** `name` of `(one) => one === name`. */
export function namesCompared(callback: Value | undefined): readonly string[] {
  return callback?.kind === 'function' ? callback.function.returns.flatMap(namesHeld) : []
}

function namesHeld(value: Value): readonly string[] {
  // item === value || `${item} desc` === value
  if (value.kind === 'choice' && value.test === undefined) {
    const sets = value.options.map(namesHeld)
    if (value.isAnd === true) return sets.flat()
    return (sets[0] ?? []).filter((name) => sets.every((set) => set.includes(name)))
  }
  return value.kind === 'operation' && /^===?$/.test(value.operator) ? value.operands.flatMap((operand) => keysOf(operand)) : []
}

function namesEqual(one: Value, other: Value): readonly string[] {
  const [typed] = one.kind === 'operation' && one.operator === 'typeof' ? one.operands : []
  if (typed !== undefined) return NO_TEXT.test(String(constantOf(other) ?? '')) ? absent(typed) : []
  return isKnown(other) || isNothing(other) ? keysOf(one) : []
}

const NO_TEXT = /^(?:number|boolean|bigint|undefined)$/

/** A constant, or what the runtime knows of the caller: `cds.context.tenant`, `req.tenant`, `req.user.id`. */
function isKnown(value: Value): boolean {
  if (value.kind !== 'member') return isConstant(value)
  const owner = nameOfCallee(value.object)
  if (value.name === 'tenant') return owner === 'context' || owner === 'req' || owner === 'user'
  return (value.name === 'id' && owner === 'user') || isConstant(value)
}

/** `entity.elements[name]`: only what the model has. */
function isOfModel(table: Value): boolean {
  return table.kind === 'member' && /^(?:elements|keys|actions|definitions)$/.test(table.name ?? '')
}

/** `req.data.names.includes(req.data.name)`: the client sends the list as well. */
function isSentAlong(list: Value, args: readonly Value[]): boolean {
  const own = sentBy(list)
  return own !== undefined && args.some((argument) => sentBy(argument) === own)
}

/** The request that a value is read from, and the part of it. */
function sentBy(value: Value): string | undefined {
  const { root, binding, steps: [part] = [] } = accessOf(value) ?? {}
  return binding?.kind === 'parameter' && SENT.has(part ?? '') ? `${root} ${binding.start} ${part}` : undefined
}

const SENT: ReadonlySet<string> = new Set(['data', 'body', 'query'])
