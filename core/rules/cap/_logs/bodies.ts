import { constantOf, fieldOf, pathsOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'

/** A middleware that writes what all clients send, and what they get, to the log. */
interface LoggedBodies {
  readonly at: Span
  readonly library: string
  readonly variant: 'bodies' | 'headers'
}

interface LoggerRow {
  readonly call: RegExp
  readonly library: string
  /** What it writes where its options are as they are; undefined: nothing. */
  readonly writes: (call: CallValue) => LoggedBodies['variant'] | undefined
}

/**
 * Facts: morgan-body 2 (README: bodies of requests and responses are written unless `logRequestBody` and `logResponseBody` are false);
 * express-winston 4 (README: `requestWhitelist` holds `headers` where it is not set, `meta: false` writes neither, `headerBlacklist` leaves headers out).
 */
const LOGGERS: readonly LoggerRow[] = [
  {
    call: /^module:morgan-body (?:default )?\(\)$/,
    library: 'morgan-body',
    writes: ({ args: [, options] }) => {
      const isOff = (name: string): boolean => constantAt(options, name) === false
      const isLimited = isSet(options, 'filterParameters') || isSet(options, 'skip')
      return isLimited || (isOff('logRequestBody') && isOff('logResponseBody')) ? undefined : 'bodies'
    },
  },
  {
    call: /^module:express-winston (?:default )?logger \(\)$/,
    library: 'express-winston',
    writes: ({ args: [options] }) => {
      if (options === undefined || constantAt(options, 'meta') === false) return undefined
      if (['requestWhitelist', 'responseWhitelist'].some((name) => namesAt(options, name)?.includes('body') === true))
        return 'bodies'
      const limits = ['headerBlacklist', 'requestWhitelist', 'requestFilter', 'skip', 'ignoreRoute']
      return 'fields' in resolveValue(options) && !limits.some((name) => isSet(options, name)) ? 'headers' : undefined
    },
  },
]

const LIBRARIES: ReadonlySet<string> = new Set(LOGGERS.map(({ library }) => library))

/** Such middlewares of a script, whatever the environment. */
export function* bodiesLogged(facts: ScriptFacts, isForDevelopers: (place: Span) => boolean): Generator<LoggedBodies> {
  if (!facts.imports.some(({ source }) => LIBRARIES.has(source))) return
  for (const call of facts.calls) {
    const paths = pathsOf(call).map((path) => path.join(' '))
    const row = LOGGERS.find((one) => paths.some((path) => one.call.test(path)))
    const variant = row?.writes(call)
    if (row === undefined || variant === undefined || isForDevelopers(call)) continue
    yield { at: { start: call.callee.start, end: call.callee.end }, library: row.library, variant }
  }
}

function constantAt(options: Value | undefined, name: string): unknown {
  const value = options && fieldOf(resolveValue(options), name)?.value
  return value && constantOf(value)
}

function isSet(options: Value | undefined, name: string): boolean {
  return options !== undefined && fieldOf(resolveValue(options), name) !== undefined
}

function namesAt(options: Value, name: string): readonly unknown[] | undefined {
  const value = fieldOf(resolveValue(options), name)?.value
  const list = value && resolveValue(value)
  return list !== undefined && 'items' in list ? list.items.map(constantOf) : undefined
}
