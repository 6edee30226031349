import { isWithin } from '../../facts/span-index.ts'
import type { SecurityChain, SecurityRule } from './security.ts'

/** A rule that asks for roles, and the one in front of it that decides about all its requests. */
export interface ShadowedRule {
  readonly rule: SecurityRule
  readonly by: SecurityRule
}

/**
 * Rules for roles that no request reaches: one before them matches each path of theirs, and wants a login or nothing.
 * Fact: Spring Security 6.4, "Authorize HttpServletRequests" (the first rule that matches decides).
 */
export function shadowedRules({ rules, branches }: SecurityChain): readonly ShadowedRule[] {
  return rules.flatMap((rule, index) => {
    const { access, isRest, patterns } = rule
    if (access !== 'roles' || isRest || patterns === undefined) return []
    // what stands in a branch is there in some deployments alone
    const isThere = (one: SecurityRule): boolean => branches.every((branch) => !isWithin(one, branch) || isWithin(rule, branch))
    const before = rules.slice(0, index).filter((one) => (one.method === undefined || one.method === rule.method) && isThere(one))
    // what is not known before it may decide as well
    const by = before.find((one) => one.patterns === undefined || patterns.every((path) => isCovered(path, one.patterns ?? [])))
    return by?.patterns !== undefined && (by.access === 'login' || by.access === 'open') ? [{ rule, by }] : []
  })
}

function isCovered(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => covers(pattern, path))
}

/** Segments of a path that are looked at. */
const MAX_SEGMENTS = 30

/** Whether a pattern of Ant matches all that another one does: `/app/*` does so for `/app/token`, `/app/**` for `/app/token/*`. */
function covers(pattern: string, path: string): boolean {
  const [wide, narrow] = [pattern, path].map((text) => text.split('/', MAX_SEGMENTS).filter((segment) => segment !== ''))
  if (wide === undefined || narrow === undefined) return false
  const isOpenEnded = wide.at(-1) === '**'
  const fixed = isOpenEnded ? wide.slice(0, -1) : wide
  if (isOpenEnded ? narrow.length < fixed.length : narrow.length !== fixed.length) return false
  return fixed.every((segment, index) => {
    const own = narrow[index] ?? ''
    return segment === own || (/^(?:\*|\{\w{1,60}\})$/.test(segment) && own !== '**')
  })
}
