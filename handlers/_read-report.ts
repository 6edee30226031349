import type { Report } from '../core/index.ts'
import { report } from './_report-schema.ts'

/** A report from its bytes; undefined: of a version of Parapet that told other things, or none at all. */
export function readReport(bytes: Uint8Array): Report | undefined {
  return report.safeParse(parse(new TextDecoder().decode(bytes))).data
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
