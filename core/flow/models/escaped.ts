/** Quotes in it are doubled: right between quotes, and of no use elsewhere in a query. */
export const QUOTED = 'quoted'

/** Tags are escaped in it, and no quotes: right between tags, and of no use in the value of an attribute. */
export const TAGS_ESCAPED = 'tags-escaped'
/** So are its quotes. */
export const QUOTES_ESCAPED = 'quotes-escaped'

/** Quotes in it are entities: what decodes these, as a browser does before it runs an attribute, has the quotes again. */
export const AS_ENTITIES = 'as-entities'
