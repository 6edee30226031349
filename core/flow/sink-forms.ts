import { PLAIN_TYPE, PLAIN_VALUE } from './field-marks.ts'
import { ABOUT_CHOICE, STORED_CALLED, STORED_FAULTS, STORED_SHOWN, UNHEEDED } from './models/faults.ts'
import type { Label } from './solve/labels.ts'
import { DRAWN } from './tables/part-names.ts'
import { IN_HANDLER, OPEN_QUOTES, OWN, PARSED, PARSED_TEXT, PREFIXED, TAGGED } from './tables/web.ts'
import { ANSWERED, FILE_NAME, OF_MACHINE, REFUSED, RETURNED } from './tables/own-changes.ts'
import type { FlowSink, Origin } from './types.ts'

export function isHarmless({ cleaned }: Label, { fault, detail }: FlowSink): boolean {
  if (cleaned.includes(PLAIN_TYPE) && detail !== 'type' && detail !== 'shown-type' && !ABOUT_CHOICE.has(fault)) return true
  return cleaned.includes(fault) || (cleaned.includes(PLAIN_VALUE) && !ABOUT_CHOICE.has(fault))
}

/** Whether what was stored before counts at all. An address that another system answers with is meant to be called, and its markup to be shown. */
export function countsStored({ origin, weak }: Label, { fault, detail }: FlowSink): boolean {
  if (origin !== 'stored' || STORED_FAULTS.has(fault)) return true
  // a file that is to be shown runs whatever system it comes from
  if (detail === 'shown-type') return true
  if (weak) return false
  return fault === STORED_SHOWN || (fault === STORED_CALLED && (detail === undefined || detail === 'begin'))
}

export function isUnheeded({ origin }: Label, fault: string): boolean {
  return UNHEEDED.get(fault) === origin
}

/** Whether what happened to a value on its way is what the sink asks for. */
export function isInForm({ logged, concatenated, cleaned }: Label, needs: FlowSink['needs']): boolean {
  if (needs === undefined) return true
  if (needs === 'logged') return logged
  if (needs === 'parsed') return cleaned.includes(PARSED) && !cleaned.includes(PARSED_TEXT)
  return needs === 'tagged' ? cleaned.includes(TAGGED) : (needs === 'concatenated') === concatenated
}

/** What begins in the code itself is looked for by sinks of its own alone. */
export function ownOrigin({ origin }: Label): FlowSink['of'] {
  switch (origin) {
    case 'error':
    case 'secret':
    case 'statement':
    case 'personal':
    case 'credential':
    case 'open-app':
    case 'reply':
    case 'claims':
    case 'privileged':
      return origin
    case 'request-error':
      return 'error'
    case 'credentials':
    case 'signed-error':
    case 'destination-error':
    case 'exchange':
      return 'credential'
    case 'open-server':
      return 'open-app'
    default:
      return undefined
  }
}

/** From whoever sends a link to whoever sits at the page; what is not named may be chosen by anybody. */
const RANKS: Readonly<Partial<Record<Origin, number>>> = { stored: 1, storage: 1, imported: 1, property: 2, input: 3, unknown: 4 }

/** Of several ways to one place the gravest and surest one, and the one that says most, is reported. */
export function rank({ detail }: FlowSink, { origin, weak, cleaned }: Label): number {
  // LOW, and INFO
  const isOfUser = [ANSWERED, RETURNED, REFUSED, OF_MACHINE, FILE_NAME].some((mark) => cleaned.includes(mark))
  const known = isOfUser ? RANKS.property : cleaned.includes(OWN) ? RANKS.input : 0
  const chosenBy = Math.max(known ?? 0, RANKS[origin] ?? 0)
  const lesser = (cleaned.includes(DRAWN) ? 2 : 0) + (cleaned.includes(IN_HANDLER) || cleaned.includes(OPEN_QUOTES) ? 1 : 0)
  return (chosenBy * 4 + (weak ? 2 : 0) + (detail === 'begin' && !cleaned.includes(PREFIXED) ? 0 : 1)) * 4 + lesser
}
