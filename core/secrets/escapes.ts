import { createDecodedLayer, type Layer } from './layers.ts'

/** How often a text may have been escaped: JSON in a string of JSON. */
const ROUNDS = 2
const ESCAPE = /\\|%[0-9a-fA-F]{2}|&(?:#|amp;|quot;)/

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/** A window of a layer with its escapes read: those of JSON, JavaScript and properties, percent signs, character references of XML. Undefined: it has none. */
export function readEscapes(layer: Layer, from: number, to: number): Layer | undefined {
  const start = Math.max(0, from)
  const raw = layer.text.slice(start, to)
  if (!ESCAPE.test(raw)) return undefined
  let text = raw
  let starts = new Uint32Array(raw.length)
  let ends = new Uint32Array(raw.length)
  for (let index = 0; index < raw.length; index++) {
    starts[index] = start + index
    ends[index] = start + index + 1
  }
  for (let round = 0; round < ROUNDS && ESCAPE.test(text); round++) {
    let plain = ''
    let length = 0
    const newStarts = new Uint32Array(text.length)
    const newEnds = new Uint32Array(text.length)
    for (let at = 0; at < text.length;) {
      // most of a text is none
      const next = isEscapeSign(text.charCodeAt(at)) ? readCharacter(text, at) : undefined
      const width = next?.length ?? 1
      const character = next === undefined ? text[at] : next.character
      if (character !== '') {
        plain += character
        newStarts[length] = starts[at] ?? 0
        newEnds[length++] = ends[at + width - 1] ?? 0
      }
      at += width
    }
    text = plain
    starts = newStarts.subarray(0, length)
    ends = newEnds.subarray(0, length)
  }
  return createDecodedLayer(layer, text, starts, ends)
}

const BACKSLASH = 0x5c
const PERCENT = 0x25
const AMPERSAND = 0x26

function isEscapeSign(code: number): boolean {
  return code === BACKSLASH || code === PERCENT || code === AMPERSAND
}

interface ReadCharacter {
  /** One UTF-16 unit, or '' for a line that is continued. */
  readonly character: string
  readonly length: number
}

function readCharacter(text: string, at: number): ReadCharacter {
  const plain = text[at] ?? ''
  if (plain === '\\') return readBackslash(text, at)
  if (plain === '%') {
    const code = hexAt(text, at + 1, 2)
    // beyond ASCII it is a byte of a longer character
    return code === undefined || code >= 0x80 ? { character: plain, length: 1 } : toCharacter(code, 3)
  }
  if (plain === '&') return readReference(text, at)
  return { character: plain, length: 1 }
}

function readBackslash(text: string, at: number): ReadCharacter {
  const next = text[at + 1]
  if (next === undefined) return { character: '\\', length: 1 }
  if (next === 'u' || next === 'x') {
    const digits = next === 'u' ? 4 : 2
    const code = hexAt(text, at + 2, digits)
    if (code !== undefined) return toCharacter(code, 2 + digits)
  }
  if (next === '\n') return { character: '', length: 2 }
  if (next === '\r') return { character: '', length: text[at + 2] === '\n' ? 3 : 2 }
  return { character: CONTROLS.get(next) ?? next, length: 2 }
}

function readReference(text: string, at: number): ReadCharacter {
  const found = /^&(?:#x([0-9a-fA-F]{1,4})|#([0-9]{1,5})|(amp|quot));/.exec(text.slice(at, at + 9))
  if (found === null) return { character: '&', length: 1 }
  const [whole, hex, decimal, name] = found
  if (name !== undefined) return { character: name === 'amp' ? '&' : '"', length: whole.length }
  return toCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole.length)
}

function toCharacter(code: number, length: number): ReadCharacter {
  return { character: String.fromCharCode(code), length }
}

function hexAt(text: string, at: number, digits: number): number | undefined {
  const hex = text.slice(at, at + digits)
  return hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) ? Number.parseInt(hex, 16) : undefined
}
