import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isDeveloperFile, realmByPath, runsInBrowser } from '../../model/script/index.ts'
import { folderOf, isBelow } from '../../paths.ts'

const SCIM = /\/scim\/(?:(?:v2\/)?(?:Users|Groups)\b)?/gi
const LONGEST_PATH = 200
/** The path on the own host, back to the quote that it begins behind: a variable or a port in front of it is one of another host. */
const PATH_BEFORE = /["'`]([\w./-]{0,200})$/
/** What accounts say of themselves that a page creates or changes. Fact: RFC 7643, 4.1. */
const ACCOUNT = 'scim:schemas:core:2.0:User'
/** `/../directory/scim/Users`: pages ask from folders below. */
const ABOVE = /^\/(?:\.{1,2}\/)+/
/** OData, whose sets may have the same name. */
const SERVICE = /odata|\.xs|\.svc/i
const USERS = /["'`](\/?[\w.-][\w./-]{0,200}\/Users)(?=["'`/?])/g

/** Paths by which pages ask the SCIM API, `/IdpDest/service/scim/Users`, each once. Servers ask it by destinations of their own. */
export const askedDirectories: Extract<string> = defineExtract({
  name: 'approuter-asked-directories',
  keywords: ['/scim/', ACCOUNT],
  isFor: (path) => !isDeveloperFile(path) && realmByPath(path) !== 'server',
  collect: ({ path, facts, text }) => (runsInBrowser(path, facts) ? pathsOf(text) : []),
})

function pathsOf(text: string): ReadonlySet<string> {
  const named = new Set(pathsIn(text))
  return named.size > 0 ? named : accountsIn(text)
}

function* pathsIn(text: string): Generator<string> {
  for (const { 0: found, index } of text.matchAll(SCIM)) {
    const before = PATH_BEFORE.exec(text.slice(Math.max(0, index - LONGEST_PATH), index))?.[1]
    if (before === undefined) continue
    const names = found.length > '/scim/'.length || before.endsWith('/service')
    // of an address with a host
    if (names && !before.startsWith('//')) yield `${/^(?:\/|$)/.test(before) ? '' : '/'}${before}/scim/Users`
  }
}

/**
 * A destination may hold the path of the API: `/destinations/directory/Users`, to which a page sends accounts of SCIM. Where the script names the API by its own path, or
 * several paths that end alike, another service may have such a set.
 */
function accountsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>()
  if (!text.includes(ACCOUNT)) return paths
  for (const [, path = ''] of text.matchAll(USERS))
    if (!path.startsWith('//') && !SERVICE.test(path)) paths.add(path.startsWith('/') ? path : `/${path}`)
  return paths.size === 1 ? paths : new Set()
}

/** A path by which a page asks the SCIM API. */
export interface AskedDirectory {
  readonly file: string
  readonly path: string
}

/** Of the routes of a descriptor of Neo, those by which a page beside it, or below it, asks the API: the longest one that a path begins with takes it. */
export function askedRoutes(
  asked: readonly AskedDirectory[],
  descriptor: string,
  routes: readonly string[],
): ReadonlySet<string> {
  const longestFirst = routes.toSorted((a, b) => b.length - a.length)
  const own = asked.filter(({ file }) => isBelow(file, folderOf(descriptor)))
  return new Set(
    own.flatMap(({ path }) => {
      const whole = path.replace(ABOVE, '/')
      return longestFirst.find((route) => whole.startsWith(`${route.replace(/\/$/, '')}/`)) ?? []
    }),
  )
}
