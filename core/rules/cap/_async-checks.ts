import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createHandlerReader, findHandlers } from '../../model/cap/index.ts'
import type { Span } from '../../types.ts'
import { createDropReader } from './_dropped-calls.ts'
import { fileOf, withoutEnding } from './_late-middlewares.ts'

/** An asynchronous function that rejects the request it is given. */
interface AsyncCheck {
  readonly name: string
}

/** A call of another file's function in a handler that waits for nothing. */
interface DroppedCall extends Span {
  /** The file of the function, without its ending. */
  readonly from: string
  readonly name: string
}

const REQUEST = /^_?(?:req|request)$/

export const asyncChecks: Extract<AsyncCheck> = defineExtract({
  name: 'cap-async-checks',
  keywords: ['.reject('],
  *collect({ facts }) {
    const exported = new Set(facts.exports.flatMap(({ name, value }) => (name === 'default' ? (functionOf(value) ?? []) : [])))
    for (const { callee, function: own } of facts.calls) {
      if (callee.kind !== 'member' || callee.name !== 'reject' || !own.isAsync) continue
      if (callee.object.kind !== 'reference' || !REQUEST.test(callee.object.name)) continue
      if (own.name !== '') yield { name: own.name.slice(own.name.lastIndexOf('.') + 1) }
      if (exported.has(own)) yield { name: 'default' }
    }
  },
})

export const droppedCalls: Extract<DroppedCall> = defineExtract({
  name: 'cap-dropped-calls',
  keywords: ['.before(', '.on('],
  prefilter: (text) => /\b(?:cds|srv|service)\b/i.test(text) && /\breq(?:uest)?\s{0,5}[,)]/.test(text),
  *collect({ path, facts, text }) {
    const handlers = findHandlers(facts)
    if (handlers.length === 0) return
    const handlerAt = createHandlerReader(handlers)
    let isDropped: ReturnType<typeof createDropReader> | undefined
    for (const call of facts.calls) {
      const { callee, args, start } = call
      if (call.kind !== 'call' || !args.some((one) => one.kind === 'reference' && REQUEST.test(one.name))) continue
      const handler = handlerAt(start)
      if (handler === undefined || handler.phase === 'after') continue
      const access = accessesOf(callee).find(({ root }) => /^module:\.{1,2}\//.test(root))
      if (access === undefined) continue
      isDropped ??= createDropReader(text, facts)
      if (isDropped(call))
        yield {
          start,
          end: callee.end,
          from: fileOf(path, access.root.slice('module:'.length)),
          name: access.steps.length === 0 ? 'default' : (lastNameOf(callee) ?? access.steps.at(-1) ?? ''),
        }
    }
  },
})

/** Checks of other files that a handler starts and does not wait for. Needs both extracts. */
export function* findUnawaited(scripts: Scripts): Generator<{ readonly file: string; readonly span: Span }> {
  const checks = new Set(scripts.get(asyncChecks).map(({ file, value }) => `${withoutEnding(file)} ${value.name}`))
  for (const { file, value } of scripts.get(droppedCalls)) {
    const { start, end, from, name } = value
    if (checks.has(`${from} ${name}`) || checks.has(`${from}/index ${name}`)) yield { file, span: { start, end } }
  }
}
