import type { SinkRow } from './sinks.ts'

/** What runs in a browser and must not get data of others. Facts: DOM and HTML standards; API reference of SAPUI5. */
export const BROWSER_SINKS: readonly SinkRow[] = []
