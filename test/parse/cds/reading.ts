import { parseCds } from '../../../core/parse/cds/index.ts'
import { ParseFailure } from '../../../core/parse/failure.ts'

/** The reason of the ParseFailure; undefined: it is a document. */
export function failureOf(text: string): string | undefined {
  try {
    parseCds(text)
    return undefined
  } catch (error) {
    if (error instanceof ParseFailure) return error.reason
    throw error
  }
}

/** Every object with a span below a value. */
export function* spansIn(value: unknown): Generator<{ start: number; end: number }> {
  if (typeof value !== 'object' || value === null) return
  if ('start' in value && 'end' in value && typeof value.start === 'number' && typeof value.end === 'number')
    yield { start: value.start, end: value.end }
  for (const inner of Object.values(value)) yield* spansIn(inner)
}
