import { describe, expect, test } from 'vitest'
import type { Report } from '../../core/report/types.ts'
import type { ScanProgress } from '../../core/types.ts'
import { utf16 } from '../project/utf16.ts'
import { allFindings, scanFiles, toSource } from '../scan-files.ts'
import { KNOWN, PROJECT } from './project.ts'
import { known, readReport, scanArchive, scanSource, told, toZip } from './scanning.ts'

const ids = (report: Report): string[] =>
  allFindings(report)
    .map(({ id }) => id)
    .sort()

describe('the same project, the same findings and ids', () => {
  const flat = toZip(PROJECT)
  const renamed = (name: (path: string) => string): Map<string, string> =>
    new Map([...PROJECT].map(([path, data]) => [name(path), data]))
  const rewritten = (write: (data: string) => string | Uint8Array): Uint8Array =>
    toZip(new Map([...PROJECT].map(([path, data]) => [path, write(data)])))

  test('there is something to find', async () => {
    expect(known(await scanArchive(flat))).toEqual(KNOWN)
  })

  test('as an archive and as files, in both languages', async () => {
    const { en, fr } = await scanFiles(PROJECT)
    expect(told(await scanArchive(flat))).toEqual(told(en))
    expect(told(fr)).toEqual(told(en))
    expect(fr.notices.map(({ code }) => code)).toEqual(en.notices.map(({ code }) => code))
    expect(fr.riskScore).toBe(en.riskScore)
  })

  test.each([
    ['with a top folder', toZip(renamed((path) => `shop-main/${path}`))],
    ['with a top folder and what macOS adds', toZip(new Map([...renamed((path) => `shop/${path}`), ['__MACOSX/shop/._a', 'x']]))],
    ['with backslashes', toZip(renamed((path) => path.replaceAll('/', '\\')))],
    ['in another order', toZip(new Map([...PROJECT].reverse()))],
    ['stored', toZip(PROJECT, { method: 0 })],
    ['streamed', toZip(PROJECT, { descriptor: 'signed' })],
    ['with a mark', rewritten((data) => `\ufeff${data}`)],
    ['in UTF-16LE', rewritten((data) => utf16(data, 'le', true))],
    ['in UTF-16BE', rewritten((data) => utf16(data, 'be', true))],
    ['in UTF-16LE without a mark', rewritten((data) => utf16(data, 'le', false))],
    ['in UTF-16BE without a mark', rewritten((data) => utf16(data, 'be', false))],
    ['with CRLF', rewritten((data) => data.replaceAll('\n', '\r\n'))],
    ['with CR', rewritten((data) => data.replaceAll('\n', '\r'))],
  ])('%s', async (_, bytes) => {
    expect(told(await scanArchive(bytes))).toEqual(told(await scanArchive(flat)))
  })

  test('lines above move no id', async () => {
    const moved = await scanArchive(rewritten((data) => `\n\n\n${data}`))
    expect(ids(moved)).toEqual(ids(await scanArchive(flat)))
    expect(told(moved)).not.toEqual(told(await scanArchive(flat)))
  })

  test('twice, byte for byte', async () => {
    expect(await scanArchive(flat)).toEqual(await scanArchive(flat))
  })
})

describe('what a source does', () => {
  test('a file that is gone is told, the others are read', async () => {
    const source = toSource(PROJECT)
    const entries = [...source.entries, { path: 'gone.js', size: 5, read: () => undefined }]
    const report = readReport(await scanSource({ ...source, entries }))
    expect(known(report)).toEqual(KNOWN)
    expect(report.notices).toMatchObject([{ code: 'file-unreadable', file: 'gone.js' }])
  })

  test('names and contents that reorder lines are shown as what they are', async () => {
    const trojan = 'sap.ui.define([], () => {\n  eval(location.hash) /* \u202e } \u2066if (isAdmin)\u2069 \u2066 begin */\n})\n'
    const { en } = await scanFiles(new Map([...PROJECT, ['webapp/a\u202egnp.js', trojan]]))
    const finding = allFindings(en).find(({ file }) => file.includes('\u202e'))
    expect(finding?.snippet).toContain('<U+202E>')
    expect(finding?.snippet).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    const bytes = await scanSource(toSource(new Map([['a\u202e.js', trojan]])))
    expect(new TextDecoder().decode(bytes)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  })

  test('a config of the project hides, never raises a limit', async () => {
    const config = JSON.stringify({
      exclude: ['webapp'],
      suppress: [{ rule: 'btp/xsuaa-redirect-wildcard', reason: 'local' }],
      limits: { file: 1e12 },
      scanTime: 0,
    })
    const hostile = new Map([...PROJECT, ['parapet.config.json', config]])
    const { en } = await scanFiles(hostile)
    expect(known(en)).toEqual(['approuter/route-authentication-none approuter/xs-app.json'])
    expect(en.suppressed.map(({ ruleId, reason }) => `${ruleId} ${reason}`)).toEqual(['btp/xsuaa-redirect-wildcard local'])
    const off = await scanFiles(hostile, { options: { suppressions: false } })
    expect(known(off.en)).toEqual(KNOWN)
    expect(off.en.suppressed).toEqual([])
  })
})

describe('a scan tells how far it is', () => {
  test('phases in their order, files one by one', async () => {
    const steps: ScanProgress[] = []
    await scanFiles(PROJECT, { control: { onProgress: (progress) => void steps.push(progress) } })
    expect([...new Set(steps.map(({ phase }) => phase))]).toEqual(['reading', 'asking', 'checking', 'reporting'])
    const reading = steps.filter(({ phase }) => phase === 'reading')
    expect(reading.map(({ done }) => done)).toEqual([...PROJECT.keys()].map((_, index) => index))
    expect(new Set(reading.map(({ total }) => total))).toEqual(new Set([PROJECT.size]))
  })
})
