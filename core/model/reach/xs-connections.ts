import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { fieldOf, pathsOf, resolveValue, type Value } from '../../facts/index.ts'

/**
 * How a script of XS classic gets at the database: as the `caller`, or with a `configured` user of its own.
 * Fact: SAP HANA XS JavaScript API Reference, $.db.getConnection (SQL connection configuration) and $.hdb.getConnection ({ sqlcc }): without one, the connection is that of the user who logged in.
 */
export const xsConnections: Extract<'caller' | 'configured'> = defineExtract({
  name: 'reach-xs-connections',
  keywords: ['getConnection'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collect({ facts, step }) {
    step(facts.calls.length)
    for (const { callee, args } of facts.calls)
      if (pathsOf(callee).some((path) => CONNECTS.test(path.join('.')))) yield isOfCaller(args[0]) ? 'caller' : 'configured'
  },
})

const CONNECTS = /^global:\$\.h?db\.getConnection$/

/** No argument, or options that name no configuration: `{ isolationLevel: $.hdb.isolation.REPEATABLE_READ }`. */
function isOfCaller(options: Value | undefined): boolean {
  if (options === undefined) return true
  const value = resolveValue(options)
  return value.kind === 'object' && value.fields.length > 0 && fieldOf(value, 'sqlcc') === undefined
}

/** Whether all connections that a script opens itself are those of the caller, and it opens one. */
export function connectsAsCaller(file: string, scripts: Scripts): boolean {
  const found = scripts.of(file, xsConnections)
  return found.length > 0 && found.every((one) => one === 'caller')
}
