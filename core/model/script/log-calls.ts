import { accessesOf, type CallValue } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

const LEVELS = /^(?:log|trace|debug|info|warn(?:ing)?|error|fatal)$/

/** `LOG`, `this.#log`, `auditLog`, `logger()`. */
const NAMED = /(?:^|[ :])(?:[#_]?(?:log(?:ger)?|LOG(?:GER)?|Log(?:ger)?)|\w{1,20}Log(?:ger)?)(?: \(\))?$/

const OWN_NAME = /^[#_]?(?:log(?:ger)?|LOG(?:GER)?)$/

/** `console.log`, `cds.log('x').info`, and the same by a name of the file: `LOG.info`. */
export function isLogCall({ kind, callee }: CallValue): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || !LEVELS.test(callee.name ?? '')) return false
  // const logger = require('./logger')('Orders')
  if (OWN_NAME.test(lastNameOf(callee.object) ?? '')) return true
  return accessesOf(callee.object).some(({ root, steps }) => {
    if (root === 'global:console') return steps.length === 0
    // Fact: SAP HANA XS JavaScript API Reference, "$.trace"
    if (root === 'global:$') return steps.join() === 'trace'
    const path = steps.join(' ')
    return ((root === 'global:cds' || root === 'module:@sap/cds') && path === 'log ()') || NAMED.test(root) || NAMED.test(path)
  })
}
