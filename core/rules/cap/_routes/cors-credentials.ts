import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Scripts } from '../../../extracts/scripts.ts'
import type { NpmProject } from '../../../model/npm/index.ts'
import { createDevelopmentReader, isDeployedCode, isOfUi5App, isToolFile, runsInBrowser } from '../../../model/script/index.ts'
import { ownerOf } from '../../../paths.ts'
import { findOpenOrigins, type OpenOrigin } from './cors-enabled-globally.ts'

/** Places of servers where foreign origins may read with credentials. */
export const openWithCredentials: Extract<OpenOrigin> = defineExtract({
  name: 'cap-open-origins',
  keywords: ['cors', 'Access-Control-Allow-Origin'],
  prefilter: (text) => /credentials/i.test(text),
  isFor: isDeployedCode,
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

/** Packages that make browsers send something with requests of any site, whatever the own code sets. */
const OF_ANY_SITE = /'(?:@sap\/approuter|express-basic-auth|passport-http)'/
/** What sets a cookie by which callers are known. */
const SETS_COOKIE = /\.cookie\(|session\(\s{0,10}\{|["'`]set-cookie["'`]/gi
/** Fact: RFC 6265bis, 5.6.7.1: a request of another site that opens no page gets no cookie with `SameSite=Lax` or `Strict`. */
const KEEPS_SITE = /\bsame_?site["'`]?\s{0,4}[:=]\s{0,4}["'`]?(?:strict|lax)\b/gi

/** What sets cookies with options that stand elsewhere. */
const KEEPS_SESSIONS =
  /["'`](?:express-session|cookie-session|koa-session|koa-generic-session|iron-session|@fastify\/(?:session|secure-session)|@sap\/approuter)["'`]/

/** `own-site`: each cookie that is set stays away from requests of other sites; `read`: none is set here. */
type CookieUse = 'own-site' | 'any-site' | 'read'

const cookieUses: Extract<CookieUse> = defineExtract({
  name: 'cap-cookie-uses',
  keywords: ['cookie', 'session', 'www-authenticate', 'basic', '@sap/approuter', 'passport-http', 'csurf'],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  *collectText(text) {
    if (SENT_BY_BROWSERS.test(text)) yield useIn(text)
  },
})

function useIn(text: string): CookieUse {
  if (/["'`](?:express-basic-auth|passport-http)["'`]|www-authenticate/i.test(text)) return 'any-site'
  const sets = text.match(SETS_COOKIE)?.length ?? 0
  if (sets === 0) return KEEPS_SESSIONS.test(text) ? 'any-site' : 'read'
  return (text.match(KEEPS_SITE)?.length ?? 0) >= sets ? 'own-site' : 'any-site'
}

const bearerUses: Extract<true> = defineExtract({
  name: 'cap-bearer-uses',
  keywords: ['bearer', '@sap/xssec', 'jsonwebtoken', '-jwt'],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path),
  *collectText(text) {
    if (SENT_BY_SCRIPTS.test(text)) yield true
  },
})

export const carrierExtracts: readonly Extract[] = [cookieUses, bearerUses]

/**
 * By what the callers of a server are known, as far as its package tells: a token in a header alone, or also what browsers send by themselves, with requests of
 * any site or of the own one; undefined: nothing tells.
 */
export function createCarrierReader(
  scripts: Scripts,
  { byFolder }: Pick<NpmProject, 'byFolder'>,
  step: (count?: number) => void,
): (file: string) => 'header' | 'browser' | 'own-site' | undefined {
  const folderOf = (file: string): string | undefined => ownerOf(file, byFolder)
  const foldersOf = (found: readonly { readonly file: string }[]): ReadonlySet<string | undefined> => {
    step(found.length)
    return new Set(found.map(({ file }) => folderOf(file)))
  }
  const setting = (use: CookieUse): ReadonlySet<string | undefined> =>
    foldersOf(scripts.get(cookieUses).filter(({ value }) => value === use))
  let known: Readonly<Record<'all' | 'own' | 'any' | 'bearers', ReadonlySet<string | undefined>>> | undefined
  return (file) => {
    const folder = folderOf(file)
    known ??= {
      all: foldersOf(scripts.get(cookieUses)),
      own: setting('own-site'),
      any: setting('any-site'),
      bearers: foldersOf(scripts.get(bearerUses)),
    }
    const { all, own, any, bearers } = known
    const depends = (names: RegExp): boolean =>
      folder !== undefined && byFolder.get(folder)?.dependencies.some(({ name }) => names.test(`'${name}'`)) === true
    if (own.has(folder) && !any.has(folder) && !depends(OF_ANY_SITE)) return 'own-site'
    if (all.has(folder) || depends(SENT_BY_BROWSERS)) return 'browser'
    return bearers.has(folder) || depends(SENT_BY_SCRIPTS) ? 'header' : undefined
  }
}
