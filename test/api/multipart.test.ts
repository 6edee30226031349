import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRefusal } from '../../core/errors.ts'
import { createPartsReader, parseMultipart, readBoundary, type Part } from '../../handlers/_multipart.ts'
import { runs } from '../soak.ts'
import { describeMatrix } from './matrix.ts'
import { createFixture, createForm } from './sample.ts'
import { cpuTime } from '../cpu-time.ts'

const FILE = 'Content-Disposition: form-data; name="project"; filename="shop.zip"'
const part = (headers: string, content = 'x'): string => `--b\r\n${headers}\r\n\r\n${content}\r\n`
const TYPE = 'multipart/form-data; boundary=b'

/** Content-Type, body, and what comes of it: a code, or the label of the file. */
const TORTURE: readonly (readonly [string, string, string, string])[] = [
  ['a plain file', TYPE, `${part(FILE)}--b--\r\n`, 'shop.zip'],
  ['no line break at the end', TYPE, `${part(FILE)}--b--`, 'shop.zip'],
  ['text before and after', TYPE, `hello\r\n${part(FILE)}--b--\r\nbye\r\n--b\r\n`, 'shop.zip'],
  ['blanks behind the boundary', TYPE, `--b \t \r\n${FILE}\r\n\r\nx\r\n--b--`, 'shop.zip'],
  ['a quoted boundary', 'Multipart/Form-Data; charset=utf-8; Boundary="b"', `${part(FILE)}--b--`, 'shop.zip'],
  ['a longer text like the boundary', TYPE, `${part(FILE, 'a\r\n--bc\r\n--b-\r\nz')}--b--`, 'shop.zip'],
  [
    'headers in other case',
    TYPE,
    `${part(FILE.replace('Content-Disposition: form-data', 'CONTENT-DISPOSITION:Form-Data'))}--b--`,
    'shop.zip',
  ],
  ['name as a token', TYPE, `${part('Content-Disposition: form-data; name=project; filename=shop.zip')}--b--`, 'shop.zip'],
  [
    'filename*',
    TYPE,
    `${part(`Content-Disposition: form-data; name="project"; filename="x.zip"; filename*=UTF-8''caf%C3%A9.zip`)}--b--`,
    'café.zip',
  ],
  ['a broken filename*', TYPE, `${part(`${FILE}; filename*=UTF-8''%ff%zz`)}--b--`, 'shop.zip'],
  [
    'a path in the filename',
    TYPE,
    `${part('Content-Disposition: form-data; name="project"; filename="C:\\Users\\me\\shop.zip"')}--b--`,
    'shop.zip',
  ],
  [
    'a path upwards',
    TYPE,
    `${part('Content-Disposition: form-data; name="project"; filename="../../etc/shop.zip"')}--b--`,
    'shop.zip',
  ],
  [
    'quotes in the filename',
    TYPE,
    `${part('Content-Disposition: form-data; name="project"; filename="a \\"b\\" c.zip"')}--b--`,
    'a "b" c.zip',
  ],
  [
    'control characters in the filename',
    TYPE,
    `${part('Content-Disposition: form-data; name="project"; filename="a\u0000\u001b[31m\u202eb.zip"')}--b--`,
    'a[31mb.zip',
  ],
  ['a filename of 5,000 characters', TYPE, `${part(FILE.replace('shop', 'a'.repeat(5000)))}--b--`, 'a'.repeat(200)],
  ['a filename of nothing but a suffix', TYPE, `${part(FILE.replace('shop', ''))}--b--`, 'project.zip'],
  ['an unknown field beside', TYPE, `${part('Content-Disposition: form-data; name="else"')}${part(FILE)}--b--`, 'shop.zip'],

  ['no file', TYPE, '--b--\r\n', 'missing-file'],
  ['another field', TYPE, `${part(FILE.replace('project', 'archive'))}--b--`, 'missing-file'],
  ['text instead of a file', TYPE, `${part('Content-Disposition: form-data; name="project"')}--b--`, 'missing-file'],
  ['an empty file', TYPE, `${part(FILE, '')}--b--`, 'missing-file'],
  ['an empty file, without its own line break', TYPE, `--b\r\n${FILE}\r\n\r\n--b--`, 'missing-file'],
  ['an empty name', TYPE, `${part(FILE.replace('shop.zip', ''))}--b--`, 'missing-file'],
  ['two files', TYPE, `${part(FILE)}${part(FILE)}--b--`, 'missing-file'],
  ['a file and a text', TYPE, `${part(FILE)}${part('Content-Disposition: form-data; name="project"')}--b--`, 'missing-file'],

  ['an empty body', TYPE, '', 'invalid-request'],
  ['junk', TYPE, 'PK\u0003\u0004', 'invalid-request'],
  ['another boundary', TYPE, `${part(FILE).replaceAll('--b', '--c')}--c--`, 'invalid-request'],
  ['no boundary', 'multipart/form-data', `${part(FILE)}--b--`, 'invalid-request'],
  ['an empty boundary', 'multipart/form-data; boundary=', `${part(FILE)}--b--`, 'invalid-request'],
  ['two boundaries', 'multipart/form-data; boundary=b; boundary=c', `${part(FILE)}--b--`, 'invalid-request'],
  ['a boundary of 71', `multipart/form-data; boundary=${'b'.repeat(71)}`, '', 'invalid-request'],
  ['a boundary with a colon and more', 'multipart/form-data; boundary="b[]"', '', 'invalid-request'],
  ['no end', TYPE, part(FILE), 'invalid-request'],
  ['an end in the headers', TYPE, `--b\r\n${FILE}`, 'invalid-request'],
  ['no blank line', TYPE, `--b\r\n${FILE}\r\n--b--\r\n`, 'invalid-request'],
  ['bare line feeds', TYPE, `${part(FILE)}--b--`.replaceAll('\r', ''), 'invalid-request'],
  ['no headers', TYPE, `--b\r\n\r\nx\r\n--b--`, 'invalid-request'],
  ['no name', TYPE, `${part('Content-Disposition: form-data')}--b--`, 'invalid-request'],
  ['another disposition', TYPE, `${part(FILE.replace('form-data', 'attachment'))}--b--`, 'invalid-request'],
  ['two dispositions', TYPE, `${part(`${FILE}\r\n${FILE}`)}--b--`, 'invalid-request'],
  ['two filenames', TYPE, `${part(`${FILE}; filename="b.zip"`)}--b--`, 'invalid-request'],
  ['an open quote', TYPE, `${part(FILE.slice(0, -1))}--b--`, 'invalid-request'],
  ['a continued line', TYPE, `${part(`${FILE}\r\n continued`)}--b--`, 'invalid-request'],
  ['a line without a colon', TYPE, `${part(`${FILE}\r\nnonsense`)}--b--`, 'invalid-request'],
  ['base64', TYPE, `${part(`${FILE}\r\nContent-Transfer-Encoding: base64`)}--b--`, 'invalid-request'],
  ['17 parts', TYPE, `${part('Content-Disposition: form-data; name="x"').repeat(17)}--b--`, 'invalid-request'],
  ['headers over 8 KiB', TYPE, `${part(`${FILE}\r\nX: ${'x'.repeat(8192)}`)}--b--`, 'invalid-request'],

  ['a form that is no multipart', 'application/x-www-form-urlencoded', 'project=x', 'unsupported-media-type'],
  ['another multipart', 'multipart/mixed; boundary=b', `${part(FILE)}--b--`, 'unsupported-media-type'],
  ['a type that begins alike', 'multipart/form-data-x; boundary=b', `${part(FILE)}--b--`, 'unsupported-media-type'],
  ['a bare archive', 'application/zip', 'PK', 'unsupported-media-type'],
  ['no type', '', `${part(FILE)}--b--`, 'unsupported-media-type'],
]

describeMatrix('multipart', (send) => {
  test.each(TORTURE)('%s', async (_, type, body, expected) => {
    const { app, scans } = createFixture()
    const response = await send(app, '/api/scan/upload', { method: 'POST', headers: { 'content-type': type }, body })
    const answer = await response.json()
    const source = scans[0]?.source
    expect(source?.name ?? answer.code).toBe(expected)
    if (source?.kind === 'archive') expect(Buffer.from(source.bytes).toString()).toMatch(/^(?:x|a\r\n--bc\r\n--b-\r\nz)$/)
  })

  test.each([
    [{ projectName: 'Shop' }, 'Shop'],
    [{ projectName: '' }, 'my.shop'],
    [{}, 'my.shop'],
    [{ projectName: '<img src=x onerror=1>' }, '<img src=x onerror=1>'],
    [{ projectName: 'é'.repeat(200) }, 'é'.repeat(200)],
  ])('the name of the project: %j', async (fields, expected) => {
    const { app, scans } = createFixture()
    const form = createForm({ ...fields, project: ['my.shop.ZIP', 'x'] })
    expect((await send(app, '/api/scan/upload', { method: 'POST', ...form })).status).toBe(201)
    expect(scans[0]?.options.projectName).toBe(expected)
  })

  test('a name that is too long, twice there, or not UTF-8', async () => {
    const { app, scans } = createFixture()
    const name = 'Content-Disposition: form-data; name="projectName"'
    const bodies = [
      `${part(name, 'x'.repeat(201))}${part(FILE)}--b--`,
      `${part(name)}${part(name)}${part(FILE)}--b--`,
      Buffer.from(`${part(name, 'caf\u00e9')}${part(FILE)}--b--`, 'latin1'),
    ]
    for (const body of bodies) {
      const response = await send(app, '/api/scan/upload', { method: 'POST', headers: { 'content-type': TYPE }, body })
      expect(await response.json()).toMatchObject({ code: 'invalid-request', errors: [{ path: 'projectName' }] })
    }
    expect(scans).toEqual([])
  })
})

describe('the parser', () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

  test('parts are views of the body, in order', () => {
    const body = encode(`${part('Content-Disposition: form-data; name="a"', '1')}${part(FILE, '\r\n--\r\n')}--b--`)
    const parts = parseMultipart(body, 'b')
    expect(parts.map(({ name, filename, bytes }) => [name, filename, new TextDecoder().decode(bytes)])).toEqual([
      ['a', undefined, '1'],
      ['project', 'shop.zip', '\r\n--\r\n'],
    ])
    expect(parts.every(({ bytes }) => bytes.buffer === body.buffer)).toBe(true)
  })

  test('at the limits', () => {
    const many = (count: number): Uint8Array => encode(`${part('Content-Disposition: form-data; name="x"').repeat(count)}--b--`)
    expect(parseMultipart(many(16), 'b')).toHaveLength(16)
    expect(() => parseMultipart(many(17), 'b')).toThrow('invalid-request')
    const headed = (length: number): Uint8Array => encode(`${part(`${FILE}\r\nX: ${'x'.repeat(length - FILE.length - 9)}`)}--b--`)
    expect(parseMultipart(headed(8192), 'b')).toHaveLength(1)
    expect(() => parseMultipart(headed(8193), 'b')).toThrow('invalid-request')
    expect(readBoundary(`multipart/form-data; boundary=${'b'.repeat(70)}`)).toHaveLength(70)
  })

  test('any content survives the way', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.string({ maxLength: 20 }), (content, text) => {
        const { body } = createForm({ note: text.replaceAll('--b0undary', ''), project: ['a.zip', content] })
        const file = parseMultipart(body, 'b0undary').find(({ name }) => name === 'project')
        expect(Buffer.from(file?.bytes ?? []).equals(Buffer.from(content))).toBe(true)
      }),
      { numRuns: runs(1000) },
    )
  })

  const piece = fc.oneof(
    fc.constantFrom(
      '--b',
      '--b--',
      '\r\n',
      '\r',
      '\n',
      '--',
      '\r\n--b\r\n',
      '\r\n\r\n',
      FILE,
      'Content-Disposition: form-data; name="',
      '"',
      ';',
      '=',
      '\\',
      ':',
      ' ',
      "filename*=UTF-8''%",
    ),
    fc.string({ maxLength: 10 }),
  )

  test('nothing but a result or a refusal, whatever the bytes', () => {
    const attempt = (body: Uint8Array, type: string): void => {
      try {
        parseMultipart(body, readBoundary(type))
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    }
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => attempt(encode(pieces.join('')), TYPE)),
      { numRuns: runs(10_000) },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => attempt(bytes, TYPE)),
      { numRuns: runs(10_000) },
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) =>
        attempt(encode(`${part(FILE)}--b--`), `multipart/form-data; boundary=${pieces.join('')}`),
      ),
      { numRuns: runs(10_000) },
    )
  })

  /** What comes of a body that arrives in pieces of these sizes, the last of them over and over, each time in other memory. */
  const parseInPieces = (body: Uint8Array, boundary: string, sizes: readonly number[]): Part[] => {
    const reader = createPartsReader(boundary)
    for (let at = 0, index = 0; at < body.byteLength; index++) {
      at += sizes[Math.min(index, sizes.length - 1)] ?? body.byteLength
      reader.arrived(body.slice(0, at))
    }
    return reader.finish(body)
  }
  const settle = (parse: () => Part[]): unknown => {
    try {
      return parse().map((one) => ({ ...one, bytes: [...one.bytes] }))
    } catch (error) {
      return isRefusal(error) ? error.details : error
    }
  }

  test('a body that arrives in pieces reads as a whole one, whatever the bytes and the pieces', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 })
    const bodies = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((pieces) => encode(pieces.join(''))),
      fc
        .array(piece, { maxLength: 10 })
        .map((pieces) => encode(`${part(FILE, pieces.join(''))}${part(FILE, '\r\n')}--b  \t--b--`)),
      fc
        .array(piece, { maxLength: 10 })
        .map((pieces) => encode(`${part(FILE, pieces.join(''))}--b \t\r\n${FILE}\r\n\r\n\r\n--b--`)),
    )
    let parsed = 0
    fc.assert(
      fc.property(bodies, sizes, (body, cuts) => {
        const whole = settle(() => parseMultipart(body, 'b'))
        parsed += Array.isArray(whole) ? 1 : 0
        expect(settle(() => parseInPieces(body, 'b', cuts))).toEqual(whole)
      }),
      { numRuns: runs(10_000) },
    )
    expect(parsed).toBeGreaterThan(runs(10_000) / 10)
  })

  test('the parts are views of the body that was whole', () => {
    const body = encode(`${part(FILE, 'zip')}--b--`)
    expect(parseInPieces(body, 'b', [7]).map(({ bytes }) => bytes.buffer)).toEqual([body.buffer])
  })

  test.each([
    ['500,000 tiny parts', `${part('Content-Disposition: form-data; name="x"', '').repeat(500_000)}--b--`],
    ['a header of 20 MB without a line break', `--b\r\n${'x'.repeat(20_000_000)}`],
    ['20 MB of what begins like a delimiter', `${part(FILE, '\r\n--'.repeat(5_000_000))}`],
    ['20 MB of line breaks', `--b\r\n${FILE}\r\n\r\n${'\r\n'.repeat(10_000_000)}`],
    ['20 MB of blanks behind delimiters', `--b\r\n${FILE}\r\n\r\n${`\r\n--b${' '.repeat(1000)}x`.repeat(20_000)}`],
    ['no delimiter at all', '\r'.repeat(20_000_000)],
  ])('time is linear: %s', (_, text) => {
    const body = encode(text)
    const start = cpuTime()
    expect(() => parseMultipart(body, 'b')).toThrow('invalid-request')
    const reader = createPartsReader('b')
    for (let at = 0; at < body.byteLength; at += 10_000) reader.arrived(body.subarray(0, at))
    expect(() => reader.finish(body)).toThrow('invalid-request')
    // it takes a fifth of a second; anything quadratic would not end today
    expect(cpuTime() - start).toBeLessThan(20_000)
  })
})
