import { Refusal } from '../errors.ts'
import type { SourceEntry } from '../types.ts'
import { openArchive } from './archive.ts'
import { decodeText } from './decode.ts'

/** Of the parts that hold text; what a file of this kind is packed to counts so much in the limits of a scan. */
const MOST_RATIO = 20
const MOST_PARTS = 5000

/** Facts: ECMA-376, parts of WordprocessingML, SpreadsheetML and PresentationML as their programs name them. */
const TEXT_PART =
  /^(?:word\/(?:document|comments|footnotes|endnotes|header\d{0,3}|footer\d{0,3})\.xml|xl\/(?:sharedStrings|comments\d{0,3})\.xml|ppt\/(?:slides\/slide|notesSlides\/notesSlide)\d{1,4}\.xml)$/

/** A tag by its name, with those of text and drawings without their prefix. */
const TAG = /^(\/?)(?:[aw]:)?([A-Za-z]{1,12})(?![\w:.-])/
const RUNS: ReadonlySet<string> = new Set(['t', 'delText', 'instrText'])
/** What ends a line: a paragraph, a shared string, a break. */
const ENDINGS: ReadonlySet<string> = new Set(['/p', '/si', 'br', 'cr'])

const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

/**
 * A document of Office Open XML as an entry that reads as UTF-8 text, a paragraph on each line. It is an archive in itself, so it passes the same gate, in memory, and of it
 * only parts with text are inflated, up to twenty times the size of the file, which is the size that the entry says. What is no such archive, a damaged or encrypted
 * one, or one that becomes more than that, stays as it is: binary. It never throws for what the document holds.
 */
export function toTextEntry({ path, size, read }: SourceEntry): SourceEntry {
  return {
    path,
    size: size * MOST_RATIO,
    read() {
      const raw = read()
      if (raw === undefined) return undefined
      try {
        const text = readParts(raw)
        return text === undefined ? raw : new TextEncoder().encode(text)
      } catch (error) {
        if (error instanceof Refusal) return raw
        throw error
      }
    },
  }
}

/** Undefined: more than the ratio allows. */
function readParts(raw: Uint8Array): string | undefined {
  let room = raw.length * MOST_RATIO
  const lines: string[] = []
  for (const entry of openArchive(raw, { entries: MOST_PARTS }).entries) {
    if (!TEXT_PART.test(entry.path)) continue
    room -= entry.size
    if (room < 0) return undefined
    const bytes = entry.read()
    lines.push(toText((bytes && decodeText(bytes)?.text) ?? ''))
  }
  return lines.join('\n')
}

/** Runs joined as they are read: programs divide a word among several. Quotes that a program has curled are straight again. */
function toText(xml: string): string {
  const pieces: string[] = []
  for (const piece of xml.split('<')) {
    const [, slash = '', name = ''] = TAG.exec(piece.slice(0, 24)) ?? []
    if (ENDINGS.has(slash + name)) pieces.push('\n')
    else if (slash === '' && name === 'tab') pieces.push('\t')
    else if (slash === '' && RUNS.has(name)) pieces.push(unescape(piece.slice(piece.indexOf('>') + 1)))
  }
  return pieces.join('')
}

function unescape(text: string): string {
  return text
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
    })
    .replaceAll(/[\u201c\u201d\u201e]/g, '"')
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll('\u00a0', ' ')
}
