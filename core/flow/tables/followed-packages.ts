import { CONNECTIONS, FOLLOWED_DRIVERS } from './drivers.ts'
import { MAKES_PARSERS } from './routes.ts'
import { CONNECTION_SINKS, TELLING_CLIENTS, TELLING_REQUESTS } from './http-sinks.ts'
import { SINKS } from './sinks.ts'

const paths = [...SINKS.flatMap(({ calls = [] }) => calls), ...TELLING_REQUESTS]

/** Packages whose functions are sinks, or throw what tells a request: followed through fields, arguments and modules of the project. */
export const FOLLOWED_PACKAGES: ReadonlySet<string> = new Set([
  ...paths.flatMap((path) => (path.startsWith('module:') ? [path.slice('module:'.length).split(' ')[0] ?? ''] : [])),
  'util',
  ...FOLLOWED_DRIVERS,
])

/** What they make that has such functions: `module:axios create ()`. */
export const MADE_BY_PACKAGES: ReadonlySet<string> = new Set([
  ...paths.flatMap((path) => {
    const end = path.lastIndexOf(' ')
    const before = path.slice(0, end)
    return before.endsWith('()') || before.endsWith(' new') ? [before] : []
  }),
  ...TELLING_CLIENTS,
  ...MAKES_PARSERS,
  ...CONNECTIONS,
])

/** Calls whose result is what an address of the net answers. */
export const ANSWERING: ReadonlySet<string> = new Set(
  SINKS.filter((row) => row.fault === 'cap/ssrf' && !CONNECTION_SINKS.includes(row))
    .flatMap(({ calls = [] }) => calls)
    .filter((path) => !/^module:https? /.test(path)),
)
