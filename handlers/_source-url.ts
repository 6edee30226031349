import { describeSource } from '../core/index.ts'

const PLACES = /\{(?:path|line|commit)\}/g

/** Segments behind which hosts of Git repositories show the files of a revision. */
const SHOWS_FILES = /\/(?:blob|tree|src|browse|\+|-)(?:\/|$)/

/**
 * Where the source is shown, as `toSourceLink` takes it: what was given with its commit filled in, or the place of a known host for a repository and its commit. Undefined
 * where it is none of these: a link that was guessed would lead to other lines.
 */
export function completeSourceUrl(given: string, commit: string | undefined): string | undefined {
  if (given.includes('{commit}') && commit === undefined) return undefined
  // the rest must be an address that everybody reads alike
  const plain = given.replaceAll(PLACES, 'x')
  if (/[\s{}<>"'`\\|^]|[^\x21-\x7e]/.test(plain) || !URL.canParse(plain)) return undefined
  const { protocol, username, password, hostname, origin, pathname, search, hash } = new URL(plain)
  if (protocol !== 'https:' || username !== '' || password !== '' || hostname === '') return undefined
  // neither the host nor its port comes of a place that is filled in
  if (!given.startsWith('https://') || given.slice(0, given.indexOf('/', 8)).includes('{') || !plain.startsWith(origin))
    return undefined
  const filled = given.replaceAll('{commit}', commit ?? '')
  if (given.includes('{path}')) return filled
  if (given.includes('{line}') || search !== '' || hash !== '') return undefined
  if (SHOWS_FILES.test(pathname)) return filled
  return commit === undefined ? undefined : describeSource(given, commit)
}
