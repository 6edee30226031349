import { stringOf } from '../../parse/data.ts'
import type { CapRoot, Configuration, Setting } from './types.ts'

/** SQLite and H2, by the kinds that CAP knows them by; `sql` is SAP HANA in production. */
const LOCAL = /^(?:(?:better-|legacy-)?sqlite(?::memory)?|h2)$/

/** The database of one process that a configuration selects, in a file or in memory. Facts: @sap/cds 9.9.3, lib/env/cds-requires.js. */
export function localDatabase(configuration: Configuration): { readonly setting: Setting; readonly kind: string } | undefined {
  const setting = configuration.value('requires', 'db', 'kind')
  const kind = stringOf(setting?.node)
  if (setting !== undefined && kind !== undefined) return LOCAL.test(kind) ? { setting, kind } : undefined
  const impl = configuration.value('requires', 'db', 'impl')
  return impl !== undefined && stringOf(impl.node) === '@cap-js/sqlite' ? { setting: impl, kind: 'sqlite' } : undefined
}

/** What is deployed of a CAP project keeps its data in SQLite: the driver is a package of the running app. */
export function runsOnSqlite(root: CapRoot): boolean {
  return root.deployed && root.productive().some((configuration) => localDatabase(configuration)?.kind.includes('sqlite'))
}
