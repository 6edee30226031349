import { READS } from '../tables/requests.ts'

/** Names of fields at which data of a request begins: these places are shown. */
export const SHOWN: ReadonlySet<string> = new Set(Object.values(READS).flatMap((fields) => Object.keys(fields ?? {})))
