import type { FileResult } from '../files.ts'
import type { DecodedText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { isOfPages, isOfServer, relativeNames } from '../project/own-modules.ts'
import { toFileResult, type FileContext, type FileReader, type KeptFile, type KeptResult } from './read-file.ts'

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

/** A reader that keeps, and says where. */
export type KeepingReader = FileReader & { readonly keptFile: NonNullable<FileReader['keptFile']> }

/**
 * Reads a file only where no result of equal bytes is kept: a result is a function of path, bytes, limits, settings, rules and what the project answers. That what
 * is kept comes from the same rules is up to the platform. Never kept is what a budget cut short or a fault spoilt.
 */
export function createKeepingReader(keep: ResultKeep, readFile: FileReader = toFileResult): KeepingReader {
  const read: FileReader = (planned, decoded, context) => {
    const place = keep.placeOf(circumstancesOf(planned, context), decoded.bytes)
    const known = find(place, planned, context)
    if (known !== undefined) {
      context.onKnown?.()
      return known.result
    }
    const { kept, isWhole } = readTelling(readFile, planned, decoded, context)
    if (isWhole) place.write(kept)
    return kept.result
  }
  return Object.assign(read, {
    keptFile(planned: PlannedFile, decoded: DecodedText, context: FileContext): KeptFile {
      const place = keep.placeOf(circumstancesOf(planned, context), decoded.bytes)
      return {
        find() {
          const known = find(place, planned, context)
          if (known !== undefined) return known
          const older = readFile.keptFile?.(planned, decoded, context).find()
          if (older !== undefined) place.write(older)
          return older
        },
        keep(kept) {
          place.write(kept)
          readFile.keptFile?.(planned, decoded, context).keep(kept)
        },
      }
    },
  })
}

/**
 * A result that was read from bytes, with memory of its own: its arrays may lie in these bytes, and whoever keeps one of them would keep the bytes of all.
 * Fact: Node.js, `lib/v8.js`, `DefaultDeserializer`: an array that happens to be aligned is a view.
 */
export function withOwnArrays(result: FileResult): FileResult {
  const { lines, functions, flow } = result
  return {
    ...result,
    lines: lines.slice(),
    ...(functions !== undefined && { functions: { ...functions, spans: functions.spans.slice() } }),
    ...(flow !== undefined && { flow: { ...flow, nodes: flow.nodes.slice(), edges: flow.edges.slice() } }),
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

/** What is kept and holds. Whoever keeps results as well is told what this one depends on. */
function find(place: KeptPlace, planned: PlannedFile, context: FileContext): KeptResult | undefined {
  const kept = place.read()
  if (kept === undefined || !isOf(kept, planned) || !holds(kept, planned, context)) return undefined
  for (const [name, is] of kept.modules) context.onModule?.(name, is)
  return kept
}

/** Reads a file, and tells what its result depends on. `isWhole`: no budget cut it short, and no fault spoilt it. */
export function readTelling(
  readFile: FileReader,
  planned: PlannedFile,
  decoded: DecodedText,
  context: FileContext,
): { readonly kept: KeptResult; readonly isWhole: boolean } {
  const modules = new Map<string, string | undefined>()
  let day: string | undefined
  let isWhole = true
  const result = readFile(planned, decoded, {
    ...context,
    get date() {
      day = dayOf(context)
      return context.date
    },
    onModule(name, is) {
      modules.set(name, is)
      context.onModule?.(name, is)
    },
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
  return { kept: { result, modules: [...modules], ...(day !== undefined && { day }) }, isWhole }
}

function dayOf({ date }: FileContext): string {
  return date.slice(0, 10)
}
