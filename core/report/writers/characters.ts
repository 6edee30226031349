import { showControls } from '../snippet.ts'

const MAX_LINE = 1000

/** Text of a project for people to read: characters that reorder, hide or command are shown, and half characters replaced. */
export function toVisible(text: string): string {
  return showControls(text.toWellFormed()).replaceAll(/[\ufffe\uffff]/g, '\ufffd')
}

/** The same on one line, cut where it is longer than a reader would follow. */
export function toLine(text: string, limit: number = MAX_LINE): string {
  // cut first: what was cut off need not be looked at
  const cut = text.length > limit ? `${text.slice(0, limit)}\u2026` : text
  return toVisible(cut).replaceAll(/\s+/g, ' ').trim()
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text inside an element or a quoted attribute of XML or HTML. */
export function escapeMarkup(text: string): string {
  return toVisible(text).replaceAll(/[&<>"']/g, (character) => XML_ENTITIES[character] ?? character)
}

/** A path as a relative URI; its first segment can't be taken for a scheme. */
export function toRelativeUri(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}

/** Text inside Markdown that is neither markup, nor a link, nor a mention of a user. */
export function escapeMarkdown(text: string): string {
  return toVisible(text)
    .replaceAll(/[\\`*_[\]{}()<>#|~&!+$]/g, '\\$&')
    .replaceAll(/:\/\/|(?<=www)\./gi, (part) => part.replaceAll(/[/.]/g, '\\$&'))
    .replaceAll('@', '@<!-- -->')
}
