import { accessesOf, type CallValue } from '../../facts/index.ts'

const LEVELS = /^(?:log|trace|debug|info|warn|error)$/

/** `LOG`, `this.#log`, `auditLog`, `logger()`. */
const NAMED = /(?:^|[ :])(?:[#_]?(?:log(?:ger)?|LOG(?:GER)?|Log(?:ger)?)|\w{1,20}Log(?:ger)?)(?: \(\))?$/

/** `console.log`, `cds.log('x').info`, and the same by a name of the file: `LOG.info`. */
export function isLogCall({ kind, callee }: CallValue): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || !LEVELS.test(callee.name ?? '')) return false
  return accessesOf(callee.object).some(({ root, steps }) => {
    if (root === 'global:console') return steps.length === 0
    const path = steps.join(' ')
    return ((root === 'global:cds' || root === 'module:@sap/cds') && path === 'log ()') || NAMED.test(root) || NAMED.test(path)
  })
}
