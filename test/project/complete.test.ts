import { describe, expect, test } from 'vitest'
import { scanFiles } from '../scan-files.ts'

const LINES = 'var value = compute(1, 2, 3)\n'

describe('what makes a report incomplete, and what does not', () => {
  test('archives, jars, fonts, images and built output are no sources: an archive is named, the rest is summed', async () => {
    const { en } = await scanFiles(
      new Map<string, string | Uint8Array>([
        ['package.json', '{}'],
        ['deps.zip', new Uint8Array(9)],
        ['lib/tool.jar', new Uint8Array(9)],
        ['app/font.woff2', new Uint8Array(9)],
        ['app/photo.heic', new Uint8Array(6 * 1024 * 1024)],
        ['dist/Component-preload.js', LINES],
        ['gen/srv/server.js', LINES],
      ]),
    )
    expect(en.complete).toBe(true)
    expect(en.notices.map(({ code, file, detail }) => [code, file ?? detail])).toEqual([
      ['file-skipped', 'deps.zip'],
      ['file-skipped', 'lib/tool.jar'],
      ['file-skipped', 'Binary files left out: 2.'],
      ['file-skipped', expect.stringMatching(/^Generated files left out .*: 2\.$/)],
    ])
  })

  test('a preload and a copy of UI5 over the file limit are named, and no gap; a source is', async () => {
    const large = new Uint8Array(6 * 1024 * 1024).fill(32)
    const of = async (path: string): Promise<[boolean, string[]]> => {
      const { en } = await scanFiles(
        new Map<string, string | Uint8Array>([
          ['package.json', '{}'],
          [path, large],
        ]),
      )
      return [en.complete, en.notices.map(({ code, file }) => `${code} ${file}`)]
    }
    for (const path of ['webapp/Component-preload.js', 'webapp/resources/sap/viz/library.js', 'webapp/libs/three.min.js'])
      expect(await of(path)).toEqual([true, [`file-too-large ${path}`]])
    expect(await of('webapp/a.js')).toEqual([false, ['file-too-large webapp/a.js']])
  })

  test('scripts of PHP that are too large, and those that are not followed to their end, are told', async () => {
    const of = async (path: string, text: string): Promise<string[]> => {
      const { en } = await scanFiles(
        new Map([
          ['webapp/manifest.json', '{ "sap.app": { "id": "museum", "type": "application" }, "sap.ui5": {} }'],
          [path, text],
        ]),
      )
      return en.notices.map(({ code, file, ruleId }) => `${code} ${file ?? ruleId ?? ''}`)
    }
    const large = `<?php\n${'$a = 1;\n'.repeat(60_000)}`
    expect(await of('api/a.php', large)).toContain('file-too-large api/a.php')
    expect(await of('api/tcpdf/a.php', large)).toEqual(['file-skipped '])
    // each rule that needs them tells, whichever are selected
    expect(await of('api/a.php', `<?php\n${'!!!!!!$a;'.repeat(40_000)}`)).toEqual(
      expect.arrayContaining(['time-limit btp/php-script-unauthenticated', 'time-limit btp/php-sql-injection']),
    )
    expect(await of('api/a.php', `<?php\n${'f($a);'.repeat(1000)}`)).toEqual([])
  })

  test('minified files are one notice, whether their name or their text tells it', async () => {
    const { en } = await scanFiles(
      new Map([
        ['package.json', '{}'],
        ['webapp/a.min.js', LINES],
        ['webapp/b.js', `var a = 1;${'a=a+1;'.repeat(1000)}`],
      ]),
    )
    expect(en.complete).toBe(true)
    expect(en.notices.map(({ detail }) => detail)).toEqual(['Minified files in which only credentials were looked for: 2.'])
  })

  test.each([
    ['a source of 1 MiB is checked', 'webapp/a.js', `${LINES.repeat(37_000)}eval(location.hash)\n`, []],
    ['a document of 1 MiB with lines is checked', 'other/webapp/manifest.json', `[\n${'"some text",\n'.repeat(80_000)}1]`, []],
    ['a source over 2 MiB is not', 'webapp/a.js', LINES.repeat(75_000), ['file-too-large']],
    ['a dump of data is none', 'db/data.sql', `INSERT INTO piers VALUES ${"(1,'north'),".repeat(110_000)}(0);`, []],
    [
      'neither is a dump of 1 MiB without lines',
      'other/webapp/manifest.json',
      `[${'{"a":[]},'.repeat(110_000)}1]`,
      ['file-too-large'],
    ],
  ])(
    '%s',
    async (_, path, text, codes) => {
      const { en } = await scanFiles(
        new Map([
          ['webapp/manifest.json', '{ "sap.app": { "id": "a" } }'],
          [path, text],
          ['README.md', ''],
        ]),
      )
      expect(en.notices.map(({ code }) => code)).toEqual(codes)
      expect(en.complete).toBe(codes.length === 0)
      if (text.includes('eval')) expect(en.results.ui5.findings.map(({ file }) => file)).toContain(path)
    },
    60_000,
  )

  test('of more than 2 MiB of scripts, those without a word that a rule looks for are not parsed, and the report says so', async () => {
    const broken = 'var value = compute(1, 2\n'
    const unreadable = async (lines: number): Promise<(string | undefined)[]> => {
      const { en } = await scanFiles(
        new Map([
          ['webapp/a.js', LINES.repeat(lines)],
          ['webapp/b.js', LINES.repeat(lines)],
          ['webapp/plain.js', broken],
          ['webapp/asked.js', `${broken}eval(location.hash)`],
        ]),
      )
      return en.notices.map(({ code, file, detail }) => (code === 'file-unreadable' ? file : detail?.slice(0, 47))).sort()
    }
    expect(await unreadable(10)).toEqual(['webapp/asked.js', 'webapp/plain.js'])
    expect(await unreadable(40_000)).toEqual(['The project contains more than 2 MiB of scripts', 'webapp/asked.js'])
  }, 60_000)
})
