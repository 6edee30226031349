import type { Value } from '../../facts/index.ts'
import { HTML_FAULTS, ORIGIN_CHECK_CLEANS, SCHEME_CHECK_CLEANS } from '../tables/web.ts'
import type { FlowDraft } from './draft.ts'
import { isForeignTested, isOriginTested } from './origin-checks.ts'
import { isRefusedBy } from './refused-characters.ts'
import { isSchemeTested } from './scheme-checks.ts'

/** What the condition that chooses a value is enough for: `isOwn(address) ? address : '/'`. */
export function cleansOfTest(test: Value, option: Value, holds: boolean, { realm }: Pick<FlowDraft, 'realm'>): readonly string[] {
  const isOwn = holds ? isOriginTested(test, option, true) : isForeignTested(test, option)
  const ofOrigin = isOwn ? ORIGIN_CHECK_CLEANS : []
  if (realm === 'server' || ofOrigin.length > 0) return ofOrigin
  if (isRefusedBy(test, option, holds, '<')) return HTML_FAULTS
  return isSchemeTested(test, option, holds) ? SCHEME_CHECK_CLEANS : []
}
