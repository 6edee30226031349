import {
  accepts,
  isCdsBelow,
  isDraftEnabled,
  type CapElement,
  type CapRoot,
  type CapService,
  sourceNameOf,
} from '../../../model/cap/index.ts'
import type { EntityHandler } from '../_handlers/write-handlers.ts'
import type { Project } from '../../subjects.ts'
import { composedOf, isReadOnlyBySource, writeRights } from './entity-rights.ts'

/** What its draft root changes with it: active rows of parts are written through their root alone. */
export function draftParts(service: CapService, root: CapRoot): ReadonlySet<string> {
  const roots = service.elements.filter(isDraftEnabled)
  return new Set(roots.flatMap((one) => [...composedOf(one, root)]))
}

/** What a part of a draft belongs to, and who may change that. */
interface RestrictedWhole {
  readonly restricted: readonly string[]
  readonly roles: readonly string[]
}

/**
 * The draft root for some roles alone, parts of which all users of its service may delete by a request to the part, which the service names itself.
 * Facts: @sap/cds 7.3.0, 8.9.10 and 9.9.3, libx/_runtime/common/generic/auth/utils.js (a part has the restrictions of its root where the compiler exposes it; since 8 also
 * where its `up_` leads back to what it is composed in), fiori/lean-draft.js (active parts are neither created nor updated without their root, and may be deleted).
 * `narrow`: the entities of the service that some of its users alone may write.
 */
export function openDraftPart(
  element: CapElement,
  handlers: readonly EntityHandler[],
  narrow: readonly CapElement[],
  root: CapRoot,
  { files }: Pick<Project, 'files'>,
): RestrictedWhole | undefined {
  if (root.runtime === 'java' || !accepts(element, 'DELETE') || isReadOnlyBySource(element, root, handlers)) return undefined
  const refusing = handlers.filter(({ asks, refuses }) => asks !== 'no' || refuses)
  if (refusing.some(({ events }) => events.some((event) => event === 'DELETE' || event === '*'))) return undefined
  const source = sourceNameOf(element)
  const whole = narrow.find((one) => one !== element && isDraftEnabled(one) && composedOf(one, root).has(source))
  if (whole === undefined || (leadsUp(source, whole, root) && !isCdsBelow(8, files, root))) return undefined
  return { restricted: [whole.name], roles: writeRights(whole).roles }
}

/** Its `up_` is what it is composed in: the compiler makes it so for `Composition of many { … }` and for aspects. */
function leadsUp(part: string, whole: CapElement, root: CapRoot): boolean {
  const target = root.membersOf(part).get('up_')?.target
  if (target === undefined) return false
  const parent = root.projected(target).at(-1) ?? target
  return parent === sourceNameOf(whole) || composedOf(whole, root).has(parent)
}
