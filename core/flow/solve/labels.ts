import type { PayloadType } from '../../model/cap/index.ts'
import { ADDRESSES, KEPT_OF_UPLOAD, RAW_ADDRESS, READS, SENT_OF_UPLOAD } from '../tables/requests.ts'
import { FORMAL_CLAIMS, HOLDING_FIELDS, SECRET_FIELDS } from '../tables/secrets.ts'
import {
  ADDRESS_PART,
  ANY_ENTRY,
  CHECKED_FIELDS,
  LISTED_ENTRIES,
  LISTED_KEYS,
  isPlace,
  isSameField,
  moveFields,
} from '../places.ts'
import { GONE, isMark, marksBehind, marksOf, OF_ROLES, PLAIN_VALUE } from '../field-marks.ts'
import { WEB_READS, ENCODED_ADDRESS, HTML_FAULTS, IN_HANDLER, OPEN_QUOTES, PREFIXED } from '../tables/web.ts'
import { ANSWERED, ERROR_FIELDS, OF_CHANGE, OF_ROW, RETURNED, RETURN_FIELD, TELLING_FIELDS } from '../tables/own-changes.ts'
import {
  ANY_FIELD,
  CLEAN,
  CONCAT,
  DECODE,
  FIELD,
  IN_ADDRESS,
  IN_ATTRIBUTE,
  LOG,
  MOVE,
  READ,
  SHALLOW,
  STREAM_PIECE,
  TEXT,
  WHOLE,
  WRITE,
  type Origin,
  type RequestTypes,
  IN_CODE,
  IN_QUOTES,
  IN_TAG,
  OUTSIDE_QUOTES,
} from '../types.ts'
import { CHECKED_LINK, ENCODED_IN_CODE, SHOWING_LINKS } from '../models/faults.ts'
import { MARKUP_CLEANS, NAME_CLEANS, QUERY_CLEANS, SHORT_CLEANS } from '../models/written-cleaning.ts'
import { AS_ENTITIES, QUOTED, QUOTES_ESCAPED, TAGS_ESCAPED } from '../models/escaped.ts'

/** What is known of a value that reaches a node: where it began, and what happened to it on the way. */
export interface Label {
  readonly origin: Origin
  /** The fields in which it lies, outermost first; empty: the value itself. */
  readonly fields: readonly string[]
  /** Rules for which it is harmless by now. */
  readonly cleaned: readonly string[]
  readonly concatenated: boolean
  /** It went through a log. */
  readonly logged: boolean
  /** It began at what only a name tells. */
  readonly weak: boolean
  /** What the CDS model says of it: of a whole request, then of a value in it. */
  readonly types?: RequestTypes | undefined
  readonly type?: PayloadType | undefined
}

/** Fields of fields that are told apart; deeper ones are any field. */
export const MAX_FIELDS = 3
/** A field that is read with all others alone. No property of real code is named so. */
export const OTHER_FIELD = 'any other'

const OBJECTS: ReadonlySet<Origin> = new Set<Origin>([
  'cap-request',
  'cap-query',
  'exchange',
  'caller',
  'http-request',
  'response',
  'message',
  'window-event',
  'render-manager',
  'trusting-viewer',
  'window',
  'document',
  'location',
  'navigation',
  'activation',
  'history-entry',
  'navigation-timing',
  'web-storage',
  'parameters',
  'open-app',
  'open-server',
])

/** What is read under such a name is plain; what has fields of its own was none. */
export function withPlain(label: Label, name: string, isPlain: (name: string) => boolean): Label {
  if (name === ANY_FIELD || name === 'length' || isPlace(name)) return label
  const others = label.cleaned.filter((one) => one !== PLAIN_VALUE)
  return { ...label, cleaned: isPlain(name) ? union(others, [PLAIN_VALUE]) : others }
}

/** Not the objects that frameworks hand over, and no object in which data lies somewhere. */
export function isData({ origin, fields }: Label): boolean {
  return fields.length === 0 && !OBJECTS.has(origin)
}

/** An object in which data lies, not too deep. */
export function isInside({ origin, fields }: Label): boolean {
  return fields.length > 0 && fields.length <= MAX_FIELDS && !OBJECTS.has(origin)
}

/** The address of the page as a whole. */
function isAddress({ origin, fields }: Label): boolean {
  return origin === 'location' && fields.length === 0
}

/** What is known behind an edge; undefined: nothing gets through. `most`: fields of fields that are told apart. */
export function stepLabel(label: Label, operation: number, name: string, most: number): Label | undefined {
  switch (operation) {
    case CONCAT:
      // the text of an address is the address
      if (isAddress(label)) return readLabel(label, 'href')
      // a text of an object is no text of what lies in it, that of a list is
      return label.fields.length > 1 || OBJECTS.has(label.origin) || !isItem(label.fields[0] ?? ANY_FIELD)
        ? undefined
        : { ...withoutType(label), fields: [], concatenated: true, cleaned: cleanedAt(label.cleaned, placeOf(label, name)) }
    case WRITE: {
      // an object that is put into what it is made of: another round tells nothing
      if (label.fields.length > 1 && name !== OTHER_FIELD && label.fields.includes(name)) return undefined
      // a text of SQL lies in a list, in the settings of a call, or in a list of those; no deeper
      if (label.origin === 'statement' && label.fields.length > 1) return undefined
      return { ...label, fields: cutFields([name, ...label.fields], most) }
    }
    case CLEAN: {
      return { ...label, cleaned: union(label.cleaned, name.split(' ')) }
    }
    case DECODE: {
      // the text of an address is the address
      const text = isAddress(label) ? readLabel(label, 'href') : label
      const gone = name.split(' ')
      return text?.cleaned.some((one) => gone.includes(one)) === true
        ? { ...text, cleaned: text.cleaned.filter((one) => !gone.includes(one)) }
        : text
    }
    case TEXT:
      return OBJECTS.has(label.origin) ? undefined : { ...withoutType(label), fields: [], concatenated: true }
    case WHOLE:
      return label.fields.length > 0 ? undefined : label
    case SHALLOW:
      return label.fields.length > 1 ? undefined : label
    case LOG:
      return { ...label, logged: true }
    case MOVE:
      return moveLabel(label, name, most)
    case FIELD:
      return label.fields.length === 0 ? undefined : readLabel(label, name)
    case READ:
      return readLabel(label, name)
    default:
      return label
  }
}

/** Of an address that is encoded, its scheme counts where somebody else chooses it: by a link, a message or the backend. */
function placeOf({ origin }: Label, place: string): string {
  return place === IN_ADDRESS && !CHOSEN_BY_OTHERS.has(origin) ? IN_ATTRIBUTE : place
}

const CHOSEN_BY_OTHERS: ReadonlySet<Origin> = new Set<Origin>(['url', 'referrer', 'window-message', 'backend'])

function cutFields(fields: readonly string[], most: number): readonly string[] {
  return fields.length > most ? [...fields.slice(0, most), ANY_FIELD] : fields
}

/** Of a list: what lies in it is a part of its text. */
function isItem(field: string): boolean {
  return field === ANY_FIELD || isPlace(field)
}

function moveLabel(label: Label, move: string, most: number): Label | undefined {
  const [first, ...rest] = label.fields
  if (move.startsWith(CHECKED_FIELDS)) {
    const marks = marksOf(label.fields, move.slice(CHECKED_FIELDS.length))
    return marks && { ...label, cleaned: union(label.cleaned, marks) }
  }
  if (move === LISTED_ENTRIES || move === LISTED_KEYS) return moveListed(label, move)
  if (first !== undefined) {
    const fields = moveFields([first, ...rest], move)
    return fields && { ...label, fields: cutFields(fields, most) }
  }
  const [how, key = ANY_FIELD] = move.split(' ')
  if (move === ADDRESS_PART) return isAddress(label) ? readLabel(label, ADDRESS_PART) : undefined
  if (how === 'called' || how === 'function') return undefined
  if (how === 'get') return readLabel(label, key)
  if (how === 'without') return { ...label, cleaned: union(label.cleaned, [`${GONE}${key}`]) }
  // of what the model names, clients choose no keys
  const isClosed = label.type?.isClosed === true
  if (how === 'entries' && isClosed) return { ...label, fields: [ANY_ENTRY, '1'] }
  if (how !== 'keys') return label
  if (isClosed) return undefined
  return label.origin === 'backend' ? { ...label, cleaned: union(label.cleaned, NAME_CLEANS) } : label
}

/** Origins of what was read as JSON: of that only lists have `entries` and `keys`, and their keys are numbers. */
const OF_JSON: ReadonlySet<string> = new Set(['backend', 'storage'])

function moveListed(label: Label, move: string): Label | undefined {
  const [first, second] = label.fields
  // pairs, of which a map is made, and fields of an object
  const isOther = (first !== undefined && !isItem(first)) || isPlace(second)
  if (isOther || !OF_JSON.has(label.origin)) return label
  return move === LISTED_KEYS ? undefined : { ...label, fields: [ANY_ENTRY, '1', ...label.fields.slice(1)] }
}

function readLabel(whole: Label, name: string): Label | undefined {
  const given = withoutAddress(whole, name)
  if (name === STREAM_PIECE) return readPiece(given)
  const isPartly = given.fields.length === 0 && given.cleaned.some(isMark)
  // a list of few items: they may be long
  const isFew = given.fields.length === 0 && SHORT_CLEANS.some((one) => given.cleaned.includes(one))
  const kept = isFew ? given.cleaned.filter((one) => !SHORT_CLEANS.includes(one)) : given.cleaned
  const cleaned = isPartly ? marksBehind(kept, name) : kept
  if (cleaned === undefined) return undefined
  const label = withStage(isPartly || isFew ? { ...given, cleaned } : given, name)
  const [first, ...rest] = label.fields
  if (first !== undefined) {
    // `systems[index]` of a list whose items a function makes: the password is a field of the item
    if (name === ANY_FIELD && label.origin === 'credential' && /^[A-Za-z_$]/.test(first)) return label
    if (isSameField(first, name))
      return {
        ...label,
        fields: first === ANY_FIELD && rest.length === 0 && label.fields.length > MAX_FIELDS ? label.fields : rest,
      }
    // what a function makes of each item of a list is told as what it makes
    return isPlace(name) && !isPlace(first) ? label : undefined
  }
  const web = WEB_READS[label.origin]
  if (web !== undefined) {
    // of the text of an address that was split, what stands in front is the address still
    const field = label.origin === 'location' && isPlace(name) ? (name === '0' ? 'href' : ADDRESS_PART) : name
    const read = Object.hasOwn(web, field) ? web[field] : web[ANY_FIELD]
    return read && { ...label, origin: read.origin, cleaned: union(label.cleaned, read.cleaned ?? []) }
  }
  if (label.origin === 'upload') {
    if (KEPT_OF_UPLOAD.has(name)) return undefined
    return SENT_OF_UPLOAD.has(name) ? { ...label, origin: 'request' } : label
  }
  if (label.origin === 'claims' && FORMAL_CLAIMS.has(name)) return undefined
  if (label.origin === 'credentials') return readHeld(label, name)
  if (label.origin === 'credential' && name === 'length') return undefined
  const reads = READS[label.origin]
  // a field of data that somebody else sends is such data
  if (reads === undefined) return label.type === undefined ? label : readTyped(label, label.type, name)
  const origin = Object.hasOwn(reads, name) ? reads[name] : reads[ANY_FIELD]
  if (origin === undefined) return undefined
  const { types, ...plain } = label
  const type = label.origin === 'cap-request' && (name === 'data' || name === 'params') ? types?.[name] : undefined
  const isSent = label.origin === 'http-request' && ADDRESSES.has(name)
  return toTyped({ ...plain, origin, ...(isSent && { cleaned: union(label.cleaned, [RAW_ADDRESS]) }) }, type)
}

/** A field of an address that was parsed was decoded, too. */
function withoutAddress(label: Label, name: string): Label {
  if (!label.cleaned.includes(RAW_ADDRESS) || label.fields.length > 0 || isItem(name) || /^\d+$/.test(name)) return label
  return { ...label, cleaned: label.cleaned.filter((one) => one !== RAW_ADDRESS) }
}

/** Of the answer to a change its error is about that, and rows of a list are those of others. */
function withStage(label: Label, name: string): Label {
  if (label.fields.length > 0 || !label.cleaned.some((one) => STAGES.has(one))) return label
  const isOfRow = label.cleaned.includes(OF_ROW)
  const isReturn = !isOfRow && name === RETURN_FIELD
  if (!isReturn && !(isOfRow ? ERROR_FIELDS : TELLING_FIELDS).has(name) && !isItem(name)) return label
  const left = label.cleaned.filter((one) => !STAGES.has(one))
  return { ...label, cleaned: isItem(name) ? left : union(left, [isReturn ? RETURNED : ANSWERED]) }
}

const STAGES: ReadonlySet<string> = new Set([OF_CHANGE, OF_ROW, RETURNED])

/** Of a request the body; the pieces of other things are their items. */
function readPiece(label: Label): Label | undefined {
  const origin = label.fields.length === 0 ? READS[label.origin]?.[STREAM_PIECE] : undefined
  return origin && { ...label, origin }
}

/** Of what holds credentials, these and what holds them further in; what is read by a name that nobody knows may be all of it. */
function readHeld(label: Label, name: string): Label | undefined {
  if (SECRET_FIELDS.has(name) || SECRET_FIELDS.has(name.toLowerCase())) return { ...label, origin: 'credential' }
  return name === ANY_FIELD || /^\d+$/.test(name) || HOLDING_FIELDS.has(name) ? label : undefined
}

/** Items of lists are what the list is. */
function readTyped(label: Label, type: PayloadType, name: string): Label | undefined {
  if (name === ANY_FIELD || /^\d+$/.test(name)) return label
  const field = type.fields?.get(name)
  // of what the model does not name, it says nothing
  if (field === undefined && (label.origin === 'personal' || type.isClosed === true)) return undefined
  return toTyped(withoutType(label), field)
}

function toTyped(label: Label, type: PayloadType | undefined): Label {
  if (type === undefined) return label
  const { isText, isShort, writers } = type
  const kept = writers === undefined ? label.cleaned : label.cleaned.filter((one) => one !== OF_ROLES)
  const added = [
    ...(isText ? [] : [PLAIN_VALUE]),
    ...(isShort === true ? SHORT_CLEANS : []),
    ...(writers === 'roles' ? [OF_ROLES] : []),
  ]
  return { ...label, type, cleaned: added.length === 0 ? kept : [...new Set([...kept, ...added])].sort() }
}

function withoutType({ origin, fields, cleaned, concatenated, logged, weak, types }: Label): Label {
  return { origin, fields, cleaned, concatenated, logged, weak, ...(types !== undefined && { types }) }
}

/** Doubled quotes are enough between quotes alone, escaped tags outside of tags. */
function cleanedAt(cleaned: readonly string[], place: string): readonly string[] {
  if (place === IN_ADDRESS) return cleanedAsAddress(cleanedInTag(cleaned, place))
  if (place === IN_ATTRIBUTE || place === IN_CODE) return cleanedInTag(cleaned, place)
  if (place.endsWith(IN_TAG)) {
    const left = escapesTagsAlone(cleaned)
      ? cleaned.filter((one) => one !== TAGS_ESCAPED && !MARKUP_CLEANS.includes(one))
      : cleaned
    return cleanedAt(left, place.slice(0, -IN_TAG.length))
  }
  if (!cleaned.includes(QUOTED)) return cleaned
  const others = cleaned.filter((one) => one !== QUOTED)
  if (place === IN_QUOTES) return union(others, QUERY_CLEANS)
  return place === OUTSIDE_QUOTES ? others.filter((one) => !QUERY_CLEANS.includes(one)) : cleaned
}

/** What is enough between tags is not in the value of an attribute, which a quote ends; and browsers decode what is encoded before they run it. */
function cleanedInTag(cleaned: readonly string[], place: string): readonly string[] {
  const isEnough = place === IN_CODE ? isEncodedInCode(cleaned) : !escapesTagsAlone(cleaned)
  if (isEnough) return cleaned
  const left = cleaned.filter((one) => !HTML_FAULTS.includes(one))
  return union(left, [place === IN_CODE ? IN_HANDLER : OPEN_QUOTES])
}

function isEncodedInCode(cleaned: readonly string[]): boolean {
  const [code, ...others] = ENCODED_IN_CODE
  const isCode = code !== undefined && cleaned.includes(code)
  return isCode || (!cleaned.includes(AS_ENTITIES) && others.some((fault) => cleaned.includes(fault)))
}

/** `javascript:` has no character that is encoded: what begins an address has to be checked or to follow something fixed. */
function cleanedAsAddress(cleaned: readonly string[]): readonly string[] {
  const left = cleaned.filter((one) => !SHOWING_LINKS.has(one))
  const isEnough = left.length === cleaned.length || cleaned.includes(CHECKED_LINK) || cleaned.includes(PREFIXED)
  return isEnough ? cleaned : union(left, [ENCODED_ADDRESS])
}

function escapesTagsAlone(cleaned: readonly string[]): boolean {
  return cleaned.includes(TAGS_ESCAPED) && !cleaned.includes(QUOTES_ESCAPED)
}

function union(one: readonly string[], other: readonly string[]): readonly string[] {
  return other.length === 0 ? one : [...new Set([...one, ...other])].sort()
}
