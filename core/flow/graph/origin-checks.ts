import { isOnTheWay, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'

/** Whether an address was held against the own origin on the way: `if (new URL(address, base).origin !== location.origin) return`. */
export function isOriginChecked(facts: ScriptFacts, value: Value, offset: number): boolean {
  const key = nameOf(value)
  return key !== undefined && facts.guards.some((guard) => isOnTheWay(guard, offset) && comparesOrigin(guard.test, key))
}

function comparesOrigin(test: Value, key: object): boolean {
  const parts = test.kind === 'choice' ? test.options : [test]
  return parts.some((part) => {
    if (part.kind === 'call')
      // ALLOWED.includes(target.host)
      return part.args.some((argument) => isOriginOf(argument, key))
    return part.kind === 'operation' && part.operands.some((operand) => isOriginOf(operand, key) || comparesOrigin(operand, key))
  })
}

const ORIGINS: ReadonlySet<string | undefined> = new Set(['origin', 'host', 'hostname'])

/** `target.origin`, where target is the address or was made from it. */
function isOriginOf(value: Value, key: object): boolean {
  const here = resolveValue(value)
  if (here.kind !== 'member' || !ORIGINS.has(here.name)) return false
  if (nameOf(here.object) === key) return true
  const made = resolveValue(here.object)
  return made.kind === 'new' && made.args[0] !== undefined && nameOf(made.args[0]) === key
}

/** What the same address is known by: the name itself, or that of which it is the `href`. */
function nameOf(value: Value): object | undefined {
  if (value.kind === 'reference') return value.binding
  if (value.kind === 'member' && (value.name === 'href' || value.name === 'pathname')) return nameOf(value.object)
  if (value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'toString')
    return nameOf(value.callee.object)
  return undefined
}
