import { describe, expect, test } from 'vitest'
import { SERVERS } from '../../core/server-frameworks.ts'
import { CALLBACK_SOURCES, PAGE_CALLBACK_SOURCES } from '../../core/flow/models/callback-sources.ts'
import { RULES } from '../../core/rules/index.ts'
import { BROWSER_SINKS } from '../../core/flow/tables/app-sinks.ts'
import { SOURCE_CALLS } from '../../core/flow/tables/web.ts'
import { CLEANING, PARSING, PASSING, SIGNING } from '../../core/flow/tables/propagators.ts'
import { SINKS, type SinkRow } from '../../core/flow/tables/sinks.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

const PACKAGE = '{"dependencies":{"@sap/cds":"^9","js-yaml":"^3.14.0"}}'

/** Each access path of the table as a script in which data of a request arrives at the argument. */
function exampleOf(row: SinkRow, path: string): string {
  const { whenMade, whenOption, whenShell, leading, minArgs = 0, when } = row.only ?? {}
  const [root = '', ...steps] = path.split(' ')
  const isNew = steps.at(-1) === 'new'
  const source = root.startsWith('module:') ? `require('${root.slice('module:'.length)}')` : root.slice('global:'.length)
  let callee = source
  for (const step of isNew ? steps.slice(0, -1) : steps)
    callee =
      step === '()'
        ? `${callee}(${whenMade === undefined ? '' : `{ ${whenMade}: true }`})`
        : step === 'new'
          ? `new (${callee})()`
          : `${callee}.${step}`
  const at = row.args[0] ?? 0
  const [field] = row.fields ?? []
  const isBehind = row.needs === 'concatenated' || leading?.test('') === false
  const data = isBehind ? "'x ' + req.data.x" : 'req.data.x'
  const inside = (field ?? '').split('.').reduceRight((text, name) => `{ ${name}: ${text} }`, data)
  const value = row.fields === undefined || row.onlyFields !== true ? data : inside
  const length = Math.max(at + 1, minArgs, when === undefined ? 0 : when.index + 1)
  const args = Array.from({ length }, (_, index) => (index === at ? value : index === when?.index ? "'/bin/sh'" : "'a'"))
  if (whenOption !== undefined) args.push(`{ ${whenOption}: true }`)
  if (whenShell === true) args[at] = `[${data}]`
  if (whenShell === true) args.push('{ shell: true }')
  const call = isNew ? `new (${callee})(${args.join(', ')})` : `${callee}(${args.join(', ')})`
  return `const cds = require('@sap/cds')\nmodule.exports = (srv) => { srv.on('run', async (req) => ${call}) }\n`
}

/** Rows about what clients send; the others need more than a call. */
const rows = SINKS.filter(({ of, fault }) => of === undefined && fault !== 'cap/messaging-handler-trusts-payload')

describe('each row of the table of sinks', () => {
  test('that names calls reports request data in each of them', { timeout: 300_000 }, async () => {
    const examples = rows.flatMap((row) =>
      // archives choose what reaches these
      row.fault === 'cap/zip-slip' ? [] : (row.calls ?? []).map((path) => ({ fault: row.fault, text: exampleOf(row, path) })),
    )
    const files = examples.map(({ text }, index) => [`srv/a${index}.js`, text] as const)
    const { en } = await scanFiles(new Map([['package.json', PACKAGE], ...files]))
    const found = new Set(
      allFindings(en).flatMap(({ ruleId, file, occurrences = [] }) =>
        [file, ...occurrences.map((one) => one.file)].map((one) => `${ruleId} ${one}`),
      ),
    )
    const silent = examples.flatMap(({ fault, text }, index) =>
      found.has(`${fault} srv/a${index}.js`) ? [] : `${fault}: ${text}`,
    )
    expect(silent).toEqual([])
  })

  test('that names calls of packages names each one once', () => {
    const seen = new Set<string>()
    const repeated = rows.flatMap((row) =>
      (row.calls ?? []).filter((path) => {
        const key = `${row.fault} ${path} ${row.args.join()} ${row.fields?.join()} ${String(row.only?.when?.text)} ${row.only?.whenShell} ${row.only?.minArgs}`
        return seen.has(key) || !seen.add(key)
      }),
    )
    expect(repeated).toEqual([])
  })
})

/** Sinks that take anything, by their rules. */
const TAKING: readonly (readonly [fault: string, sink: string])[] = [
  ['cap/code-injection', 'eval(DATA)'],
  ['cap/command-injection', "require('child_process').exec(DATA)"],
  ['cap/ssrf', "fetch('https://' + DATA)"],
]

describe('each row of the table of sanitizers', () => {
  test('names what is harmless behind it, and lets it go on for other rules', { timeout: 300_000 }, async () => {
    const examples = [...CLEANING].flatMap(([path, cleaned]) => {
      if (!path.startsWith('module:')) return []
      const [root = '', ...steps] = path.slice('module:'.length).split(' ')
      const callee = steps.reduce((text, step) => (step === 'new' ? `new (${text})()` : `${text}.${step}`), `require('${root}')`)
      return TAKING.map(([fault, sink]) => {
        const call = sink.replace('DATA', `${callee}(req.data.x)`)
        const text = `module.exports = (srv) => { srv.on('run', async (req) => ${call}) }\n`
        return { fault, text, isHarmless: cleaned.includes(fault) }
      })
    })
    expect(examples.length).toBeGreaterThan(100)
    const files = examples.map(({ text }, index) => [`srv/a${index}.js`, text] as const)
    const { en } = await scanFiles(new Map([['package.json', PACKAGE], ...files]))
    const found = new Set(
      allFindings(en).flatMap(({ ruleId, file, occurrences = [] }) =>
        [file, ...occurrences.map((one) => one.file)].map((one) => `${ruleId} ${one}`),
      ),
    )
    const wrong = examples.flatMap(({ fault, text, isHarmless }, index) =>
      found.has(`${fault} srv/a${index}.js`) === isHarmless
        ? `${fault} ${isHarmless ? 'is reported behind it' : 'is lost behind it'}: ${text}`
        : [],
    )
    expect(wrong).toEqual([])
  })
})

describe('what rows name', () => {
  const isRule = (id: string): boolean => RULES.some((rule) => rule.id === id)

  test('are rules that there are', () => {
    const named = [...SINKS.map(({ fault }) => fault), ...[...CLEANING.values()].flat().filter((one) => one.includes('/'))]
    expect([...new Set(named)].flatMap((id) => (isRule(id) ? [] : `no rule ${id}`))).toEqual([])
  })

  test('are last words of calls in SOURCE_CALLS: what stands before them is `of`', () => {
    expect(SOURCE_CALLS.flatMap(({ names }) => names.filter((name) => name.includes(' ')))).toEqual([])
  })
})

describe('each row of the table of web frameworks', () => {
  // each in a project of its own: many small servers side by side are taken for exercises
  test.each([...SERVERS].filter((path) => !/Router/.test(path)))('%s makes a server that is open to anyone', async (path) => {
    const [root = '', ...steps] = path.slice('module:'.length).split(' ')
    const made = steps.reduce(
      (text, step) => (step === '()' ? `${text}()` : step === 'new' ? `new (${text})()` : `${text}.${step}`),
      `require('${root}')`,
    )
    const route = `app.get('/x', (req, res) => require('child_process').exec(req.query.x))`
    const { en } = await scanFiles(
      new Map([
        ['package.json', `{"dependencies":{"${root}":"*"}}`],
        ['server.js', `const app = ${made}\n${route}\napp.listen(4004)\n`],
      ]),
    )
    expect(allFindings(en).map(({ ruleId, severity }) => `${ruleId} ${severity}`)).toContain('cap/command-injection CRITICAL')
  })
})

describe('no access path', () => {
  const paths = [
    ...[...SINKS, ...BROWSER_SINKS, ...CALLBACK_SOURCES, ...PAGE_CALLBACK_SOURCES].flatMap(({ calls = [] }) => calls),
    ...PASSING,
    ...PARSING,
    ...SIGNING.keys(),
    ...CLEANING.keys(),
    ...SERVERS,
  ]

  test('names a default export: it is the module, and such a row finds nothing', () => {
    expect(paths.filter((path) => /^module:\S+ default(?: |$)/.test(path))).toEqual([])
  })

  test('says module: or global: twice: some tables write it themselves in front of their rows', () => {
    const wrong = paths.filter((path) => /(?:module|global):.*(?:module|global):/.test(path))
    expect(wrong, 'write these without the prefix (cleaning-packages.ts, server-frameworks.ts) or with one alone').toEqual([])
  })
})

describe('each way from a call to what a function is handed', () => {
  /** What `at` of a row may say: others are no step that the flow follows, and would be left out. */
  const STEPS = /^Argument\[\d\](?:\.Member\[[^\].]+\])*\.Parameter\[\d\](?:\.(?:Member\[[^\].]+\]|ArrayElement))*$/
  test('has steps that are followed: Argument[n], Member[name], Parameter[n], then Member[name] and ArrayElement', () => {
    const ways = [...CALLBACK_SOURCES, ...PAGE_CALLBACK_SOURCES].flatMap(({ at, listener }) =>
      listener === undefined ? [at] : [at, listener.at],
    )
    expect(ways.filter((way) => !STEPS.test(way))).toEqual([])
  })
})
