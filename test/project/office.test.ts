import { describe, expect, test } from 'vitest'
import { toTextEntry } from '../../core/project/office.ts'
import { buildZip, type EntrySpec } from '../hostile/zip-builder.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'
import { cpuTime } from '../cpu-time.ts'

const secret = drawSecret('sap-binding', 'office')
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

function document(body: string): string {
  return `${HEAD}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
}

const paragraph = (...runs: readonly string[]): string =>
  `<w:p>${runs.map((run) => `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${run}</w:t></w:r>`).join('')}</w:p>`

function textOf(entries: readonly EntrySpec[]): string {
  const raw = buildZip({ entries })
  const read = toTextEntry({ path: 'a.docx', size: raw.length, read: () => raw }).read()
  expect(read).not.toBe(raw)
  return new TextDecoder().decode(read)
}

/** What stays as it is: neither read nor thrown. */
function isLeft(raw: Uint8Array): boolean {
  return toTextEntry({ path: 'a.docx', size: raw.length, read: () => raw }).read() === raw
}

describe('text of documents', () => {
  test('a paragraph is a line, its runs are joined', () =>
    expect(
      textOf([{ name: 'word/document.xml', data: document(paragraph('client', 'secret: ') + paragraph('a&amp;b &#x41;')) }]),
    ).toBe('clientsecret: \na&b A\n'))
  test('breaks, tabulators and curled quotes', () =>
    expect(
      textOf([
        {
          name: 'word/document.xml',
          data: document('<w:p><w:r><w:t>\u201ca\u201d</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>'),
        },
      ]),
    ).toBe('"a"\tb\nc\n'))
  test('strings of a spreadsheet and texts of slides', () =>
    expect(
      textOf([
        { name: 'xl/sharedStrings.xml', data: `${HEAD}<sst><si><t>one</t></si><si><t>two</t></si></sst>` },
        { name: 'ppt/slides/slide12.xml', data: `${HEAD}<p:sld><a:p><a:r><a:t>three</a:t></a:r></a:p></p:sld>` },
      ]),
    ).toBe('one\ntwo\n\nthree\n'))
  test('other parts are not read', () =>
    expect(
      textOf([
        { name: 'word/styles.xml', data: document(paragraph('style')) },
        { name: 'docProps/app.xml', data: '<a/>' },
      ]),
    ).toBe(''))
})

describe('hostile documents', () => {
  const data = document(paragraph('text'))
  test('a document that becomes more than twenty times the file', () => {
    const bomb = document(paragraph('a'.repeat(4_000_000)))
    expect(isLeft(buildZip({ entries: [{ name: 'word/document.xml', data: bomb }] }))).toBe(true)
  })
  test('parts that lie about their size', () => {
    expect(isLeft(buildZip({ entries: [{ name: 'word/document.xml', data, size: 10, localSize: 10 }] }))).toBe(true)
    expect(isLeft(buildZip({ entries: [{ name: 'word/document.xml', data, crc: 1, localCrc: 1 }] }))).toBe(true)
  })
  test('more parts than any document has', () =>
    expect(
      isLeft(buildZip({ entries: Array.from({ length: 5001 }, (_, index) => ({ name: `word/${index}.xml`, data: '' })) })),
    ).toBe(true))
  test.each([
    ['no archive', new TextEncoder().encode('just a name')],
    ['nothing', new Uint8Array(0)],
    ['encrypted, in a compound file', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0)],
    ['cut', buildZip({ entries: [{ name: 'word/document.xml', data }] }).subarray(0, 60)],
  ])('%s', (_, raw) => expect(isLeft(raw)).toBe(true))
  test('tags that never end cost no more than their length', () => {
    const open = `${document(paragraph('a'))}${'<w:t '.repeat(200_000)}`
    const started = cpuTime()
    textOf([{ name: 'word/document.xml', data: open, method: 0 }])
    expect(cpuTime() - started).toBeLessThan(2000)
  })
})

describe('in a project', () => {
  const raw = buildZip({
    entries: [
      { name: '[Content_Types].xml', data: '<Types/>' },
      {
        name: 'word/document.xml',
        data: document(
          paragraph('You said:') +
            paragraph('\u201cclientid\u201d: \u201csb-tours!t12\u201d,') +
            paragraph('\u201cclientsecret\u201d: ', `\u201c${secret}\u201d,`),
        ),
        method: 0,
      },
    ],
  })
  test('a credential is found on its line, and masked', async () => {
    const { en } = await scanFiles(
      new Map<string, string | Uint8Array>([
        ['notes/chat.docx', raw],
        ['z.txt', ''],
      ]),
    )
    const found = allFindings(en).filter(({ ruleId }) => ruleId.startsWith('secrets/'))
    expect(found.map(({ ruleId, file, line }) => `${ruleId} ${file}:${line}`)).toEqual([
      'secrets/sap-binding-secret notes/chat.docx:3',
    ])
    expect(JSON.stringify(en)).not.toContain(secret)
  })
  test('a damaged one refuses no project', async () => {
    const { en } = await scanFiles(
      new Map<string, string | Uint8Array>([
        ['notes/chat.docx', raw.subarray(0, raw.length - 30)],
        ['z.txt', ''],
      ]),
    )
    expect(allFindings(en).filter(({ file }) => file === 'notes/chat.docx')).toEqual([])
  })
})
