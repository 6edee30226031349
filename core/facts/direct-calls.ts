import { lastNameOf } from './literals.ts'
import type { CallValue, Value } from './types.ts'
import { resolveValue } from './values.ts'

/** The call that another one makes: `run.call(self, text)`, `run.apply(self, [text])`, `Reflect.construct(Function, [text])`, `promisify(client.exec).call(client, text)`. */
export function directCall(call: CallValue): CallValue {
  const { callee, args, kind } = call
  if (kind !== 'call' || callee.kind !== 'member' || callee.name === undefined) return call
  const { name, object } = callee
  if (object.kind === 'reference' && object.name === 'Reflect' && object.binding === undefined) {
    const [called, second, third] = args
    if (called === undefined || (name !== 'apply' && name !== 'construct')) return call
    return { ...call, kind: name === 'apply' ? 'call' : 'new', callee: called, args: itemsOf(name === 'apply' ? third : second) }
  }
  if (args.length < 2 || (name !== 'call' && name !== 'apply') || !isFunctionLike(object)) return call
  return { ...call, callee: promisifiedBy(object) ?? object, args: name === 'call' ? args.slice(1) : itemsOf(args[1]) }
}

/** A member of something, a name, or what `promisify` gives: no object with a method that is called so. */
function isFunctionLike(value: Value): boolean {
  if (value.kind === 'member') return true
  if (value.kind === 'call') return lastNameOf(value.callee) === 'promisify'
  const here = value.kind === 'reference' ? resolveValue(value) : value
  return here.kind === 'function' || here.kind === 'call' || here.kind === 'reference' || here.kind === 'member'
}

function itemsOf(list: Value | undefined): readonly Value[] {
  if (list === undefined) return []
  const made = resolveValue(list)
  return made.kind === 'array' ? made.items : [{ kind: 'spread', start: list.start, end: list.end, value: list }]
}

/** The function that `promisify(exec)` was made of, also by its name: `const run = promisify(exec)`. Fact: Node.js 24, "util.promisify". */
export function promisifiedBy(value: Value): Value | undefined {
  const made = resolveValue(value)
  return made.kind === 'call' && lastNameOf(made.callee) === 'promisify' ? made.args[0] : undefined
}
