import type { Budget } from '../budget.ts'
import { classifyHost } from '../hosts.ts'
import { lineBefore } from '../parse/position.ts'
import { countLook } from './layers.ts'

/** `https://portal.museum.de`, wherever it stands. */
const WRITTEN = /\bhttps?:\/\/([\w.-]{3,200})/gi
/** In front of an address: it is what a setting is. */
const SETTING =
  /(?:ur[il]|host(?:[_-]?name)?|server|endpoint|domain|destination|base[_-]?(?:path|address)|address|root)["']?\s{0,4}[:=]\s{0,4}["'`]$/i
/** What that is for people or for machines to fetch: `help = { url: '`, `"homepage": "`. */
const TO_READ =
  /(?:help|docs?|documentation|learn|link|home_?page|website|repository|repo|registry|bugs|issues|support|licen[cs]e|terms|privacy|imprint|logo|icon|image|cdn)\w{0,20}["']?\s{0,4}[:=]\s{0,4}(?:\{\s{0,20}(?:["']?\w{1,20}["']?\s{0,4}:\s{0,4})?)?["'`]$/i
const COMMENT = /^\s{0,100}(?:\/\/|#|--|;|\*|\/\*|<!--)/
/** Where pages load SAPUI5 from, and names of documents. */
const OF_NOBODY =
  /^(?:www\.w3\.org|sapui5\.hana\.ondemand\.com|ui5\.sap\.com|sdk\.openui5\.org|[\w-]{0,30}\.?schemas?\..{1,100})$/i
/** Documentation, sources, registries of packages and networks that hand out files. */
const OF_ALL =
  /(?:^|\.)(?:(?:help|developers?|community|blogs?|answers|learning|tools|cap|pages|docs?|support|registry|repo|cdn)\..{1,100}|cap\.cloud\.sap|npmjs\.(?:com|org)|github\.(?:com|io)|githubusercontent\.com|gitlab\.com|bitbucket\.org|stackoverflow\.com|wikipedia\.org|readthedocs\.io|pypi\.org|maven\.org|apache\.org|jsdelivr\.net|unpkg\.com|(?:cloudflare|googleapis|gstatic|jquery|bootstrapcdn|fontawesome|sentry|google|youtube|linkedin|twitter|facebook)\.(?:com|io))$/i
/** Drivers of databases: their host is that of the database, which is seldom an address of the web. */
const DRIVER =
  /["'](?:@sap\/hana-client|@sap\/hdbext|hdb|pg|mysql2?|mariadb|mssql|tedious|oracledb|mongodb|mongoose|(?:io)?redis|knex|sequelize|typeorm|nodemailer|ldapjs|ssh2(?:-sftp-client)?|basic-ftp)(?:\/[^"'\n]{0,40})?["']/
/** Before and behind the credential. */
const REACH = 20_000
const LONGEST_LINE = 300
const LONGEST_NAME = 90

/**
 * Whether the code of a file names one host alone, as a setting, and that is a public one: the login of a constant beside it is for that host.
 * In a file that talks to several, nothing says for which of them a login is.
 */
export function hasOnePublicHost(text: string, start: number, budget: Budget): boolean {
  const from = Math.max(0, start - REACH)
  const reach = text.slice(from, start + REACH)
  countLook(budget, reach.length * 2)
  if (DRIVER.test(reach)) return false
  const hosts = new Set<string>()
  let isSetting = false
  for (const { 1: host = '', index } of reach.matchAll(WRITTEN)) {
    const name = host.toLowerCase()
    if (OF_NOBODY.test(name) || COMMENT.test(lineBefore(reach, index, LONGEST_LINE))) continue
    const before = reach.slice(Math.max(0, index - LONGEST_NAME), index)
    if (OF_ALL.test(name) || TO_READ.test(before)) continue
    hosts.add(name)
    if (hosts.size > 1) return false
    isSetting ||= SETTING.test(before)
  }
  const [only] = hosts
  return only !== undefined && isSetting && classifyHost(only) === 'public'
}
