import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { isDeveloperFile, realmByPath, runsInBrowser } from '../../model/script/index.ts'
import { folderOf, isBelow } from '../../paths.ts'

const SCIM = /\/scim\/(?:(?:v2\/)?(?:Users|Groups)\b)?/gi
const LONGEST_PATH = 200
/** The path on the own host, back to the quote that it begins behind: a variable or a port in front of it is one of another host. */
const PATH_BEFORE = /["'`]([\w./-]{0,200})$/
/** What accounts say of themselves that a page creates or changes. Fact: RFC 7643, 4.1. */
const ACCOUNT = 'scim:schemas:core:2.0:User'
const USERS = /["'`](\/?[\w.-][\w./-]{0,200}\/Users)(?=["'`/?])/g

/** Paths by which pages ask the SCIM API, `/IdpDest/service/scim/Users`, each once. Servers ask it by destinations of their own. */
export const askedDirectories: Extract<string> = defineExtract({
  name: 'approuter-asked-directories',
  keywords: ['/scim/', ACCOUNT],
  isFor: (path) => !isDeveloperFile(path) && realmByPath(path) !== 'server',
  collect: ({ path, facts, text }) => (runsInBrowser(path, facts) ? new Set([...pathsIn(text), ...accountsIn(text)]) : []),
})

function* pathsIn(text: string): Generator<string> {
  for (const { 0: found, index } of text.matchAll(SCIM)) {
    const before = PATH_BEFORE.exec(text.slice(Math.max(0, index - LONGEST_PATH), index))?.[1]
    if (before === undefined) continue
    const names = found.length > '/scim/'.length || before.endsWith('/service')
    // of an address with a host
    if (names && !before.startsWith('//')) yield `${/^(?:\/|$)/.test(before) ? '' : '/'}${before}/scim/Users`
  }
}

/** A destination may hold the path of the API: `/destinations/directory/Users`, to which a page sends accounts of SCIM. */
function* accountsIn(text: string): Generator<string> {
  if (!text.includes(ACCOUNT)) return
  for (const [, path = ''] of text.matchAll(USERS)) if (!path.startsWith('//')) yield path.startsWith('/') ? path : `/${path}`
}

/** A path by which a page asks the SCIM API. */
export interface AskedDirectory {
  readonly file: string
  readonly path: string
}

/** Whether a page beside a descriptor of Neo, or below it, asks the API by the path of a route. */
export function isAskedBelow(asked: readonly AskedDirectory[], descriptor: string, path: string): boolean {
  return asked.some((one) => isBelow(one.file, folderOf(descriptor)) && one.path.includes(`${path.replace(/\/$/, '')}/`))
}
