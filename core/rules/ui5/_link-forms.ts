import type { FlowHit } from '../../flow/index.ts'
import { variantOf } from './_flow-grade.ts'

const LINK_FORMS = ['bound', 'unchecked', 'set', 'element', 'frame', 'written'] as const
export const LINK_ORIGINS = ['stored', 'outside', 'own', 'indirect'] as const

/** What gets an address: a sap.m.Link by a binding, another control, a setter, an element of the page, a frame or plug-in, the markup of a renderer. */
export type LinkForm = (typeof LINK_FORMS)[number]
/** Who may have chosen it: other users, whoever sends a link or a message, the user alone, or what sets a property, keeps or imports it. */
export type LinkOrigin = (typeof LINK_ORIGINS)[number]
/** Forms whose address is a binding. */
export type BoundForm = 'bound' | 'unchecked'

/** The name of the text for a hit. */
export function linkVariantOf(hit: FlowHit): `${LinkForm}-${LinkOrigin}` | `${BoundForm}-${LinkOrigin}-far` {
  const variant = variantOf(hit)
  const origin = variant === undefined ? 'outside' : variant === 'unknown' ? 'indirect' : variant
  const form = formOf(hit.api)
  return (form === 'bound' || form === 'unchecked') && !beginsAtLink(hit) ? `${form}-${origin}-far` : `${form}-${origin}`
}

/** What is read there is what the link is bound to; what was read elsewhere came into the model on some way. */
function beginsAtLink({ at, steps }: FlowHit): boolean {
  const source = steps[0]?.at
  return source === undefined || (source.file === at.file && source.span?.start === at.span?.start)
}

function formOf({ effects }: FlowHit['api']): LinkForm {
  if (effects.has('renderer')) return 'written'
  if (effects.has('frame')) return 'frame'
  // attributes of JSX and of templates
  if (effects.has('element')) return 'element'
  if (effects.has('set')) return 'set'
  return effects.has('bound') ? 'bound' : 'unchecked'
}

const VALIDATOR = 'https://ui5.sap.com/#/api/module:sap/base/security/URLListValidator'

/** The document on the check that each form needs; a sap.m.Link has its own. */
export const LINK_DOCS: Readonly<Record<string, string>> = Object.fromEntries(
  LINK_FORMS.filter((form) => form !== 'bound')
    .flatMap((form) => LINK_ORIGINS.flatMap((origin) => [`${form}-${origin}`, `${form}-${origin}-far`]))
    .map((variant) => [variant, VALIDATOR]),
)
