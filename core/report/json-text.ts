/** JSON text in which characters that reorder or end lines stay escaped, so that a terminal or a log that shows it is not fooled. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
