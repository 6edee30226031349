import { readTextPieces } from '../text-pieces.ts'
import { escapeMarkup } from './characters.ts'

/** A text with the code in it as code. */
export function writeProse(text: string): string {
  return readTextPieces(text)
    .map((piece) => (piece.isCode ? `<code translate="no">${escapeMarkup(piece.text)}</code>` : escapeMarkup(piece.text)))
    .join('')
}
