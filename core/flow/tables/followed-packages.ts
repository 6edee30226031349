import { CONNECTIONS, FOLLOWED_DRIVERS } from './drivers.ts'
import { MAKES_PARSERS } from './routes.ts'
import { CONNECTION_SINKS, TELLING_CLIENTS, TELLING_REQUESTS } from './http-sinks.ts'
import { SINKS } from './sinks.ts'

const PATHS = [...SINKS.flatMap(({ calls = [] }) => calls), ...TELLING_REQUESTS]
const MODULE = 'module:'

/** Packages whose functions are sinks, or throw what tells a request: followed through fields, arguments and modules of the project. */
export const FOLLOWED_PACKAGES: ReadonlySet<string> = new Set(['util', ...FOLLOWED_DRIVERS, ...packagesOf(PATHS)])

/** What they make that has such functions: `module:axios create ()`. */
export const MADE_BY_PACKAGES: ReadonlySet<string> = new Set([
  ...makersOf(PATHS),
  ...TELLING_CLIENTS,
  ...MAKES_PARSERS,
  ...CONNECTIONS,
])

/** A plain loop, as the one below: both run whenever the program starts. */
function packagesOf(paths: readonly string[]): ReadonlySet<string> {
  const packages = new Set<string>()
  for (const path of paths) {
    const end = path.indexOf(' ')
    if (path.startsWith(MODULE)) packages.add(path.slice(MODULE.length, end < 0 ? undefined : end))
  }
  return packages
}

function makersOf(paths: readonly string[]): ReadonlySet<string> {
  const makers = new Set<string>()
  for (const path of paths) {
    const end = path.lastIndexOf(' ')
    if (path.endsWith('()', end) || path.endsWith(' new', end)) makers.add(path.slice(0, end))
  }
  return makers
}

/** Calls whose result is what an address of the net answers. */
export const ANSWERING: ReadonlySet<string> = new Set(
  SINKS.filter((row) => row.fault === 'cap/ssrf' && !CONNECTION_SINKS.includes(row))
    .flatMap(({ calls = [] }) => calls)
    .filter((path) => !/^module:https? /.test(path)),
)
