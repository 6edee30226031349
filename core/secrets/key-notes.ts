import { isPublicHost } from '../hosts.ts'

/** `api_key: "…", // get your API key from https://provider.example/keys`: what a note behind a value says of it. */
const NOTE_BEHIND = /^["'`]?[ \t,;)}\]]{0,8}(?:\/\/|#|\/\*)([^\n]{1,300})/
/** Where somebody gets it; a link to a ticket or a text about keys is none. */
const GIVEN_OUT = /(?:\b|_)(?:key|token|secret)s?\b[^\n:/]{0,40}\b(?:from|at|on|in|by|via):?\s{1,4}https?:\/\/([\w.-]{1,200})/i
/** Up to a note and to its end. */
const REACH = 240

/** Whether a note behind a key names the public host that gives such keys out. */
export function saysWhoseKey(text: string, end: number): boolean {
  const [, note = ''] = NOTE_BEHIND.exec(text.slice(end, end + REACH)) ?? []
  const host = GIVEN_OUT.exec(note)?.[1]
  return isPublicHost(host)
}
