/** Data flow: a graph per file, solved per app. */
export { flowRealmsOf, FLOW_KEYWORDS } from './keywords.ts'
export { toFileFlow } from './graph/index.ts'
export { toHit, type FlowHit } from './hits.ts'
export { requestParameters } from './graph/handlers.ts'
export type { LinkedFile } from './links.ts'
export { solve } from './solve.ts'
export { ui5Files } from './ui5-app.ts'
export type { FileFlow, Realm } from './types.ts'
