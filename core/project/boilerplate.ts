import { fileNameOf } from '../paths.ts'
import { BOILERPLATE } from './boilerplate-lines.ts'

/** A template that generators of SAP write into every app, known by the hashes of its lines over several versions. */
interface Template {
  /** Its name in the generator, for people. */
  readonly name: string
  /** A text that stands in each version of it: what does not have it is not compared. */
  readonly mark: string
  readonly hashes: ReadonlySet<number>
}

/** A line that says nothing: brackets and short words. */
const LEAST_LINE = 12
/** Lines that have to be known for a file to be one of a generator: names of the app and a later edit leave most of them as they were. */
const LEAST_KNOWN = 15
const LEAST_SHARE = 0.85
/** No template is longer. */
const MAX_TEXT = 64 * 1024

const TEMPLATES: readonly Template[] = BOILERPLATE.map(({ name, mark, lines }) => ({
  name,
  mark,
  hashes: new Set(lines.split(' ').map((one) => parseInt(one, 36))),
}))

/** Words of which each template has one, whatever version it is of. */
export const BOILERPLATE_KEYWORDS: readonly string[] = TEMPLATES.map(({ mark }) => mark)

/**
 * Pages that SAP Web IDE writes anew for each preview and keeps out of deployments, with a text that stands in each of them: a name alone may be anybody's.
 * Fact: the .gitignore of its templates, which names them.
 */
const PREVIEWS: ReadonlyMap<string, string> = new Map([
  ['extended_runnable_file.html', 'sap_webide_FacadePreview'],
  ['fioriHtmlRunner.html', 'fioriHtmlBuilder-display'],
])

/**
 * The list of services that `dev-cap-tools gen-entrypoint` of @sap/dev-cap-tools writes anew for each start on a developer's machine: a view of its own below `assets`, and links to
 * `$fiori-preview`, which CAP serves in development alone.
 */
const ENTRY_POINT: readonly string[] = ['.extend("PreviewController"', 'viewName: "assets.Preview"', '{"Services":[']

/** The page of a preview that a path names and its text shows. */
export function previewPageOf(path: string, text: string): string | undefined {
  const name = fileNameOf(path)
  if (text.length > MAX_TEXT) return undefined
  if (name === 'index.html') return ENTRY_POINT.every((mark) => text.includes(mark)) ? 'gen-entrypoint' : undefined
  const mark = PREVIEWS.get(name)
  return mark !== undefined && text.includes(mark) ? name : undefined
}

/** The template of SAP's generators that a file was written from; undefined: of none, or it was changed too much. Linear in the text. */
export function boilerplateOf(text: string): string | undefined {
  if (text.length > MAX_TEXT) return undefined
  return TEMPLATES.find(({ mark, hashes }) => text.includes(mark) && isWrittenFrom(text, hashes))?.name
}

function isWrittenFrom(text: string, hashes: ReadonlySet<number>): boolean {
  let [all, known] = [0, 0]
  for (const hash of lineHashes(text)) {
    all++
    if (hashes.has(hash)) known++
  }
  return known >= LEAST_KNOWN && known >= all * LEAST_SHARE
}

/** Hashes of the lines that say something, white space, quotes and line comments aside: formatters change these. */
export function* lineHashes(text: string): Iterable<number> {
  for (const line of text.split('\n')) {
    const comment = line.search(/(?:^|\s)\/\//)
    const folded = (comment === -1 ? line : line.slice(0, comment)).replaceAll(/[\s"'`;,]/g, '')
    if (folded.length >= LEAST_LINE) yield hashLine(folded)
  }
}

/** FNV-1a, 32 bits. */
function hashLine(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
