import type { Span } from '../types.ts'
import { LIBRARY_BANNERS, LIBRARY_FILES } from './vendored-libraries.ts'

/** A library that was copied into the project. */
export interface VendoredLibrary {
  /** Its name at npm. */
  readonly package: string
  readonly version: string
  /** What tells: the line of the banner; undefined: the file's name alone. */
  readonly span?: Span
}

/** Banners are at the top, before any code but the wrapper of a module that loads everywhere (UMD). */
const HEAD = 2000
const WRAPPER =
  /^[\s(!;]{0,20}function\s?\([\w, ]{0,60}\)\s?\{[^/]{0,500}?\}\s{0,5}\((?:this,\s?)?\(?function\s?\([\w, ]{0,60}\)\s?\{\s{0,20}(?:['"]use strict['"];?)?/
const LEADING = /^(?:\s|;|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*/
/** A sentence goes on with a word; a banner ends, or goes on with who wrote it. */
const BEHIND = String.raw`(?=(?![\d.])[ \t]{0,10}(?:$|[|(,*<+@\r-]|https?:|Copyright|lodash\.com|underscorejs\.org))`
const VERSION = String.raw`\d{1,4}\.\d{1,4}\.\d{1,4}`

interface Pattern {
  readonly package: string
  readonly line: RegExp
  readonly version: RegExp | undefined
}

const PATTERNS: readonly Pattern[] = LIBRARY_BANNERS.map((banner) => ({
  package: banner.package,
  // in a line of its own: behind nothing but what makes a comment, and the semicolon before it
  line: new RegExp(
    `^[ \\t/*!;]{0,20}(?:@(?:license|preserve) {1,4})?(?:${banner.line.replace('(V)', `(${VERSION})`)})${banner.version === undefined ? BEHIND : ''}`,
    'm',
  ),
  version: banner.version,
}))

/** A word of each banner, so that most scripts are looked at once. */
const ANY =
  /jQuery|lodash|Lo-?dash|Lo-Dash|Underscore|moment|handlebars|AngularJS|[Bb]ootstrap|DOMPurify|JSZip|SheetJS|Vue\.js|Chart\.js|Mozilla|CKSource|TinyMCE|Tiny|axios|Axios|jsPDF|marked|markdown-it|ighlight\.js|showdown|Quill|DataTables|Papa Parse|CryptoJS|Knockout|Select2|pdfmake|nunjucks/

/** `jquery-3.4.1.min.js`, `handlebars-v4.0.5.js`. */
const NAMED = new RegExp(
  `^([a-z][a-z.-]{1,30}?)(?:\\.(?:js|slim|full|core))?[-._]v?(${VERSION})(?:[.-](?:min|slim|full|bundle|all|custom|prod))*\\.m?js$`,
)

/** The library that a script is a copy of, as its banner or else its name tells. Linear. */
export function identifyLibrary(path: string, text: string): VendoredLibrary | undefined {
  const start = WRAPPER.exec(text.slice(0, HEAD))?.[0].length ?? 0
  const head = text.slice(0, start) + (LEADING.exec(text.slice(start, start + HEAD))?.[0] ?? '')
  if (ANY.test(head)) {
    for (const pattern of PATTERNS) {
      const found = read(pattern, head, text)
      if (found !== undefined) return found
    }
  }
  const [, name = '', version = ''] = NAMED.exec(path.slice(path.lastIndexOf('/') + 1).toLowerCase()) ?? []
  const named = LIBRARY_FILES.get(name)
  return named === undefined ? undefined : { package: named, version }
}

function read({ package: name, line, version }: Pattern, head: string, text: string): VendoredLibrary | undefined {
  const banner = line.exec(head)
  if (banner === null) return undefined
  const inside = version?.exec(text)
  const found = version === undefined ? banner[1] : inside?.[1]
  if (found === undefined) return undefined
  const match = inside ?? banner
  const written = match[0].replace(/^[ \t/*!;]+/, '')
  const start = match.index + match[0].length - written.length
  return { package: name, version: found, span: { start, end: start + written.length } }
}
