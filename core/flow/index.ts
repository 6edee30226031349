/** Data flow: a graph per file, solved per app. */
export { flowRealmsOf, FLOW_KEYWORDS } from './keywords.ts'
export { toFileFlow } from './graph/index.ts'
export { toHit, type FlowHit } from './hits.ts'
export { isAt, NO_FLOW_SETTINGS, type FlowSettings } from './project-tables.ts'
export { requestParameters } from './graph/handlers.ts'
export type { LinkedFile } from './links.ts'
export { solve } from './solve.ts'
export type { FileFlow, FlowSource, Realm } from './types.ts'
