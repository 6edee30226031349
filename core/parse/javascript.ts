import { parse, type ParserOptions, type ParserPlugin } from '@babel/parser'
import type { File } from '@babel/types'
import { ParseFailure } from './failure.ts'
import { findTooDeep } from './nesting.ts'
import { countReads, findCostlyComment, TooManyReads } from './reads.ts'

export type * from '@babel/types'

type SourceType = 'script' | 'module'
interface Attempt {
  readonly sourceType: SourceType
  readonly plugins: readonly ParserPlugin[]
  /** The dialect has types, at which the parser tries several readings. */
  readonly isAmbiguous: boolean
}

const TYPESCRIPT = /\.[mc]?tsx?$/i

/** Whether a script is parsed with types. */
export function isTypeScript(path: string): boolean {
  return TYPESCRIPT.test(path)
}

const ES_MODULE = /^[ \t]*(?:import|export)\b/m
/** The one place where files say that they are Flow; without it a broken file isn't parsed a third and fourth time. */
const FLOW = /@flow\b|^[ \t]*import[ \t]+type(?:of)?\b/m

/** The syntax tree of a JavaScript, TypeScript, JSX or Flow text; recoverable errors are passed over. `path` tells the dialect by its
 *  extension. Throws a ParseFailure, and nothing else whatever the text is.
 *  Facts: @babel/parser 7.29 holds 256 nested brackets at least; where its stack ends it throws a RangeError that can be caught. */
export function parseScript(text: string, path: string): File {
  const tooDeep = findTooDeep(text) ?? findCostlyComment(text)
  if (tooDeep !== undefined) throw new ParseFailure('too-deep', tooDeep)

  let failure: ParseFailure | undefined
  for (const attempt of attemptsOf(text, path)) {
    try {
      return parseOnce(text, attempt)
    } catch (error) {
      // chains without brackets (`!!!!`, `a+a+a`, `<a><a>`) overflow the parser's stack: no other attempt would end better
      if (error instanceof RangeError || error instanceof TooManyReads) throw new ParseFailure('too-deep')
      // the first attempt is the likeliest dialect: its place is the one to tell
      failure ??= new ParseFailure('syntax', offsetOf(error))
    }
  }
  throw failure ?? new ParseFailure('syntax')
}

/** The retry ladder: the likely source type, the other one, both with Flow. */
function* attemptsOf(text: string, path: string): Generator<Attempt> {
  const plugins = pluginsOf(path)
  const first: SourceType = isModule(text, path) ? 'module' : 'script'
  const second: SourceType = first === 'module' ? 'script' : 'module'
  const isAmbiguous = isTypeScript(path)
  yield { sourceType: first, plugins, isAmbiguous }
  yield { sourceType: second, plugins, isAmbiguous }
  if (isAmbiguous || !FLOW.test(text)) return
  const flow: ParserPlugin[] = [['flow', { all: true }], ...plugins]
  yield { sourceType: first, plugins: flow, isAmbiguous: true }
  yield { sourceType: second, plugins: flow, isAmbiguous: true }
}

function isModule(text: string, path: string): boolean {
  if (isTypeScript(path) || /\.mjs$/i.test(path)) return true
  // the regex looks at every line; most files have neither word
  return (text.includes('import') || text.includes('export')) && ES_MODULE.test(text)
}

function pluginsOf(path: string): ParserPlugin[] {
  // of the two sorts of decorators only the older one takes TypeScript's decorated parameters
  const plugins: ParserPlugin[] = [
    'decorators-legacy',
    'decoratorAutoAccessors',
    'explicitResourceManagement',
    'deprecatedImportAssert',
  ]
  if (!isTypeScript(path)) return ['jsx', ...plugins]
  plugins.push(['typescript', { dts: /\.d\.[mc]?ts$/i.test(path) }])
  // `<T>x` is a cast in .ts and an element in .tsx
  if (/\.tsx$/i.test(path)) plugins.push('jsx')
  return plugins
}

function parseOnce(text: string, { sourceType, plugins, isAmbiguous }: Attempt): File {
  const options: ParserOptions = {
    sourceType,
    plugins: [...plugins],
    errorRecovery: true,
    attachComment: false,
    tokens: false,
    createParenthesizedExpressions: false,
    allowReturnOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowAwaitOutsideFunction: true,
    allowUndeclaredExports: true,
    allowNewTargetOutsideFunction: true,
    allowSuperOutsideMethod: true,
  }
  return isAmbiguous ? countReads(text, (counted) => parse(counted, options)) : parse(text, options)
}

function offsetOf(error: unknown): number | undefined {
  return error instanceof Error && 'pos' in error && typeof error.pos === 'number' ? error.pos : undefined
}
