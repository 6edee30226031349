// Characters that YAML gives a meaning stand for themselves in a private area while a template is read as YAML.
const PRIVATE = 0xf700
const HIDDEN = /[\uF721-\uF77E]/gu
/** The end of an action that indents what it gives. */
const BLOCK = /\|\s{0,20}nindent\s{1,20}\d{1,3}\s{0,20}-?\}\}$/u
const MEANINGFUL = /[!-/:-@[-`{-~]/gu

/**
 * Hides template actions (`{{ … }}` of Helm, GitHub and others) from a YAML parser, every offset kept: one within a line becomes plain characters
 * that `showTemplates` turns back, lines that hold nothing else become blank. `blocks`: what ends in `nindent` becomes blank too, for it begins with a
 * line end of its own and may be followed by more of its block.
 */
export function hideTemplates(text: string, blocks = false): string {
  const pieces: string[] = []
  let done = 0
  for (let open = text.indexOf('{{'); open !== -1; open = text.indexOf('{{', done)) {
    const end = groupEnd(text, open)
    if (end === undefined) break
    const action = text.slice(open, end)
    const alone = isBlankAfter(text, end) && (isBlankBefore(text, open) || (blocks && BLOCK.test(action)))
    pieces.push(
      text.slice(done, open),
      alone ? action.replace(/[^\r\n]/gu, (character) => ' '.repeat(character.length)) : hide(action),
    )
    done = end
  }
  pieces.push(text.slice(done))
  return pieces.join('')
}

/** The text of a scalar as it was written before `hideTemplates`. */
export function showTemplates(text: string): string {
  return text.replace(HIDDEN, (character) => String.fromCharCode(character.charCodeAt(0) - PRIVATE))
}

function hide(action: string): string {
  return action
    .replace(MEANINGFUL, (character) => String.fromCharCode(character.charCodeAt(0) + PRIVATE))
    .replace(/[\r\n]/gu, ' ')
}

/** The end of the actions that begin at `open` and follow each other with nothing but blanks in between. */
function groupEnd(text: string, open: number): number | undefined {
  let end: number | undefined
  for (let next = open; text.startsWith('{{', next);) {
    const close = text.indexOf('}}', next + 2)
    if (close === -1) break
    end = close + 2
    next = end
    while (isBlank(text, next)) next++
  }
  return end
}

function isBlankBefore(text: string, offset: number): boolean {
  let at = offset - 1
  while (at >= 0 && isBlank(text, at)) at--
  return at < 0 || isLineEnd(text, at)
}

function isBlankAfter(text: string, offset: number): boolean {
  let at = offset
  while (isBlank(text, at)) at++
  return at >= text.length || isLineEnd(text, at)
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x20 || code === 0x09
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 0x0a || code === 0x0d
}
