import type { Approuter, Setting } from '../../model/approuter/index.ts'
import type { Severity } from '../../types.ts'

/** What a setting weighs: one that only local runs read is worth no more than LOW. */
export function gradeSetting({ deployed }: Setting, severity: Severity): Severity {
  return deployed || severity === 'INFO' ? severity : 'LOW'
}

/** What a descriptor's fault weighs: in one that only local runs read it is worth no more than LOW. */
export function gradeDescriptor({ deployed }: Approuter, severity: Severity): Severity {
  return deployed || severity === 'INFO' ? severity : 'LOW'
}
