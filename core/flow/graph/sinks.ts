import { fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { SINKS, type SinkRow } from '../tables/sinks.ts'
import type { FlowDraft } from './draft.ts'

/** Adds the sinks that a call is, by the rows of the table. Constant arguments are none. */
export function addSinks(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  for (const row of SINKS) {
    const receiver = receiverOf(call, row)
    if (receiver === undefined && row.calls?.some((path) => paths.includes(path)) !== true) continue
    for (const index of row.args) {
      const argument = call.args[index]
      if (argument === undefined) continue
      for (const value of partsOf(argument, row)) {
        if (value.kind === 'literal' || value.kind === 'function' || value.kind === 'regex') continue
        const { start, end } = value
        const detail = detailOf(value, call)
        draft.sinks.push({
          node: draft.use(value),
          fault: row.fault,
          name: nameOf(call.callee),
          ...(detail !== undefined && { detail }),
          ...(receiver !== undefined &&
            row.method !== undefined && { receiver: { node: draft.use(receiver), origin: row.method.origin } }),
          ...(row.needs !== undefined && { needs: row.needs }),
          start,
          end,
        })
      }
    }
  }
}

function receiverOf({ callee }: CallValue, { method }: SinkRow): Value | undefined {
  if (method === undefined || callee.kind !== 'member' || !method.names.includes(callee.name ?? '')) return undefined
  return callee.object
}

/** The argument itself, or the fields of it that count. */
function partsOf(argument: Value, { fields }: SinkRow): readonly Value[] {
  const value = resolveValue(argument)
  if (fields === undefined || value.kind !== 'object') return [argument]
  return fields.flatMap((name) => fieldOf(value, name)?.value ?? [])
}

/** What the code around the value says: the address begins with a host or a path of the code's own; a list of arguments without a shell. */
function detailOf(value: Value, { callee, args }: CallValue): string | undefined {
  const { text } = leadingTextOf(value)
  if (/^https?:\/\/[^/]{1,300}\//i.test(text)) return 'fixed-host'
  if (/^\/(?![/\\])/.test(text)) return 'fixed-path'
  if (text.trimStart().startsWith('<') || /<[a-z][^>]{0,200}$/i.test(text)) return 'markup'
  const name = callee.kind === 'member' || callee.kind === 'reference' ? callee.name : undefined
  const options = args.at(-1)
  if (/^(?:spawn|execFile|fork)/.test(name ?? '') && options?.kind === 'object') {
    const shell = fieldOf(options, 'shell')?.value
    if (shell !== undefined && !(shell.kind === 'literal' && shell.value === false)) return 'shell'
  }
  return undefined
}

/** As a developer reads it: `fs.readFile`, `res.redirect`. */
function nameOf(value: Value): string {
  if (value.kind === 'reference') return value.name
  if (value.kind === 'this') return 'this'
  if (value.kind === 'await') return nameOf(value.value)
  if (value.kind === 'member') return `${nameOf(value.object)}.${value.name ?? '[]'}`
  return value.kind === 'call' ? `${nameOf(value.callee)}()` : '…'
}
