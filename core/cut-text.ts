/** Stands where a text was cut: what is masked later knows by it that the text went on. */
export const ELLIPSIS = '…'

/** At most so many characters of a text, and a mark where it was cut. */
export function cutText(text: string, most: number): string {
  return text.length > most ? text.slice(0, most) + ELLIPSIS : text
}
