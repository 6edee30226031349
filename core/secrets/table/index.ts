import { AI_ROWS } from './ai.ts'
import { CLOUD_ROWS } from './cloud.ts'
import { CODE_ROWS } from './code.ts'
import { GENERIC_ROWS } from './generic.ts'
import { MESSAGING_ROWS } from './messaging.ts'
import { OPERATIONS_ROWS } from './operations.ts'
import { PLATFORM_ROWS } from './platform.ts'
import type { TokenRow } from './row.ts'
import { SAP_ROWS } from './sap.ts'
import { SERVICE_ROWS } from './service.ts'

export type {
  Check,
  CloudFamily,
  CodeFamily,
  Family,
  PlainFamily,
  RetiredFamily,
  SapFamily,
  ServiceFamily,
  TokenRow,
} from './row.ts'

export { SAP_ROWS } from './sap.ts'

/** All types of credentials that are data; each is a rule. */
export const TOKEN_ROWS: readonly TokenRow[] = [
  ...SAP_ROWS,
  ...CLOUD_ROWS,
  ...PLATFORM_ROWS,
  ...CODE_ROWS,
  ...OPERATIONS_ROWS,
  ...MESSAGING_ROWS,
  ...SERVICE_ROWS,
  ...AI_ROWS,
  ...GENERIC_ROWS,
]

export const ROW_BY_NAME: ReadonlyMap<string, TokenRow> = new Map(TOKEN_ROWS.map((row) => [row.name, row]))
