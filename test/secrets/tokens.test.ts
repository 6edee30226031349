import { describe, expect, test } from 'vitest'
import { hasChecksum } from '../../core/secrets/checksum.ts'
import { BINDING_SECRET } from '../../core/secrets/index.ts'
import { WORD, type TokenShape } from '../../core/secrets/tokens.ts'
import { drawSecret } from '../secret-values.ts'
import { openCredentials } from './open-credentials.ts'

/** A prefix token as later rows of the table will be. */
const PREFIX: TokenShape = {
  name: 'prefix',
  keywords: ['zzp_'],
  lead: 0,
  pattern: /zzp_[A-Za-z0-9]{36}/y,
  longest: 40,
  before: WORD,
  after: /[A-Za-z0-9]/,
}

const token = `zzp_${drawSecret('password', 'a').slice(0, 18)}${drawSecret('password', 'b').slice(0, 18)}`
const binding = drawSecret('sap-binding', 'tokens')

function tokensOf(text: string, shape: TokenShape = PREFIX): string[] {
  const file = openCredentials(text, { keywords: shape.keywords })
  return file
    .tokens(shape)
    .map(({ value, span }) => `${value === text.slice(span.start, span.end) ? 'as written' : 'decoded'} ${value} ${span.start}`)
}

describe('prefix tokens', () => {
  test.each(['', ' ', '"', '=', ':', '/', '-', '$', 'ü', '\n', '('])('%j may stand before and after', (sign) => {
    expect(tokensOf(`${sign}${token}${sign}`)).toEqual([`as written ${token} ${sign.length}`])
  })

  test.each([
    `a${token}`,
    `_${token}`,
    `0${token}`,
    `${token}a`,
    `${token}0`,
    token.slice(0, -1),
    token.replace('zzp', 'ZZP'),
    `zzp_ ${token.slice(4)}`,
  ])('no token: %#', (text) => {
    expect(tokensOf(text)).toEqual([])
  })

  test('many on a line, in order, each once', () => {
    expect(tokensOf(`${token} ${token},${token}`).length).toBe(3)
  })

  test('what a shape accepts', () => {
    const shape: TokenShape = { ...PREFIX, accepts: (value) => hasChecksum(value.slice(4)) }
    expect(tokensOf(token, shape)).toEqual([])
  })

  test('where offsets of bytes and of the text differ', () => {
    expect(tokensOf(`é😀\r\n${token}`)).toEqual([`as written ${token} 5`])
  })
})

describe('secrets of bindings', () => {
  test.each([
    ['plain', binding, 0],
    ['upper-case digits of the GUID', binding.slice(0, 36).toUpperCase() + binding.slice(36), 0],
    ['after a sign', `'${binding}'`, 1],
    ['after an escaped line end', `\\n${binding}`, 2],
  ])('%s', (_, text, start) => {
    const [found] = openCredentials(text).tokens(BINDING_SECRET)
    expect(found?.span).toEqual({ start, end: start + 81 })
  })

  test.each([
    ['JSON that is safe in HTML', binding.replace('=', '\\u003d')],
    ['JSON in JSON', binding.replace('=', '\\\\u003d')],
    ['an address', binding.replace('$', '%24').replace('=', '%3D')],
    ['an escaped dollar', binding.replace('$', '\\u0024')],
    ['properties', binding.replace('=', '\\=')],
    ['a continued line', `${binding.slice(0, 50)}\\\n${binding.slice(50)}`],
  ])('%s', (_, written) => {
    const text = `secret: "${written}"`
    const [found, ...more] = openCredentials(text).tokens(BINDING_SECRET)
    expect(more).toEqual([])
    expect(found?.value).toBe(binding)
    expect(found && text.slice(found.span.start, found.span.end)).toBe(written)
  })

  test.each([
    ['another length', binding.replace('=', 'A=')],
    ['longer to the left', `a${binding}`],
    ['longer to the right', `${binding}=`],
    ['a blank one', drawSecret('sap-binding-blank', 'x')],
    ['no GUID', binding.slice(1)],
  ])('none: %s', (_, text) => {
    expect(openCredentials(text).tokens(BINDING_SECRET)).toEqual([])
  })

  test('a lock file is left to its URLs', () => {
    expect(openCredentials(`"${binding}"`, { path: 'yarn.lock' }).tokens(BINDING_SECRET)).toEqual([])
  })
})
