import { APP_SINKS } from './app-sinks.ts'
import { PAGE_SINKS } from './page-sinks.ts'
import type { SinkRow } from './sinks.ts'

/** What runs in a browser and must not get data of others. */
export const BROWSER_SINKS: readonly SinkRow[] = [...PAGE_SINKS, ...APP_SINKS]
