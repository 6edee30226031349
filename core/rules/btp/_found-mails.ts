import { matchesAt } from '../../keywords/index.ts'
import { classifyHost } from '../../secrets/index.ts'

const DOMAIN = /@((?:[a-z\d][a-z\d-]{0,62}\.){1,5}[a-z]{2,16})(?![\w@:/.-])/giy
const LOCAL = /[\w.+-]{1,64}$/
/** Nobody reads what is sent there. */
const IMPERSONAL =
  /^(?:no-?reply|do-?not-?reply|postmaster|mailer-daemon|info|support|admin|root|git|user(?:name)?|john\.doe|jane\.doe|test\w{0,10})$/i

/** A mail address, in lower case. */
export interface FoundMail {
  readonly start: number
  readonly name: string
  readonly host: string
}

/** Mail addresses of persons: of a host that the internet knows; the first place of each, in the order of the text. */
export function findMails(text: string): readonly FoundMail[] {
  const found = new Map<string, FoundMail>()
  const places = [...text.matchAll(/@/g)].map(({ index }) => index)
  for (const { index, 1: host = '' } of matchesAt(text, places, DOMAIN)) {
    const name = LOCAL.exec(text.slice(Math.max(0, index - 64), index))?.[0]
    if (name === undefined || IMPERSONAL.test(name) || classifyHost(host) !== 'public') continue
    const mail = `${name}@${host}`.toLowerCase()
    if (!found.has(mail)) found.set(mail, { start: index - name.length, name: name.toLowerCase(), host: host.toLowerCase() })
  }
  return [...found.values()]
}
