import { createPieceEncoder } from './encode-pieces.ts'
import { toJsonText } from './json-text.ts'

/** Objects around the lists: `results`, and an area in it. */
const LEVELS = 3

/** Of reports in all languages: they are written one after the other into the same chunks. */
export type ReportEncoder = (report: object, lists: ReadonlyMap<unknown, Iterable<object>>) => Uint8Array

/**
 * Gives reports as UTF-8 JSON. `lists`: what stands for each of these (empty) arrays of it, made item by item while it is written; a full report of ten thousand
 * findings as objects, masked objects and one text would take ten times its bytes.
 */
export function createReportEncoder(): ReportEncoder {
  const encode = createPieceEncoder()
  return (report, lists) => encode(piecesOf(report, lists, 0))
}

function* piecesOf(value: unknown, lists: ReadonlyMap<unknown, Iterable<object>>, level: number): Iterable<string> {
  const items = lists.get(value)
  if (items !== undefined) {
    let separator = '['
    for (const item of items) {
      yield separator + toJsonText(item)
      separator = ','
    }
    yield separator === '[' ? '[]' : ']'
  } else if (level < LEVELS && isPlain(value)) {
    let separator = '{'
    for (const [key, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      yield `${separator}${toJsonText(key)}:`
      yield* piecesOf(inner, lists, level + 1)
      separator = ','
    }
    yield separator === '{' ? '{}' : '}'
  } else yield toJsonText(value)
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
