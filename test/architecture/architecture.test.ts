import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname

/** Who may import whom (docs/architecture.md). A room is a folder or a file; the longest that fits a path is its room. `types`: types alone. */
const ROOMS: Readonly<
  Record<string, { readonly uses: readonly string[]; readonly types?: readonly string[]; readonly packages?: readonly string[] }>
> = {
  'core/terms.ts': { uses: [] },
  'core/affected-packages.ts': { uses: ['core/terms.ts'] },
  'core/types.ts': { uses: ['core/terms.ts', 'core/affected-packages.ts'] },
  'core/grade': { uses: ['core/types.ts', 'core/scales.ts'] },
  'core/files.ts': {
    uses: [],
    types: ['core/types.ts', 'core/parse', 'core/facts', 'core/extracts', 'core/flow', 'core/keywords', 'core/budget.ts'],
  },
  'core/scales.ts': { uses: ['core/types.ts'] },
  'core/lists.ts': { uses: [] },
  'core/digest.ts': { uses: [], packages: ['@noble/hashes'] },
  'core/once.ts': { uses: [] },
  'core/cut-text.ts': { uses: [] },
  'core/given-reason.ts': { uses: [] },
  'core/quote.ts': { uses: [] },
  'core/arguments.ts': { uses: [], types: ['core/terms.ts'] },
  'core/near-miss.ts': { uses: [] },
  'core/paths.ts': { uses: [] },
  'core/path-endings.ts': { uses: ['core/lists.ts'] },
  'core/hosts.ts': { uses: [] },
  'core/server-frameworks.ts': { uses: [] },
  'core/budget.ts': { uses: ['core/types.ts'] },
  'core/meter.ts': { uses: ['core/budget.ts'], types: ['core/types.ts'] },
  'core/errors.ts': { uses: ['core/types.ts'] },
  'core/limits.ts': { uses: ['core/types.ts'] },
  'core/log.ts': { uses: ['core/types.ts'] },
  'core/version.ts': { uses: [] },
  'core/parse': {
    uses: ['core/types.ts', 'core/limits.ts', 'core/budget.ts'],
    packages: ['@babel/parser', '@babel/types', 'saxes', 'htmlparser2', 'jsonc-parser', 'yaml'],
  },
  'core/parse/lock': { uses: ['core/parse', 'core/types.ts', 'core/limits.ts'], packages: ['semver'] },
  'core/facts': {
    uses: ['core/cut-text.ts', 'core/lists.ts', 'core/parse', 'core/types.ts', 'core/limits.ts', 'core/budget.ts'],
    packages: ['@babel/types'],
  },
  'core/conditions': { uses: ['core/facts', 'core/lists.ts'] },
  'core/keywords': { uses: [] },
  'core/extracts': { uses: [], types: ['core/facts', 'core/files.ts', 'core/keywords'] },
  'core/project': {
    uses: [
      'core/server-frameworks.ts',
      'core/lists.ts',
      'core/paths.ts',
      'core/project',
      'core/parse',
      'core/types.ts',
      'core/files.ts',
      'core/errors.ts',
      'core/limits.ts',
    ],
    packages: ['fflate', 'zod'],
  },
  'core/flow': {
    uses: [
      'core/hosts.ts',
      'core/server-frameworks.ts',
      'core/quote.ts',
      'core/lists.ts',
      'core/paths.ts',
      'core/path-endings.ts',
      'core/facts',
      'core/conditions',
      'core/model',
      'core/types.ts',
      'core/files.ts',
      'core/budget.ts',
    ],
    types: ['core/keywords'],
  },
  'core/secrets': {
    uses: [
      'core/hosts.ts',
      'core/keywords',
      'core/lists.ts',
      'core/quote.ts',
      'core/facts',
      'core/parse',
      'core/types.ts',
      'core/files.ts',
      'core/limits.ts',
      'core/budget.ts',
    ],
  },
  'core/model': {
    uses: [
      'core/server-frameworks.ts',
      'core/lists.ts',
      'core/near-miss.ts',
      'core/paths.ts',
      'core/path-endings.ts',
      'core/facts',
      'core/extracts',
      'core/keywords',
      'core/parse',
      'core/types.ts',
      'core/files.ts',
      'core/limits.ts',
      'core/budget.ts',
    ],
    packages: ['semver'],
  },
  'core/rules': {
    uses: [
      'core/server-frameworks.ts',
      'core/grade',
      'core/cut-text.ts',
      'core/arguments.ts',
      'core/quote.ts',
      'core/lists.ts',
      'core/once.ts',
      'core/scales.ts',
      'core/advisories/repair.ts',
      'core/paths.ts',
      'core/facts',
      'core/extracts',
      'core/keywords',
      'core/parse',
      'core/model',
      'core/flow',
      'core/secrets',
      'core/types.ts',
      'core/files.ts',
      'core/budget.ts',
    ],
    types: ['core/advisories', 'core/catalogue'],
    packages: ['semver'],
  },
  'core/inventory': {
    uses: ['core/model', 'core/parse', 'core/types.ts'],
    types: ['core/report', 'core/rules', 'core/catalogue', 'core/advisories'],
  },
  'core/report': {
    uses: [
      'core/given-reason.ts',
      'core/projects/marks.ts',
      'core/grade',
      'core/version.ts',
      'core/given-reason.ts',
      'core/cut-text.ts',
      'core/arguments.ts',
      'core/quote.ts',
      'core/digest.ts',
      'core/lists.ts',
      'core/near-miss.ts',
      'core/types.ts',
      'core/scales.ts',
      'core/limits.ts',
      'core/parse',
      'core/project/glob.ts',
      'core/secrets/randomness.ts',
    ],
    types: ['core/rules', 'core/project/config.ts', 'core/projects/types.ts'],
    packages: ['sarif'],
  },
  'core/project/glob.ts': { uses: [] },
  'core/project/config.ts': {
    uses: [
      'core/types.ts',
      'core/given-reason.ts',
      'core/parse/json.ts',
      'core/project/config-entries.ts',
      'core/project/grade-settings.ts',
    ],
    packages: ['zod'],
  },
  'core/project/config-entries.ts': { uses: ['core/types.ts'], packages: ['zod'] },
  'core/project/grade-settings.ts': {
    uses: ['core/types.ts', 'core/scales.ts', 'core/given-reason.ts', 'core/project/config-entries.ts'],
    packages: ['zod'],
  },
  'core/exclusive.ts': { uses: [], packages: ['unstorage'] },
  'core/projects.ts': { uses: [], types: ['core/projects', 'core/exclusive.ts'], packages: ['unstorage'] },
  'core/projects': {
    uses: [
      'core/types.ts',
      'core/errors.ts',
      'core/log.ts',
      'core/scales.ts',
      'core/exclusive.ts',
      'core/stored-scans.ts',
      'core/projects/marks.ts',
      'core/projects/decision-types.ts',
    ],
    types: ['core/projects/types.ts'],
    packages: ['unstorage', 'zod'],
  },
  'core/projects/decision-types.ts': { uses: [] },
  'core/projects/types.ts': { uses: [], types: ['core/types.ts', 'core/projects/decision-types.ts'] },
  'core/projects/marks.ts': { uses: ['core/scales.ts'], types: ['core/types.ts', 'core/report', 'core/projects/types.ts'] },
  'core/history.ts': {
    uses: ['core/projects', 'core/stored-scans.ts', 'core/types.ts', 'core/errors.ts', 'core/log.ts'],
    packages: ['unstorage'],
  },
  'core/stored-scans.ts': {
    uses: ['core/types.ts', 'core/errors.ts', 'core/scales.ts', 'core/log.ts'],
    packages: ['unstorage', 'zod'],
  },
  'core/until-aborted.ts': { uses: [] },
  'core/jobs': { uses: ['core/types.ts', 'core/errors.ts', 'core/until-aborted.ts'] },
  'core/network': { uses: ['core/version.ts', 'core/until-aborted.ts'], types: ['core/log.ts'], packages: ['ofetch'] },
  'core/catalogue': { uses: ['core/types.ts', 'core/errors.ts', 'core/log.ts', 'core/network'], packages: ['zod'] },
  'core/advisories': {
    uses: ['core/lists.ts', 'core/scales.ts', 'core/types.ts', 'core/log.ts', 'core/network', 'core/advisories/intervals.ts'],
    packages: ['zod', 'semver'],
  },
  'core/advisories/intervals.ts': { uses: ['core/advisories/types.ts'], packages: ['semver'] },
  'core/advisories/repair.ts': {
    uses: ['core/advisories/intervals.ts', 'core/scales.ts'],
    types: ['core/advisories/types.ts'],
    packages: ['semver'],
  },
  'core/run-rules.ts': { uses: ['core/budget.ts', 'core/types.ts'], types: ['core/rules'] },
  'core/engine.ts': {
    uses: [
      'core/keywords',
      'core/extracts/extract.ts',
      'core/flow',
      'core/model/extracts.ts',
      'core/project/boilerplate.ts',
      'core/project/kind-by-text.ts',
      'core/report/markers.ts',
    ],
    types: ['core/rules', 'core/extracts'],
  },
  'core/phases': {
    uses: [
      'core/paths.ts',
      'core/grade',
      'core/lists.ts',
      'core/once.ts',
      'core/limits.ts',
      'core/parse',
      'core/facts',
      'core/extracts',
      'core/flow',
      'core/keywords',
      'core/model',
      'core/secrets',
      'core/report',
      'core/project',
      'core/run-rules.ts',
      'core/engine.ts',
      'core/inventory',
      'core/meter.ts',
      'core/budget.ts',
      'core/types.ts',
      'core/digest.ts',
      'core/files.ts',
    ],
    types: ['core/rules', 'core/advisories', 'core/catalogue'],
  },
  'core/reference.ts': { uses: ['core/report/writers'] },
  'core/writers.ts': { uses: ['core/report/writers'] },
  'core/late-modules.ts': { uses: ['core/advisories', 'core/network', 'core/projects.ts', 'core/writers.ts'] },
  'core/text-masker.ts': { uses: ['core/keywords', 'core/secrets', 'core/report/mask.ts'] },
  'core/scan.ts': { uses: ['core'] },
  'core/runner.ts': { uses: ['core'] },
  'core/index.ts': { uses: ['core'] },
  'core/host.ts': { uses: ['core'] },
  'core/scanner.ts': { uses: ['core'] },
  handlers: { uses: ['core/index.ts'], packages: ['h3', 'zod', 'unstorage'] },
  'adapters/scripts': { uses: ['core'], packages: ['zod', 'esbuild', 'vite', 'fflate', 'node:'] },
  // it runs in browsers: of the program it shares the vocabulary, and knows the interface by its types
  'adapters/web': {
    uses: [
      'core/scales.ts',
      'core/version.ts',
      'core/report/words.ts',
      'core/report/source-hosts.ts',
      'core/report/source-link.ts',
      'core/report/compare-reports.ts',
      'core/report/assumed-words.ts',
      'core/report/comparison-words.ts',
      'core/report/list-findings.ts',
      'core/report/plural-form.ts',
      'core/report/code-lines.ts',
      'core/report/code-tokens.ts',
      'core/report/text-pieces.ts',
      'core/report/repair-first.ts',
      'core/project/kinds.ts',
      'core/project/crc32.ts',
      'core/projects/decision-types.ts',
      'core/report/writers/characters.ts',
      'adapters/terminal/suppression-line.ts',
    ],
    types: ['core/index.ts', 'core/report/writers/rule-samples.ts', 'handlers/index.ts'],
    packages: ['preact', '@preact/signals', 'fundamental-styles'],
  },
  adapters: {
    uses: ['handlers', 'core/index.ts', 'core/host.ts', 'core/scanner.ts'],
    packages: [
      'h3',
      'listhen',
      'zod',
      'unstorage',
      'fflate',
      'chokidar',
      'bullmq',
      'ioredis',
      'prom-client',
      '@bull-board/api',
      '@opentelemetry/api',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
      'node:',
    ],
  },
}

/** The folders of core/model, from the ground up: each may import those before it. */
const MODELS: readonly string[] = [
  'script',
  'maven',
  'java',
  'deployment',
  'npm',
  'cap',
  'authorization',
  'approuter',
  'php',
  'ui5',
  'reach',
]

/** One npm package, one door: the only folders or files that import it. zod is at every border. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  fflate: ['core/project/inflate.ts', 'adapters/scripts/build-page.ts', 'adapters/terminal/scan-on-server.ts'],
  preact: ['adapters/web'],
  '@preact/signals': ['adapters/web'],
  vite: ['adapters/scripts'],
  '@babel/parser': ['core/parse/javascript.ts'],
  saxes: ['core/parse/xml.ts'],
  htmlparser2: ['core/parse/html.ts'],
  'jsonc-parser': ['core/parse/json.ts'],
  yaml: ['core/parse/yaml.ts', 'core/parse/yaml-alias.ts'],
  listhen: ['adapters/node'],
  ofetch: ['core/network/fetch-json.ts'],
  '@noble/hashes': ['core/digest.ts'],
  chokidar: ['adapters/node/watch-folder.ts'],
  bullmq: ['adapters/node/queue'],
  ioredis: ['adapters/node/queue'],
  'prom-client': ['adapters/node/metrics.ts'],
  '@bull-board/api': ['adapters/node/queue/dashboard.ts'],
  '@opentelemetry/api': ['adapters/traces.ts'],
  'vscode-languageserver': ['adapters/editor', 'adapters/terminal/lsp-command.ts'],
  'vscode-languageserver-textdocument': ['adapters/editor/language-server.ts'],
}

interface Import {
  readonly file: string
  readonly target: string
  readonly isType: boolean
}

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return listSources(path)
    return /\.tsx?$/.test(entry.name) && !/\.(?:test|d)\.ts$/.test(entry.name) ? [path] : []
  })
}

const IMPORT = /^(?:import|export)\s+(type\s)?(?:[^'"`;]{0,3000}?\sfrom\s+)?'([^']+)'/gm

const SOURCES = ['core', 'handlers', 'adapters'].flatMap(listSources)
const IMPORTS: readonly Import[] = SOURCES.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)].map(([, type, name = '']) => ({
    file,
    // behind a question mark the build is told what to make of a file
    target: name.startsWith('.') ? relative(ROOT, join(ROOT, posix.dirname(file), name.replace(/\?.*$/, ''))) : name,
    isType: type !== undefined,
  })),
)

function isIn(path: string, room: string): boolean {
  return path === room || path.startsWith(`${room}/`)
}

function roomOf(path: string): string | undefined {
  return Object.keys(ROOMS)
    .filter((room) => isIn(path, room))
    .sort((a, b) => b.length - a.length)[0]
}

function modelOf(path: string): string | undefined {
  return /^core\/model\/([^/]+)\//.exec(path)?.[1]
}

describe('architecture', () => {
  test('there is something to judge', () => {
    expect(IMPORTS.length).toBeGreaterThan(100)
  })

  test('every file has a room', () => {
    expect(SOURCES.filter((file) => roomOf(file) === undefined)).toEqual([])
  })

  test('rooms import only what they may', () => {
    const wrong = IMPORTS.filter(({ file, target, isType }) => {
      const own = roomOf(file)
      const room = ROOMS[own ?? '']
      if (own === undefined || room === undefined) return true
      // a style sheet of the room itself
      if (target.endsWith('.css') && isIn(target, own)) return false
      if (SOURCES.includes(target)) {
        if (isIn(target, own) && roomOf(target) === own) return false
        return ![...room.uses, ...(isType ? (room.types ?? []) : [])].some((used) => isIn(target, used))
      }
      return !(room.packages ?? []).some(
        (name) => target === name || target.startsWith(`${name}/`) || (name.endsWith(':') && target.startsWith(name)),
      )
    })
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test("a model's folder is entered by its index.ts alone", () => {
    const wrong = IMPORTS.filter(({ file, target }) => {
      const model = modelOf(target)
      return model !== undefined && model !== modelOf(file) && target !== `core/model/${model}/index.ts`
    })
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('the folders of the model import each other in one direction', () => {
    const wrong = IMPORTS.filter(({ file, target }) => {
      const [from, to] = [modelOf(file), modelOf(target)]
      return from !== undefined && to !== undefined && MODELS.indexOf(to) > MODELS.indexOf(from)
    })
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
    expect([...new Set(SOURCES.flatMap((file) => modelOf(file) ?? []))].sort()).toEqual([...MODELS].sort())
  })

  test('a rule imports no other rule', () => {
    const rules = /^core\/rules\/[a-z0-9]+\//
    expect(IMPORTS.filter(({ file, target }) => rules.test(file) && rules.test(target) && !target.includes('/_'))).toEqual([])
  })

  test('a rule asks what a sink does, and reads no words of it', () => {
    const word = String.raw`(?:(?:\w+\.)?(?:sink|quotedSink)|hit\.message)`
    const reading = new RegExp(
      [
        String.raw`\b${word}\??\.(?:match|matchAll|startsWith|endsWith|includes|indexOf|search|slice|split|replace|replaceAll)\(`,
        String.raw`\.(?:test|exec)\(${word}\)`,
        String.raw`\b${word}\s*[!=]==\s*['"\`]`,
      ].join('|'),
    )
    for (const example of ['/x/.test(hit.sink)', "hit.sink.endsWith('.user')", "sink === 'RegExp'", 'sink.split(1)'])
      expect(example).toMatch(reading)
    const rules = SOURCES.filter((file) => file.startsWith('core/rules/'))
    const found = rules.filter((file) => reading.test(readFileSync(`${ROOT}/${file}`, 'utf8')))
    expect(found, 'ask `hit.api`: what a sink does is a row of core/flow/models/effects.ts').toEqual([])
  })

  test('one package, one door', () => {
    const wrong = IMPORTS.filter(({ file, target, isType }) => {
      const doors = DOORS[target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : (target.split('/')[0] ?? '')]
      return doors !== undefined && !isType && !doors.some((door) => isIn(file, door))
    })
    expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  })

  test('no file is longer than 400 lines, but for data', () => {
    const long = SOURCES.map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1 })).filter(
      ({ file, lines }) =>
        lines > 400 &&
        !file.endsWith('/snapshot.ts') &&
        file !== 'core/rules/index.ts' &&
        file !== 'core/report/rule-examples.ts',
    )
    expect(long).toEqual([])
  })

  test('the core keeps no state in a module', () => {
    const stateful = SOURCES.filter((file) => /^(?:core|handlers)\//.test(file)).flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(
          /^(?:export )?let .+$|^(?:export )?const \w+(?:: [^=\n]+)? = new (?:Map|Set|WeakMap|WeakSet)(?:<[^\n]*>)?\(\)$/gm,
        ),
      ].map(([line]) => `${file}: ${line}`),
    )
    expect(stateful).toEqual([])
  })

  test('comments cite no document that is not in the repository', () => {
    // a document of a package is named with its folder: `doc/extending.md`
    const cited = /(?<![\w/.-])(?:docs\/)?[A-Za-z][\w-]*\.md\b|\bissue #?\d/g
    const wrong = SOURCES.flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:^|\s)(?:\/\/|\/\*\*?|\*) [^\n]*/g)].flatMap(([comment]) =>
        [...comment.matchAll(cited)].filter(([name]) => !existsSync(join(ROOT, name))).map(([name]) => `${file}: ${name}`),
      ),
    )
    expect(wrong, 'of a package name a document with its folder, unless that is docs, or without .md: README').toEqual([])
  })

  test('names that say nothing stay out', () => {
    // a rule's file bears its id, which names a fault
    const named = SOURCES.filter((file) => !/^core\/rules\/[a-z0-9]+\/[a-z]/.test(file))
    expect(named.filter((file) => /(?:^|[/.-])(?:utils?|helpers?|common|misc|manager)(?:[/.-]|$)/.test(file))).toEqual([])
  })
})
