import * as z from 'zod'
import type { FileResult, KeptResult } from '../../../core/scanner.ts'

/** What every result has. What it holds further was authenticated with the key of its file: nobody else could have written it. */
const resultShape = z.looseObject({
  path: z.string(),
  kind: z.looseObject({ language: z.string(), test: z.boolean() }),
  scope: z.enum(['all', 'secrets']),
  content: z.looseObject({ as: z.string() }),
  lines: z.instanceof(Uint32Array),
  matches: z.array(z.unknown()),
  masked: z.array(z.unknown()),
  markers: z.array(z.unknown()),
  notices: z.array(z.unknown()),
})

const keptShape = z.object({
  result: z.custom<FileResult>((value) => resultShape.safeParse(value).success),
  modules: z.array(z.tuple([z.string(), z.string().optional()])),
  day: z.string().optional(),
})

/** Undefined for what is no kept result. */
export function toKept(value: unknown): KeptResult | undefined {
  const { data } = keptShape.safeParse(value)
  if (data === undefined) return undefined
  const { result, modules, day } = data
  return { result, modules: modules.map(([name, is]) => [name, is] as const), ...(day !== undefined && { day }) }
}
