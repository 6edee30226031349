import type { Setting } from '../../model/approuter/index.ts'
import type { Severity } from '../../types.ts'

/** What a setting weighs: one that only local runs read is worth no more than LOW. */
export function gradeSetting({ deployed }: Setting, severity: Severity): Severity {
  return deployed || severity === 'INFO' ? severity : 'LOW'
}
