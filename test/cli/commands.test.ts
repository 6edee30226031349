import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configFile } from '../../adapters/terminal/config-file.ts'
import type { Report } from '../../core/report/types.ts'
import { bundleCli } from '../bundle.ts'
import { SHOP } from '../runners/projects.ts'
import { allFindings } from '../scan-files.ts'

let cli: string
let folder: string

beforeAll(() => {
  cli = bundleCli()
  folder = mkdtempSync(join(tmpdir(), 'parapet-commands-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A fresh copy of the sample project. */
function createShop(name: string): string {
  for (const [path, text] of Object.entries(SHOP)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true })
    writeFileSync(join(folder, name, path), text)
  }
  return name
}

function run(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', PARAPET_ADVISORIES: 'bundled', PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9' },
  })
  return { code: status, out: stdout, err: stderr }
}

const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const ids = (text: string): string[] => {
  const report: Report = JSON.parse(text)
  return allFindings(report).map(({ id }) => id)
}

test('several formats of one scan, each in its file; standard output holds the one without', () => {
  const shop = createShop('formats')
  const { code, out, err } = run(
    'scan',
    shop,
    '-f',
    'sarif',
    '-o',
    'a.sarif',
    '-f',
    'json',
    '-o',
    'a.json',
    '-f',
    'text',
    '--fail-on=high',
  )
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(out).toContain('Repair first')
  const { results } = JSON.parse(read('a.sarif')).runs[0]
  const told = results.map(
    (result: { partialFingerprints: Record<string, string> }) => result.partialFingerprints['parapetFingerprint/v1'],
  )
  expect(told.sort()).toEqual(ids(read('a.json')).sort())
  expect(run('scan', shop, '-f', 'json', '-o', 'made/for/it/a.json')).toMatchObject({ code: 0, out: '' })
  expect(ids(read('made/for/it/a.json'))).toHaveLength(13)
  expect(run('scan', shop, '-f', 'json', '-o', 'a.json/b.json')).toMatchObject({
    code: 2,
    err: expect.stringContaining('(EEXIST)'),
  })
})

test('why a run fails is told on standard error where no text report says it, even to quiet ones', () => {
  const shop = createShop('reasons')
  const failing = 'Failing: 4 findings at or above "high".\n'
  for (const format of [['--json'], ['-f', 'sarif', '-o', 'reasons.sarif'], ['-f', 'text', '-o', 'reasons.txt', '-q']])
    expect(run('scan', shop, ...format, '--fail-on', 'high')).toMatchObject({ code: 1, err: failing })
  expect(run('scan', shop, '--fail-on', 'high')).toMatchObject({ code: 1, err: '' })
  expect(run('scan', shop, '--json', '--fail-on', 'high', '--lang', 'fr').err).toMatch(
    /^Échec : 4 constats de gravité « élevée » ou plus\.\n$/,
  )
  const empty = createShop('reasons-empty')
  rmSync(join(folder, empty), { recursive: true })
  mkdirSync(join(folder, empty))
  writeFileSync(join(folder, empty, 'package.json'), '{}')
  run('scan', empty, '-f', 'json', '-o', 'empty.json')
  run('scan', shop, '-f', 'json', '-o', 'full.json')
  expect(run('compare', 'empty.json', 'full.json', '--json', '-q', '--fail-on', 'high').err).toContain(failing)

  writeFileSync(join(folder, shop, 'broken.js'), Buffer.from([0, 1, 2, 3, 0, 0, 0, 0, 0xff]))
  const cut = run('scan', shop, '-f', 'sarif', '-o', 'cut.sarif')
  expect(cut).toMatchObject({
    code: 3,
    out: '',
    err: expect.stringMatching(/^Not everything could be looked at:\n {2}broken\.js: /),
  })
  expect(run('scan', shop, '-f', 'sarif', '-o', 'cut.sarif', '-q').err).toBe(
    'Not everything could be looked at: the notices of the report say what.\n',
  )
})

/** Of the sample project, whatever else of it is told. */
const SHOP_RISK = 96

test('a baseline accepts what is there; only what is new is told, and fails', () => {
  const shop = createShop('accepted')
  expect(run('scan', shop, '--baseline', 'none.json')).toMatchObject({ code: 2 })
  const written = run('scan', shop, '--write-baseline', '--fail-on', 'info')
  expect(written).toMatchObject({ code: 0, out: expect.stringMatching(/No new findings\. \(13 in the baseline\)/) })
  const accepted = `${shop}/.parapet-baseline.json`
  expect(written.err).toContain(
    `Baseline written: 13 findings in ${accepted}. --baseline ${accepted}, or "baseline" in parapet.config.json, lists only new findings from now on.`,
  )
  expect(run('scan', shop, '--write-baseline', '--lang', 'fr').err).toContain(
    `Référence écrite : 13 constats dans ${accepted}. --baseline ${accepted}, ou "baseline" dans parapet.config.json, n’énumère`,
  )

  writeFileSync(join(folder, shop, 'srv/more.js'), "require('https').request({ rejectUnauthorized: false })\n")
  const second = run('scan', shop, '--baseline', accepted, '--fail-on', 'low', '--json')
  expect(second.code).toBe(1)
  expect(ids(second.out).length).toBeGreaterThan(0)
  for (const id of ids(second.out)) expect(read(accepted)).not.toContain(id)
  // what others read must not pass for the report of a good project
  const { riskScore, selection, summary } = JSON.parse(second.out)
  expect([riskScore, selection.inBaseline, selection.total]).toEqual([SHOP_RISK, 13, 13 + summary.total])
  const told = ['markdown', 'html', 'sarif', 'junit'].flatMap((format) => ['-f', format, '-o', `told.${format}`])
  run('scan', shop, '--baseline', accepted, ...told)
  for (const format of ['markdown', 'html', 'sarif', 'junit'])
    expect(read(`told.${format}`)).toMatch(
      /Only new findings are listed: \d+ of \d+ \(13 in the baseline\)\. The risk is that of the whole project\./,
    )

  // named by the project itself
  writeFileSync(join(folder, shop, 'parapet.config.json'), '{"failOn":"low","baseline":".parapet-baseline.json"}')
  expect(run('scan', shop).code).toBe(1)
  rmSync(join(folder, shop, 'srv/shop.js'))
  expect(run('scan', shop, '--write-baseline', '--baseline', 'other.json').err).toContain('--baseline other.json, or')
  expect(run('scan', shop).err).toMatch(/2 findings of the baseline are gone.*\n {2}cap\/[\w-]+ {2}srv\/shop\.js\n/)
  expect(run('scan', shop, '--write-baseline').err).toContain('parapet.config.json names it: only new findings are listed')
  for (const config of ['{"failOn":"severe"}', '{"baseline":"../x.json"}', '{"baseline":"/etc/passwd"}', '{ failOn']) {
    writeFileSync(join(folder, shop, 'parapet.config.json'), config)
    expect(run('scan', shop)).toMatchObject({ code: 2, out: '' })
  }
})

test('area, rule and severity narrow what is told and what fails; counts follow', () => {
  const shop = createShop('narrow')
  const only = (...args: string[]): Report => JSON.parse(run('scan', shop, '--json', ...args).out)
  expect(allFindings(only('--area', 'cap')).every(({ ruleId }) => ruleId.startsWith('cap/'))).toBe(true)
  const whole = allFindings(only())
  const injection = only('--rule', 'cap/cql-injection')
  expect(injection.summary.total).toBe(1)
  expect(allFindings(injection).map(({ ruleId }) => ruleId)).toEqual(['cap/cql-injection'])
  const severe = only('--min-severity', 'high')
  expect(severe.summary).toMatchObject({ medium: 0, low: 0, info: 0 })
  expect(severe.summary.total).toBe(whole.filter(({ severity }) => severity === 'HIGH' || severity === 'CRITICAL').length)
  expect(severe.summary.total).toBeGreaterThan(0)
  expect(run('scan', shop, '--area', 'btp', '--fail-on', 'high').code).toBe(0)
  writeFileSync(join(folder, shop, 'parapet.config.json'), '{"failOn":"high"}')
  expect(run('scan', shop, '--min-severity', 'critical')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^--min-severity critical leaves out findings that "failOn" of parapet\.config\.json \(high\) counts/,
    ),
  })
  expect(run('scan', shop, '--min-severity', 'critical', '--fail-on', 'never').code).toBe(0)
})

test('only what touches changed lines is told', () => {
  const shop = createShop('changed')
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false']
    execFileSync('git', [...identity, ...args], { cwd: join(folder, shop), stdio: 'ignore' })
  }
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  expect(run('scan', shop, '--changed-since', 'HEAD').out).toMatch(/No findings\. \(13 on unchanged lines\)/)
  writeFileSync(
    join(folder, shop, 'srv/shop.js'),
    `// moved\n${SHOP['srv/shop.js']}`.replace('req.data.buyer', 'req.data.buyer /**/'),
  )
  const { out } = run('scan', shop, '--changed-since', 'HEAD')
  expect(out).toContain('cap/cql-injection')
  expect(out).toContain('(11 on unchanged lines)')
  expect(run('scan', shop, '--changed-since', 'nowhere')).toMatchObject({ code: 2, out: '' })
})

test('compares reports and projects', () => {
  const [before, after] = [createShop('before'), createShop('after')]
  rmSync(join(folder, after, 'srv/shop.js'))
  writeFileSync(join(folder, after, 'srv/more.js'), "require('https').request({ rejectUnauthorized: false })\n")
  run('scan', before, '-f', 'json', '-o', 'before.json')
  const { code, err, out } = run('compare', 'before.json', after, '--fail-on', 'low')
  expect(code).toBe(1)
  expect(err).toMatch(/^New: [1-9]\d* · Fixed: 2 · Unchanged: 11$/m)
  expect(out).toContain('srv/more.js')
  expect(out).not.toContain('approuter/xs-app.json\n')
  expect(out).toMatch(/^Fixed: 2\n {2}\w+ .+ {2}srv\/shop\.js(:\d+)? {2}cap\//m)
  run('compare', 'before.json', after, '-f', 'json', '-o', 'compared.json', '-f', 'html', '-o', 'compared.html')
  const compared = JSON.parse(read('compared.json'))
  expect([compared.fixed.length, compared.selection.inEarlier]).toEqual([2, 11])
  expect(read('compared.html')).toMatch(/<h2>Fixed: 2<\/h2>\n<ul>\n<li>/)
  const markdown = run('compare', 'before.json', 'before.json', '-f', 'markdown').out
  expect(markdown).toContain('Only new findings are listed: 0 of 13 (13 in the earlier report too).')
  expect(markdown).toContain('No new findings.\n\n## Fixed: 0\n')
  expect(run('compare', 'before.json', 'before.json').out).toContain('No new findings. (13 in the earlier report too)')
  expect(run('compare', 'before.json', 'before.json', '--fail-on', 'info')).toMatchObject({
    code: 0,
    err: 'New: 0 · Fixed: 0 · Unchanged: 13\n',
  })
  // as the page says; folders of one project may have two names
  expect(err).not.toContain('different projects')
  const unrelated = read('before.json').replaceAll(/"id":\s*"([0-9a-f]{16,})"/g, '"id":"ffff$1"')
  writeFileSync(join(folder, 'unrelated.json'), unrelated.replace(/"projectName":\s*"before"/, '"projectName":"unrelated"'))
  expect(run('compare', 'before.json', 'unrelated.json').err).toMatch(
    /^These are scans of different projects \(before, unrelated\)\. .*\nNew: /,
  )
  // an id that a rename or another grouping made is known by what it was before
  const renamed = read('before.json').replaceAll(/"id":\s*"([0-9a-f]{16,})"/g, '"id":"ffff$1","formerIds":["$1"]')
  expect(renamed).toContain('"formerIds"')
  writeFileSync(join(folder, 'renamed.json'), renamed)
  expect(run('compare', 'before.json', 'renamed.json', '--fail-on', 'info')).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^New: 0 /),
  })
  // what an incomplete report lacks is not fixed; where the earlier one is, that is told
  const cut = read('before.json').replace(/"complete":\s*true/, '"complete":false')
  writeFileSync(join(folder, 'cut.json'), cut)
  const rest = JSON.parse(cut)
  rest.results.cap.findings = []
  writeFileSync(join(folder, 'cut-rest.json'), JSON.stringify(rest))
  const n = JSON.parse(cut).results.cap.findings.length
  const lacking = run('compare', 'before.json', 'cut-rest.json')
  expect(lacking).toMatchObject({ code: 3, err: expect.stringMatching(/^New: 0 · Fixed: 0 · /) })
  expect(lacking.err).toContain(`later report is incomplete and fixes nothing; ${n} findings of the earlier one are not in it.\n`)
  expect(run('compare', 'before.json', 'cut-rest.json', '--json').out).toMatch(/"fixed":\s*\[\]/)
  expect(run('compare', 'cut.json', 'before.json')).toMatchObject({
    code: 3,
    err: expect.stringContaining('\nNot everything could be looked at: the earlier report is incomplete; '),
  })
  writeFileSync(join(folder, 'other.json'), '{"results":{}}')
  expect(run('compare', 'other.json', 'before.json').code).toBe(2)
  writeFileSync(join(folder, 'before.sarif'), '{"runs":[]}')
  expect(run('compare', 'before.json', 'before.sarif')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^before\.sarif is neither a report in JSON \(parapet scan -f json\) nor a ZIP archive\n/),
  })
})

test('says which severities changed between two reports and why, and lists advisories by package', () => {
  const shop = createShop('changed')
  run('scan', shop, '-f', 'json', '-o', 'first.json')
  const text = read('first.json')
  // both of one finding
  const level = /"severity":\s*"LOW"([^{}]{0,40}\{[^{}]{0,200}?)"reach":\s*"user"/
  expect(text).toMatch(level)
  writeFileSync(join(folder, 'second.json'), text.replace(level, '"severity":"CRITICAL"$1"reach":"anyone"'))
  const { err } = run('compare', 'first.json', 'second.json')
  expect(err).toMatch(
    /^New: 0 · Fixed: 0 · Unchanged: 13 · Severity changed: 1\nChanged severities\n {2}low → critical {2}.+\n {4}the code changed \(who can start it: any user → anyone\)$/m,
  )
  expect(run('compare', 'first.json', 'second.json', '--quiet').err).toBe(
    'New: 0 · Fixed: 0 · Unchanged: 13 · Severity changed: 1\n',
  )
  writeFileSync(join(folder, 'older.json'), text.replace(/"scannerVersion":\s*"[^"]+"/, '"scannerVersion":"0.0.9"'))
  expect(run('compare', 'older.json', 'second.json', '--lang', 'fr').err).toContain(
    'autre version de Parapet (qui peut la lancer : tout utilisateur → tout le monde)',
  )
})

test('explains a rule in both languages', () => {
  expect(run('explain', 'cap/cql-injection').out).toMatch(
    /cap\/cql-injection {2}\w+ {2}CWE-89[\s\S]*why: [\s\S]*fix: [\s\S]*https:/,
  )
  expect(run('explain', 'cap/cql-injection').out).toMatch(
    /^severity: data beyond one’s rights: critical \(anyone\), high \(any user\), /m,
  )
  expect(run('explain', 'cap/cql-injection', '--lang', 'fr').out).toMatch(
    /^gravité : données au-delà des droits : critique \(tout le monde\), /m,
  )
  expect(run('explain', 'cap/cql-injection', '--lang', 'fr').out).toContain('pourquoi : ')
  // its name alone is enough where no other rule has it
  expect(run('explain', 'cql-injection').out).toBe(run('explain', 'cap/cql-injection').out)
  expect(run('rules', 'cap/cql-injection').out).toBe(run('explain', 'cap/cql-injection').out)
})

test('a rule that is not named exactly: those that may be meant are told, and listed', () => {
  const asked = (text: string): string => {
    const { code, out, err } = run('explain', text)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    return err.split('\n')[0] ?? ''
  }
  expect(asked('cap/cql-injektion')).toMatch(/did you mean (?:\S+, )*cap\/cql-injection\b/)
  expect(asked('xsuaa redirect')).toMatch(/did you mean btp\/xsuaa-redirect/)
  expect(asked('injection')).toMatch(/did you mean (?:[a-z/\d-]+, ){4}[a-z/\d-]+\? parapet rules injection lists \d+ more$/)
  // by its title too
  expect(asked('sql')).toMatch(/did you mean (?:[a-z/\d-]+, ){0,4}cap\/cql-injection, /)
  expect(asked('cap/sql-injection')).toMatch(/did you mean cap\/cql-injection, /)
  expect(asked('nothing-like-any-rule')).toMatch(/parapet rules lists them$/)

  const listed = (...args: string[]): string[] =>
    run('rules', ...args)
      .out.split('\n')
      .filter((line) => line !== '')
  expect(listed('injection').length).toBeGreaterThan(5)
  for (const line of listed('injection')) expect(line.toLowerCase()).toContain('injection')
  // ids and titles are two columns, however long an id is
  const all = listed()
  const column = /^[A-Z]+ +\S+ +/.exec(all[0] ?? '')?.[0].length ?? 0
  for (const line of all) expect(line.slice(column - 2, column + 1)).toMatch(/^ {2}\S$/)
  expect(listed('redirect', '--area', 'btp').every((line) => / btp\//.test(line))).toBe(true)
  expect(listed('--rule', 'cap/ssrf')).toEqual([expect.stringContaining('cap/ssrf')])
  expect(listed('cql-injektion')).toEqual(expect.arrayContaining([expect.stringContaining('cap/cql-injection')]))
  expect(run('rules', 'nothing-like-any-rule')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('No rule has') })
})

test('wrong usage is told by its reason', () => {
  const reasons: readonly (readonly [RegExp, ...string[]])[] = [
    [/^There is no command history\. .*parapet scan <folder or zip>/, 'history'],
    [/^There is no command explian: did you mean explain\?/, 'explian'],
    [/^A folder or ZIP is scanned by a command: parapet scan \.\n/, '.'],
    [/^There is no option --fail-om: did you mean --fail-on\?/, 'scan', '.', '--fail-om', 'high'],
    [/^There is no option --nothing-alike\n/, 'scan', '.', '--nothing-alike'],
    [/^There is no option -x\n/, 'scan', '.', '-x'],
    [/^parapet init takes no operands/, 'init', 'here'],
    [/^parapet scan takes one folder or ZIP/, 'scan', 'a', 'b'],
    [/^parapet compare takes two/, 'compare', 'a'],
    [/^parapet compare en attend deux[^\n]*\n\nparapet --help explique/, 'compare', 'a', '--lang', 'fr'],
    [/^--write-baseline takes no file; --baseline names it/, 'scan', '.', '--write-baseline', 'base.json'],
    [/^parapet explain takes the id of one rule/, 'explain'],
    [/^parapet watch takes one folder/, 'watch', 'a', 'b'],
    [/-f json -o FILE/, 'scan', '.', '-o', 'report.json'],
    [/^There is no folder or ZIP at absent\.zip\. .*\(directory-not-found\)\n$/, 'scan', 'absent.zip'],
    [/^Il n’y a ni dossier ni ZIP à l’emplacement absent/, 'scan', 'absent', '--lang', 'fr'],
  ]
  for (const [reason, ...args] of reasons)
    expect(run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(reason) })
  // the help is named where it helps
  expect(run('scan', '.', '--nothing-alike').err).toMatch(/\n\nparapet --help explains every command and option\.\n$/)
  writeFileSync(join(folder, 'nothing.json'), '{}')
  const others = [
    ['scan', createShop('no-fault'), '-f', 'json', '-o', 'nothing.json/a.json'],
    ['scan', createShop('no-fault'), '--server', 'http://127.0.0.1:9'],
    ['scan', createShop('no-fault'), '--baseline', 'absent.json'],
    ['compare', 'nothing.json', 'nothing.json'],
  ]
  for (const args of others) {
    const { code, err } = run(...args)
    expect([code, err.split('\n')]).toEqual([2, [expect.any(String), '']])
  }
  writeFileSync(join(folder, 'notes.txt'), 'no archive')
  expect(run('scan', 'notes.txt').err).toBe('The file is not a ZIP archive. Pack the project as ZIP. (archive-invalid)\n')
})

test('the line that --details gives suppresses the finding', () => {
  const shop = createShop('suppressed')
  const { out } = run('scan', shop, '--details')
  const line = /suppress: (\/\/ parapet-disable-next-line cap\/cql-injection -- )<reason>/.exec(out)?.[1] ?? ''
  const entry = JSON.parse(/suppress: parapet\.config\.json: (\{.*\})/.exec(out)?.[1] ?? '{}')
  const text = SHOP['srv/shop.js'] ?? ''
  const at = text.split('\n').findIndex((content) => content.includes('req.data.buyer'))
  writeFileSync(join(folder, shop, 'srv/shop.js'), text.split('\n').toSpliced(at, 0, `${line}checked`).join('\n'))
  writeFileSync(
    join(folder, shop, 'parapet.config.json'),
    JSON.stringify({ suppress: [{ ...entry.suppress[0], reason: 'known' }] }),
  )
  expect(run('scan', shop).out).toContain('(2 suppressed)')
})

test('init writes a configuration once, and it changes nothing but the threshold', () => {
  const shop = createShop('init')
  const start = (...options: string[]): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [cli, 'init', ...options], { cwd: join(folder, shop), encoding: 'utf8' })
  // the schema is named where the project has it
  expect(start()).toMatchObject({ status: 0, stdout: 'Written: parapet.config.json. Each setting is explained in it.\n' })
  expect(read(`${shop}/parapet.config.json`)).not.toContain('$schema')
  expect(start().stderr).toBe('parapet.config.json is there already; it was left as it is\n')
  const explained = Object.keys(configFile.shape).flatMap((name) => (name === '$schema' ? [] : `//${name}`))
  expect(Object.keys(JSON.parse(read(`${shop}/parapet.config.json`)))).toEqual(expect.arrayContaining(explained))
  expect(start().status).toBe(2)
  rmSync(join(folder, shop, 'parapet.config.json'))
  expect(start('--lang', 'fr').stdout).toContain('Chaque réglage y est expliqué.')
  expect(JSON.parse(read(`${shop}/parapet.config.json`))).toMatchObject({
    '//exclude': expect.stringContaining('Fichiers qui ne sont pas lus'),
  })
  rmSync(join(folder, shop, 'parapet.config.json'))
  mkdirSync(join(folder, shop, 'node_modules/parapet'), { recursive: true })
  writeFileSync(join(folder, shop, 'node_modules/parapet/parapet.config.schema.json'), '{}')
  expect(start().status).toBe(0)
  expect(read(`${shop}/parapet.config.json`)).toContain('"$schema": "./node_modules/parapet/parapet.config.schema.json"')
  const totals = /^\d+ critical.*$/m.exec(run('scan', createShop('plain')).out)?.[0] ?? 'no totals'
  const { code, out } = run('scan', shop)
  expect(code).toBe(1)
  expect(out).toContain(`\n${totals}\n`)
  expect(out).not.toContain('parapet.config.json')
})
