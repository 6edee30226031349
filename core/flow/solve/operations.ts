/** The operations of edges; what they do to a label says `labels.ts`. */
export const COPY = 0
/** Part of a text; the name says whether it stands between quotes, as far as the text is known. */
export const CONCAT = 1
export const IN_QUOTES = "'"
export const OUTSIDE_QUOTES = 'open'
/** The same inside of a tag or a script of markup. */
export const IN_TAG = ' tag'
/** The same of markup: the value of an attribute, of one that is code (`onclick`), the beginning of one that is an address which may be code (`href`). */
export const IN_ATTRIBUTE = 'attribute'
export const IN_CODE = 'code'
export const IN_ADDRESS = 'address'
/** The field of an object. */
export const READ = 2
/** Into the field of an object. */
export const WRITE = 3
/** Harmless for some faults from here on. */
export const CLEAN = 4
/** Through a log. */
export const LOG = 5
/** The field of what surely is an object: a text has none. */
export const FIELD = 6
/** The same value, or an object that holds it at once: what lies deeper is left out. */
export const SHALLOW = 7

/** A text of an object with all that lies in it. */
export const TEXT = 8

/** To another place in a list or a map, as `moveFields` does it; what needs that is the name. */
export const MOVE = 9

/** Decoded: what was harmless because it was encoded is so no longer. The name says for which rules. */
export const DECODE = 10

/** The value itself, where a text is asked for: nothing of what lies in an object. */
export const WHOLE = 11

/** The field that stands for the items of a list, and for fields that nobody can tell. */
export const ANY_FIELD = '*'
/** A piece of what a stream carries, of a request its body: `for await (const chunk of req)`, `req.on('data', (chunk) => …)`. */
export const STREAM_PIECE = '@piece'

/** The field of an event that holds what it is attached to. */
export const EVENT_SOURCE = '@source'

/** Begins the name of a store that is a namespace of the app: `my.app.Helper`. */
export const NAMESPACE_STORE = 'namespace '

/** Begins the name of a store that is what a module exports; the module's name follows, nothing for the own one. */
export const MODULE_STORE = 'module '
