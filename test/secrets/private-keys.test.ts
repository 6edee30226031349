import { describe, expect, test } from 'vitest'
import { drawSecret } from '../secret-values.ts'
import { openCredentials } from './open-credentials.ts'

const pem = drawSecret('pkcs8-key', 'keys')
const lines = pem.split('\n')
const [header = '', ...rest] = lines
const footer = rest.pop() ?? ''
const body = rest.join('')

function keysIn(text: string): { body: string; written: string; label: string; isEncrypted: boolean; isWhole: boolean }[] {
  return openCredentials(text)
    .privateKeys()
    .map(({ label, body, span, isEncrypted, isWhole }) => ({
      label,
      body,
      isEncrypted,
      isWhole,
      written: text.slice(span.start, span.end),
    }))
}

describe('however it is written, it is the same key', () => {
  test.each<[string, string, string?]>([
    ['as it is', pem],
    ['CRLF', lines.join('\r\n')],
    ['CR', lines.join('\r')],
    ['on one line', lines.join(' ')],
    ['without line ends', lines.join('')],
    ['indented', lines.join('\n        ')],
    ['with tabs', lines.join('\n\t')],
    ['\\n', lines.join('\\n')],
    ['\\r\\n', lines.join('\\r\\n')],
    ['\\\\n of JSON in JSON', lines.join('\\\\n')],
    ['escaped slashes and signs', lines.join('\\n').replaceAll('/', '\\/').replaceAll('+', '\\u002b').replaceAll('=', '\\u003d')],
    ['added up', lines.join("\\n' +\n    '")],
    ['added up, the sign first', lines.join('\\n"\n  + "')],
    ['an array of lines', lines.join('",\n "')],
    ['PHP', lines.join("' .\n'")],
    ['Visual Basic', lines.join('" & _\n "')],
    ['a shell string that goes on', lines.join('\\\n')],
    ['commented out', lines.join('\n// ')],
    ['commented out with #', lines.join('\n# ')],
    ['in a block comment', lines.join('\n * ')],
    ['XML', lines.join('&#10;')],
    ['XML, hexadecimal', lines.join('&#xD;&#xA;')],
  ])('%s', (_, written) => {
    const text = `é key = "${written}" end`
    expect(keysIn(text)).toEqual([{ body: body.replaceAll('=', ''), written, label: '', isEncrypted: false, isWhole: true }])
  })

  test('without a footer it ends with its last line', () => {
    const cut = [header, ...rest].join('\n')
    expect(keysIn(`${cut}\n\nmore text here`)[0]?.written.length).toBeGreaterThanOrEqual(cut.length)
  })
})

describe('kinds', () => {
  test.each([
    ['rsa-key', 'RSA', false],
    ['ec-key', 'EC', false],
    ['ed25519-key', '', false],
    ['openssh-key', 'OPENSSH', false],
    ['openssh-key-locked', 'OPENSSH', true],
    ['pkcs8-key-locked', 'ENCRYPTED', true],
    ['rsa-key-locked', 'RSA', true],
  ])('%s', (kind, label, isEncrypted) => {
    expect(keysIn(drawSecret(kind, 'kinds')).map((key) => [key.label, key.isEncrypted, key.isWhole])).toEqual([
      [label, isEncrypted, true],
    ])
  })

  test('the lines of an encrypted one may be escaped too', () => {
    expect(keysIn(drawSecret('rsa-key-locked', 'kinds').replaceAll('\n', '\\n')).map((key) => key.isEncrypted)).toEqual([true])
  })

  test.each(['certificate', 'public-key'])('no %s', (kind) => expect(keysIn(drawSecret(kind, 'kinds'))).toEqual([]))
})

describe('none', () => {
  test.each([
    ['a header alone', header],
    ['header and footer', `${header}\n${footer}`],
    ['a variable between', `${header}\\n\${key}\\n${footer}`],
    ['a concatenation', `"${header}\\n" + body + "\\n${footer}"`],
    ['a sign of another alphabet', `${header}\n${body.slice(0, 60)}…\n${footer}`],
    ['too short', `${header}\n${body.slice(0, 90)}\n${footer}`],
    ['one character', `${header}\n${'A'.repeat(400)}\n${footer}`],
    ['no SEQUENCE', `${header}\nz${body.slice(1)}\n${footer}`],
    ['PGP', pem.replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
    ['a footer first', `${footer}\n${body}`],
    ['a label that is none', pem.replaceAll('PRIVATE KEY', 'a long story of a PRIVATE KEY')],
  ])('%s', (_, text) => expect(keysIn(text)).toEqual([]))
})

test('a length that does not fit is told', () => {
  expect(keysIn([header, ...rest.slice(0, 10), footer].join('\n')).map((key) => key.isWhole)).toEqual([false])
})

test('many in one file', () => {
  expect(keysIn(`${pem}\n${drawSecret('certificate', 'x')}\n${drawSecret('rsa-key', 'x')}\n${pem}`).length).toBe(3)
})
