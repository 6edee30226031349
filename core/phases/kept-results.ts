import type { FileResult } from '../files.ts'
import type { DecodedText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { isOfPages, isOfServer, relativeNames } from '../project/own-modules.ts'
import { toFileResult, type FileContext, type FileReader } from './read-file.ts'

/** A result, and what the project answered while its file was read: it holds for as long as it would answer the same. */
export interface KeptResult {
  readonly result: FileResult
  /** Modules that the file names, with the file of the project that each is. */
  readonly modules: readonly (readonly [name: string, is: string | undefined])[]
  /** The day of the scan, where it was asked for. */
  readonly day?: string
}

/** Where results are kept: what a platform brings, which can hash and store. */
export interface ResultKeep {
  /** The place of what is made of these bytes under these circumstances. */
  placeOf(circumstances: string, bytes: Uint8Array): KeptPlace
}

export interface KeptPlace {
  /** Undefined: nothing is kept there, or nothing that can be read. */
  read(): KeptResult | undefined
  write(kept: KeptResult): void
}

/**
 * Reads a file only where no result of equal bytes is kept: a result is a function of path, bytes, limits, settings, rules and what the project answers. That what
 * is kept comes from the same rules is up to the platform. Never kept is what a budget cut short or a fault spoilt.
 */
export function createKeepingReader(keep: ResultKeep, readFile: FileReader = toFileResult): FileReader {
  return (planned, decoded, context) => {
    const place = keep.placeOf(circumstancesOf(planned, context), decoded.bytes)
    const kept = place.read()
    if (kept !== undefined && isOf(kept, planned) && holds(kept, planned, context)) return kept.result
    return readAndKeep(place, readFile, planned, decoded, context)
  }
}

/** Whether it may hold the plain text of a credential that is known as one. */
export function holdsCredentials({ masked, matches }: FileResult): boolean {
  return masked.length > 0 || matches.some(({ match }) => match.secret !== undefined)
}

function circumstancesOf({ path, kind, scope }: PlannedFile, context: FileContext): string {
  const { limits, suppressions, settings, modules, flowExtent, engine } = context
  const places = modules === undefined ? [] : [isOfServer(path, modules), isOfPages(path, modules)]
  return JSON.stringify([path, kind, scope, limits, suppressions, settings ?? null, places, flowExtent, engine.rules.size])
}

function isOf({ result }: KeptResult, { path }: PlannedFile): boolean {
  return result.path === path
}

function holds({ modules, day }: KeptResult, { path }: PlannedFile, context: FileContext): boolean {
  if (day !== undefined && day !== dayOf(context)) return false
  const nameOf = relativeNames(path, context.modules, () => undefined)
  return modules.every(([name, is]) => nameOf?.(name) === is)
}

function readAndKeep(
  place: KeptPlace,
  readFile: FileReader,
  planned: PlannedFile,
  decoded: DecodedText,
  context: FileContext,
): FileResult {
  const modules = new Map<string, string | undefined>()
  let day: string | undefined
  let isWhole = true
  const result = readFile(planned, decoded, {
    ...context,
    get date() {
      day = dayOf(context)
      return context.date
    },
    onModule: (name, is) => void modules.set(name, is),
    onTimeUp() {
      isWhole = false
      context.onTimeUp()
    },
    onFault(error, ruleId) {
      isWhole = false
      context.onFault(error, ruleId)
    },
  })
  isWhole &&= !result.notices.some(({ code }) => code === 'time-limit' || code === 'rule-failed' || code === 'memory-limit')
  if (isWhole) place.write({ result, modules: [...modules], ...(day !== undefined && { day }) })
  return result
}

function dayOf({ date }: FileContext): string {
  return date.slice(0, 10)
}
