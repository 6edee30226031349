import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import type { NpmProject } from '../../../model/npm/index.ts'
import { createDevelopmentReader, isDeveloperFile, isOfUi5App, isToolFile, runsInBrowser } from '../../../model/script/index.ts'
import { foldersAround } from '../../../paths.ts'
import { findOpenOrigins, type OpenOrigin } from './cors-enabled-globally.ts'

/** Places of servers where foreign origins may read with credentials. */
export const openWithCredentials: Extract<OpenOrigin> = defineExtract({
  name: 'cap-open-origins',
  keywords: ['cors', 'Access-Control-Allow-Origin'],
  prefilter: (text) => /credentials/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const found of findOpenOrigins(facts, step)) if (found.credentials && !isForDevelopers(found)) yield found
  },
})

/** What a browser sends by itself: cookies, sessions, and names and passwords of Basic authentication. Facts: express-session, cookie-session, cookie-parser, csurf, @fastify/session, koa-session (README of each). */
const SENT_BY_BROWSERS =
  /["'`](?:express-session|cookie-session|cookie-parser|csurf|koa-session|koa-generic-session|@fastify\/(?:cookie|session|secure-session)|express-basic-auth|@sap\/approuter|@hapi\/cookie|passport-http|iron-session)["'`]|\bcookies?\s{0,3}[.([]|set-cookie|\bheaders\.cookie\b|www-authenticate|\.session\b/i
/** What only scripts send. Facts: @sap/xssec 4, jsonwebtoken 9, passport-jwt 4, express-jwt 8 (README of each). */
const SENT_BY_SCRIPTS =
  /["'`](?:@sap\/xssec|jsonwebtoken|passport-jwt|express-jwt|passport-http-bearer|express-oauth2-jwt-bearer)["'`]|\bbearer\b/i

const cookieUses: Extract<true> = defineExtract({
  name: 'cap-cookie-uses',
  keywords: ['cookie', 'session', 'www-authenticate', 'basic', '@sap/approuter', 'passport-http', 'csurf'],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  *collectText(text) {
    if (SENT_BY_BROWSERS.test(text)) yield true
  },
})

const bearerUses: Extract<true> = defineExtract({
  name: 'cap-bearer-uses',
  keywords: ['bearer', '@sap/xssec', 'jsonwebtoken', '-jwt'],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  *collectText(text) {
    if (SENT_BY_SCRIPTS.test(text)) yield true
  },
})

export const carrierExtracts: readonly Extract[] = [cookieUses, bearerUses]

/** By what the callers of a server are known, as far as its package tells: a token in a header alone, or also what browsers send by themselves; undefined: nothing tells. */
export function createCarrierReader(
  scripts: Scripts,
  { byFolder }: Pick<NpmProject, 'byFolder'>,
  step: (count?: number) => void,
): (file: string) => 'header' | 'browser' | undefined {
  const folderOf = (file: string): string | undefined => [...foldersAround(file)].find((folder) => byFolder.has(folder))
  const foldersOf = (extract: Extract<true>): ReadonlySet<string | undefined> => {
    const found = scripts.get(extract)
    step(found.length)
    return new Set(found.map(({ file }) => folderOf(file)))
  }
  let [cookies, bearers]: (ReadonlySet<string | undefined> | undefined)[] = []
  return (file) => {
    const folder = folderOf(file)
    cookies ??= foldersOf(cookieUses)
    bearers ??= foldersOf(bearerUses)
    const depends = (names: RegExp): boolean =>
      folder !== undefined && byFolder.get(folder)?.dependencies.some(({ name }) => names.test(`'${name}'`)) === true
    if (cookies.has(folder) || depends(SENT_BY_BROWSERS)) return 'browser'
    return bearers.has(folder) || depends(SENT_BY_SCRIPTS) ? 'header' : undefined
  }
}
