import type { Extract } from '../../extracts/extract.ts'
import { startedApps } from './development-starts.ts'
import { servedBehindLogin } from './served-behind-login.ts'
import { tokenHandlers } from './token-handlers.ts'

/** What scripts say of whether callers of CAP need a login. */
export const loginExtracts: readonly Extract[] = [servedBehindLogin, startedApps, tokenHandlers]
