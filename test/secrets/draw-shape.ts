/** Bytes that follow from a seed. */
export interface Dice {
  /** A number from 0 to `count` - 1. */
  below(count: number): number
}

/** Mulberry32: small, and the same everywhere. */
export function createDice(seed: string): Dice {
  let state = [...seed].reduce((sum, sign) => Math.imul(sum ^ sign.charCodeAt(0), 0x01000193), 0x811c9dc5)
  return {
    below(count) {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
      return ((mixed ^ (mixed >>> 14)) >>> 0) % count
    },
  }
}

/** How many of a repeated part are drawn. */
export type Amount = 'least' | 'any'

/** Draws a text that a shape of the token table fits: literals, classes, groups with alternatives, bounded quantifiers. Throws for any other sign. */
export function drawShape(shape: string, dice: Dice, amount: Amount = 'any'): string {
  const { text, end } = drawSequence(shape, 0, dice, amount)
  if (end !== shape.length) throw new Error(`no end: ${shape}`)
  return text
}

function drawSequence(shape: string, start: number, dice: Dice, amount: Amount): { text: string; end: number } {
  const options: string[] = []
  let text = ''
  let at = start
  while (at < shape.length && shape[at] !== ')') {
    if (shape[at] === '|') {
      options.push(text)
      text = ''
      at++
      continue
    }
    const { draw, end } = readAtom(shape, at, dice, amount)
    const { least, most, end: next } = readQuantifier(shape, end)
    // of what may be long a little more than must be: the most is the same test
    const count = amount === 'least' ? least : least + dice.below(Math.min(most - least, 12) + 1)
    for (let index = 0; index < count; index++) text += draw()
    at = next
  }
  options.push(text)
  return { text: options[dice.below(options.length)] ?? '', end: at }
}

function readAtom(shape: string, at: number, dice: Dice, amount: Amount): { draw: () => string; end: number } {
  const sign = shape[at] ?? ''
  if (sign === '(') {
    const { end } = drawSequence(shape, at + 3, createDice(''), amount)
    return { draw: () => drawSequence(shape, at + 3, dice, amount).text, end: end + 1 }
  }
  if (sign === '[') {
    const end = shape.indexOf(']', at)
    const characters = expand(shape.slice(at + 1, end))
    return { draw: () => characters[dice.below(characters.length)] ?? '', end: end + 1 }
  }
  if (sign === '\\') return { draw: () => shape[at + 1] ?? '', end: at + 2 }
  if (/[.*+?{}^$]/.test(sign)) throw new Error(`${sign} in ${shape}`)
  return { draw: () => sign, end: at + 1 }
}

function expand(inside: string): readonly string[] {
  const characters: string[] = []
  for (let at = 0; at < inside.length; at++) {
    if (inside[at + 1] === '-' && at + 2 < inside.length) {
      for (let code = inside.charCodeAt(at); code <= inside.charCodeAt(at + 2); code++) characters.push(String.fromCharCode(code))
      at += 2
    } else characters.push(inside[at] ?? '')
  }
  return characters
}

function readQuantifier(shape: string, at: number): { least: number; most: number; end: number } {
  if (shape[at] === '?') return { least: 0, most: 1, end: at + 1 }
  const found = /^\{(\d+)(?:,(\d+))?\}/.exec(shape.slice(at))
  if (found === null) return { least: 1, most: 1, end: at }
  const [whole, least = '1', most = least] = found
  return { least: Number(least), most: Number(most), end: at + whole.length }
}
