import { constantOf, type CallValue } from '../../facts/index.ts'
import { DECODED_UNCLEANS } from '../tables/propagators.ts'
import { DECODING } from '../tables/web.ts'
import type { Realm } from '../types.ts'

/** The rules for which what a function decodes is harmless no longer. */
export function decodedBy(paths: readonly string[], realm: Realm): readonly string[] | undefined {
  for (const path of paths) {
    if (!MAY_DECODE.test(path)) continue
    const found = DECODING.find(([wanted]) => wanted.test(path))
    if (found !== undefined) return realm === 'browser' ? found[1] : DECODED_UNCLEANS
  }
  return undefined
}

const MAY_DECODE = /decode|unescape|atob/

/** `text.replace(/&lt;/g, '<')` */
export function putsTagBack(name: string, { args: [, put] }: CallValue): boolean {
  return /^replace(?:All)?$/.test(name) && put !== undefined && constantOf(put) === '<'
}
