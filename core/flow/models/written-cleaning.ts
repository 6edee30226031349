/** What code makes harmless by hand, by what it does to a text: the rules for which that is enough. */

/** A text that begins as a formula gets a quote in front. */
export const FORMULA_CLEANS: readonly string[] = ['ui5/formula-injection']
/** Quotes are doubled. */
export const QUERY_CLEANS: readonly string[] = ['cap/cql-injection']
/** Tags are escaped. */
export const MARKUP_CLEANS: readonly string[] = ['cap/reflected-xss']
/** Of a few characters: no engine of regular expressions is busy with them for long. */
export const SHORT_CLEANS: readonly string[] = ['cap/regex-denial-of-service']
/** Too little of it is left to use it: `key.slice(0, 6)`. */
export const EXCERPT_CLEANS: readonly string[] = ['cap/sensitive-log']
/** Hardly anything is left, such as a code of a language or a currency: no statement and no element of markup fits into it. */
export const FEW_CLEANS: readonly string[] = [...EXCERPT_CLEANS, ...SHORT_CLEANS, ...QUERY_CLEANS, ...MARKUP_CLEANS]
/** Names of properties of what a back end sends: columns of its tables, which nobody writes as a text. */
export const NAME_CLEANS: readonly string[] = ['ui5/binding-injection']
/** What a signed token says, which opens nothing without its signature: `Buffer.from(payload, 'base64url')`. Fact: RFC 7515, section 3. */
export const PAYLOAD_CLEANS: readonly string[] = ['cap/sensitive-log']
/** A mask: `text.replace(/.(?=.{3})/g, '*')`. */
export const MASK_CLEANS: readonly string[] = ['cap/sensitive-log', 'cap/log-injection']
/** A line of a log stays one line. */
export const LINE_CLEANS: readonly string[] = ['cap/log-injection']
/** Each character that means something in a pattern is escaped. */
export const PATTERN_CLEANS: readonly string[] = ['cap/code-injection']

/** Nothing is left but characters of a list. */
export const STRIPPED_CLEANS: readonly string[] = [
  'cap/reflected-xss',
  'cap/cql-injection',
  'cap/command-injection',
  'cap/code-injection',
  'cap/path-traversal',
]
/** Not where dots and slashes are among these. */
export const NOT_OF_PATHS = 'cap/path-traversal'
/** Not where dashes are put in: two of them begin a comment of SQL. */
export const NOT_OF_DASHES = 'cap/cql-injection'
