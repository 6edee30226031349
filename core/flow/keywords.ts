import type { KeywordHits } from '../keywords/index.ts'
import type { FileKind } from '../files.ts'

/** Words of scripts that run on a server: their data flow is looked at. */
export const FLOW_KEYWORDS: readonly string[] = [
  '@sap/cds',
  'cds.',
  'module.exports',
  'exports.',
  'express',
  'child_process',
  "'fs'",
  '"fs"',
  'fs/promises',
  'node:fs',
  'node:vm',
  'node:http',
  'axios',
  'node-fetch',
  'undici',
  '@sap-cloud-sdk',
  '$.request',
  '$.response',
]

const SERVER_FOLDERS = /(?:^|\/)(?:srv|server|backend|api|lib|handlers?)\//
const BROWSER_FOLDERS = /(?:^|\/)webapp\//

/** Whether the data flow of a script is collected: it may run on a server. Tests run nowhere. */
export function mayHoldServerFlow(path: string, { language, test }: FileKind, hits: KeywordHits): boolean {
  if (language !== 'script' || test || BROWSER_FOLDERS.test(path)) return false
  return SERVER_FOLDERS.test(path) || FLOW_KEYWORDS.some((keyword) => hits.has(keyword))
}
