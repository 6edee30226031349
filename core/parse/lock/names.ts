import valid from 'semver/functions/valid.js'

const NAME = /^(?:@[a-z0-9~_-][\w.~-]{0,100}\/)?[a-z0-9~_-][\w.~-]{0,212}$/i
const MAX_VERSION = 100
/** Nearly all are three numbers: valid without semver's parser, as long as no number is too large for it. */
const PLAIN_VERSION = /^(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})$/

/** Whether a registry may have a package of this name; lock files hold anything. */
export function isPackageName(name: string): boolean {
  return name.length <= 214 && NAME.test(name)
}

/** An exact version as registries have it: `1.2.3`, `2.0.0-rc.1`. */
export function isExactVersion(version: string): boolean {
  if (PLAIN_VERSION.test(version)) return true
  return version.length <= MAX_VERSION && /^\d/.test(version) && valid(version) !== null
}

const ADDRESS = /^https?:\/\/(?:[^/@]{0,200}@)?([^/:?#]{1,255})/i

/** The host of an address over HTTP, in lower case. */
export function hostOf(address: string): string | undefined {
  return ADDRESS.exec(address)?.[1]?.toLowerCase()
}

/** An address as it may be told: without the user and the password in front of its host. */
export function withoutUser(address: string): string {
  const start = address.indexOf('//') + 2
  if (start < 2) return address
  const end = address.indexOf('/', start)
  const at = address.slice(0, end === -1 ? address.length : end).lastIndexOf('@')
  return at < start ? address : address.slice(0, start) + address.slice(at + 1)
}

/** The name under which yarn 1 asks npm's default registry, and redirects to it (yarn 1 documentation, "yarn config"). */
const YARN_ALIAS = ['registry', 'yarnpkg', 'com'].join('.')
const DEFAULT_REGISTRY = ['registry', 'npmjs', 'org'].join('.')

/** The host that an address means: yarn's name for npm's default registry is that one. */
export function registryOf(address: string): string | undefined {
  const host = hostOf(address)
  return host === YARN_ALIAS ? DEFAULT_REGISTRY : host
}

/** Whether it is yarn's own name for npm's default registry. */
export function isAlias(address: string): boolean {
  return hostOf(address) === YARN_ALIAS
}

/** An address longer than this is nobody's. */
export const MAX_ADDRESS = 2000

/** How well `sha512-… sha1-…` (Subresource Integrity) tells a changed archive. */
export function gradeIntegrity(integrity: string): 'strong' | 'weak' | 'none' {
  if (/(?:^|\s)sha(?:256|384|512)-/.test(integrity)) return 'strong'
  return /(?:^|\s)(?:sha1|md5)-/.test(integrity) ? 'weak' : 'none'
}
