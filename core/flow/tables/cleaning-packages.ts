import { TAGS_ESCAPED } from '../models/escaped.ts'

/** What encodes a text for markup: `require('escape-html')(text)`, `he.encode(text)`. */
const MARKUP = [
  'escape-html',
  'lodash escape',
  'lodash/escape',
  'lodash.escape',
  'underscore escape',
  'he encode',
  'he escape',
  'html-escaper escape',
  'html-entities encode',
  'entities escape',
  'entities encodeHTML',
  'entities escapeText',
  'validator escape',
  'xss',
  'xss filterXSS',
  'sanitize-html',
  'insane',
  'ejs escapeXML',
  'handlebars escapeExpression',
  'handlebars Utils escapeExpression',
  'xml-escape',
  'escape-goat htmlEscape',
  // Fact: ent 2 (README, "encode")
  'ent encode',
  'ent/encode',
  // Facts: stringify-entities 3 and 4 (readme, "Algorithm")
  'stringify-entities',
  'stringify-entities stringifyEntities',
  'stringify-entities stringifyEntitiesLight',
  // Fact: htmlencode 0.0.5 (README, "Usage"): quotes too
  'htmlencode htmlEncode',
  'htmlencode Encoder new htmlEncode',
  ...['inSingleQuotedAttr', 'inDoubleQuotedAttr', 'inUnQuotedAttr'].map((it) => `xss-filters ${it}`),
]

/** What percent-encodes an address, its quotes and angle brackets included: it leads where it led before. Fact: encodeurl 2 (README). */
const ADDRESSES = ['encodeurl']

/** What leaves a name of a file without separators. */
const FILE_NAMES = ['sanitize-filename', 'filenamify', 'filenamify filenamify', 'slugify']

/** What leaves letters, digits and hyphens. */
const SLUGS = [
  'slug',
  '@sindresorhus/slugify',
  'lodash kebabCase',
  'lodash snakeCase',
  'lodash camelCase',
  'lodash/kebabCase',
  'lodash.kebabcase',
  // Fact: github-slugger 2 (readme, "Usage"): letters, digits, `-` and `_` are left
  'github-slugger slug',
  'github-slugger new slug',
  // Fact: change-case 5 (README, "Usage"; dist/index.js): letters and digits of any script are left, with hyphens between
  'change-case kebabCase',
]

/** What quotes one word of a command. */
const SHELL_WORDS = ['shell-quote quote', 'shell-escape', 'any-shell-escape', 'shescape Shescape new quote', 'puka quoteForShell']

/** What escapes a text for a regular expression. */
const PATTERNS = ['escape-string-regexp', 'lodash escapeRegExp', 'lodash/escapeRegExp', 'lodash.escaperegexp', 'regexp.escape']

/** What writes a value into SQL between its own quotes. */
const SQL_VALUES = [
  'sqlstring escape',
  'sqlstring escapeId',
  'sqlstring format',
  'pg-format',
  'pg-format literal',
  'pg-format ident',
]

/** Packages by what they make harmless. Facts: their documentation at npm. */
export const CLEANING_PACKAGES: readonly (readonly [path: string, rules: readonly string[]])[] = [
  ...rows(MARKUP, 'cap/reflected-xss'),
  // Fact: xss-filters 1.2 (README, "The API")
  ...rows(['xss-filters inHTMLData'], 'cap/reflected-xss', TAGS_ESCAPED),
  ...rows(ADDRESSES, 'cap/reflected-xss', 'cap/log-injection'),
  ...rows(FILE_NAMES, 'cap/path-traversal', 'cap/zip-slip'),
  ...rows(
    SLUGS,
    'cap/path-traversal',
    'cap/zip-slip',
    'cap/cql-injection',
    'cap/command-injection',
    'cap/code-injection',
    'cap/reflected-xss',
    'cap/log-injection',
  ),
  ...rows(SHELL_WORDS, 'cap/command-injection'),
  ...rows(PATTERNS, 'cap/code-injection'),
  ...rows(SQL_VALUES, 'cap/cql-injection'),
]

function rows(paths: readonly string[], ...rules: readonly string[]): (readonly [string, readonly string[]])[] {
  return paths.map((path) => [`module:${path}`, rules])
}

/** Of these the one that lets all elements through where it is told so. Fact: documentation of sanitize-html 2, "Allowing all tags". */
export const LETTING_ALL: RegExp = /^module:sanitize-html(?: default)?$/
