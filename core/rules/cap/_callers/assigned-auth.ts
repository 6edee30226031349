import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { stringConstantOf } from '../../../facts/constants.ts'
import { accessesOf } from '../../../facts/paths.ts'
import type { Assignment, ScriptFacts } from '../../../facts/types.ts'
import { fieldOf, keysOf, resolveValue } from '../../../facts/values.ts'
import { isForDevelopment, type CapRoot } from '../../../model/cap/index.ts'
import { createDevelopmentReader } from '../../../model/script/index.ts'
import { joinPath } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import type { DevelopmentAuth } from './development-auth.ts'
import { isWithin } from '../../../facts/span-index.ts'

/** A kind of authentication that the script which starts the server assigns in every profile. */
interface AssignedKind extends Span {
  /** As it is written: `cds.env.requires.auth`. */
  readonly key: string
  readonly kind: string
  readonly hasUsers: boolean
  /** Its key alone: an `impl` of the configuration still counts more. */
  readonly isPart: boolean
}

/** Facts: @sap/cds 9.9.3, bin/serve.js (`_local_server_js`): loaded before any service and any middleware. */
const SERVER = /(?:^|\/)server\.(?:js|ts|mjs|cjs)$/

/**
 * Kinds for development that the top level of a server script assigns. None where another place of it assigns something else, or where a condition decides.
 * Facts: @sap/cds 9.9.3, lib/index.js (`cds.requires` inherits from `cds.env.requires`), lib/srv/middlewares/auth (reads `cds.requires.auth` once the services are served).
 */
export const assignedKinds: Extract<AssignedKind> = defineExtract({
  name: 'cap-assigned-auth',
  keywords: ['requires.auth'],
  isFor: (path) => SERVER.test(path),
  collect: ({ facts }) => {
    const isForDevelopers = createDevelopmentReader(facts)
    const assigned = facts.assignments.flatMap((assignment) => {
      const key = authKeyOf(assignment)
      return key === undefined ? [] : [{ key, assignment }]
    })
    const kinds = assigned.flatMap(({ key, assignment }) => {
      const kind = kindOf(key, assignment, facts)
      return kind === undefined || isForDevelopers(assignment) ? [] : [kind]
    })
    return kinds.length === assigned.length ? kinds.slice(-1) : []
  },
})

/** Facts: capire, "cds.env": `cds.requires` and `cds.env.requires` are the same settings. */
function authKeyOf({ target, operator }: Assignment): string | undefined {
  if (operator !== '=') return undefined
  for (const { root, steps } of accessesOf(target)) {
    const way = steps.join('.').replace(/^default\./, '')
    if (/^module:@sap\/cds\b|^global:cds$/.test(root) && /^(?:env\.)?requires\.auth(?:\.kind)?$/.test(way)) return `cds.${way}`
  }
  return undefined
}

function kindOf(key: string, assignment: Assignment, { guards }: ScriptFacts): AssignedKind | undefined {
  const { value, start, end, function: around } = assignment
  if (around.kind !== 'file' || guards.some(({ inside }) => isWithin(assignment, inside))) return undefined
  const isPart = key.endsWith('.kind')
  const given = resolveValue(value)
  const named = isPart ? given : fieldOf(given, 'kind')?.value
  const constant = stringConstantOf(named)
  if (constant === undefined || (given.kind === 'object' && keysOf(given).has('impl'))) return undefined
  const kind = constant.replace(/-auth$/, '')
  const hasUsers = fieldOf(given, 'users') !== undefined
  // without users nobody logs in with basic
  if (!isForDevelopment(kind) || (kind === 'basic' && !hasUsers)) return undefined
  return { key, kind, hasUsers, isPart, start, end }
}

/** The same where a root is served. What handlers then check themselves is not known. `isLeftOut`: other parts of the project are deployed. */
export function* assignedAuth(root: CapRoot, isLeftOut: boolean): Generator<DevelopmentAuth> {
  if (root.test || root.runtime === 'java') return
  const served = new Set(['', 'srv'].map((folder) => joinPath(root.root, folder)))
  for (const { file, value } of root.scripts.get(assignedKinds)) {
    const { start, end, key, kind, hasUsers, isPart } = value
    const isCustom = root.productive().some((configuration) => configuration.value('requires', 'auth', 'impl') !== undefined)
    if (!served.has(file.slice(0, Math.max(0, file.lastIndexOf('/')))) || (isPart && isCustom)) continue
    const at = { file, span: { start, end } }
    yield {
      at,
      args: { kind, key, file },
      variant: 'code',
      evidence: isLeftOut ? 'guessed' : 'assumed',
      exposure: { reach: 'anyone', by: at },
      isLocked: false,
      isForTests: false,
      hasUsers,
    }
  }
}
