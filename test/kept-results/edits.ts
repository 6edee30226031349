import type { Chance } from '../hostile/mutate.ts'

type Files = ReadonlyMap<string, string>

interface Edited {
  readonly told: string
  readonly edited: Files
}

type Edit = (files: Map<string, string>, chance: Chance, start: Files) => string | undefined

const WORDS = [
  'name',
  'eval(req.data.name)',
  'location.hash',
  "'any'",
  '@requires',
  'https',
  'true',
  '{}',
  '// parapet-ignore',
  '@all/run',
  './clean',
  'run',
] as const

const pathOf = (files: Files, chance: Chance, form = /./): string | undefined => {
  const fitting = [...files.keys()].filter((path) => form.test(path))
  return fitting.length === 0 ? undefined : chance.pick(fitting)
}

function changeLine(text: string, chance: Chance): string {
  const lines = text.split('\n')
  const at = chance.below(lines.length)
  const line = lines[at] ?? ''
  const words = [...line.matchAll(/[\w@./-]{2,}/g)]
  switch (chance.below(5)) {
    case 0:
      lines.splice(at, 1)
      break
    case 1:
      lines.splice(at, 0, line)
      break
    case 2:
      lines.splice(at, 0, '')
      break
    case 3:
      lines.push(lines.splice(at, 1).join(''))
      break
    default: {
      if (words.length === 0) break
      const word = chance.pick(words)
      lines[at] = `${line.slice(0, word.index)}${chance.pick(WORDS)}${line.slice(word.index + word[0].length)}`
    }
  }
  return lines.join('\n')
}

/** Edits the lines of a file whose path has a form. */
const edit =
  (form: RegExp): Edit =>
  (files, chance) => {
    const path = pathOf(files, chance, form)
    if (path === undefined) return undefined
    files.set(path, changeLine(files.get(path) ?? '', chance))
    return `edit ${path}`
  }

const EDITS: readonly Edit[] = [
  edit(/./),
  edit(/\.[jt]s$/),
  edit(/\.[jt]s$/),
  edit(/\.(?:view|fragment)\.xml$/),
  edit(/manifest\.json$/),
  edit(/\.cds$/),
  edit(/(?:package|tsconfig|xs-app|xs-security)\.json$|\.ya?ml$/),
  (files, chance) => {
    const path = pathOf(files, chance)
    if (path === undefined) return undefined
    const to = path.replace(/([^/]*)$/, `added-${chance.below(3)}-$1`)
    files.set(to, files.get(path) ?? '')
    return `add ${to}`
  },
  (files, chance) => {
    const path = pathOf(files, chance)
    if (path === undefined || files.size < 3) return undefined
    files.delete(path)
    return `delete ${path}`
  },
  (files, chance) => {
    const path = pathOf(files, chance)
    if (path === undefined) return undefined
    const text = files.get(path) ?? ''
    const [folder] = path.split('/', 1)
    const to = chance.below(2) === 0 ? `moved/${path}` : path.replace(/([^/]*)$/, `renamed-$1`)
    files.delete(path)
    files.set(to, text)
    return `rename ${path} to ${to}, of ${folder}`
  },
  // what was there before comes back, as after a change of branches
  (files, chance, start) => {
    const path = pathOf(start, chance)
    if (path === undefined) return undefined
    files.set(path, start.get(path) ?? '')
    return `restore ${path}`
  },
  (files, chance, start) => {
    files.clear()
    for (const [path, text] of start) files.set(path, text)
    return chance.below(2) === 0 ? edit(/\.[jt]s$/)(files, chance, start) : 'restore all'
  },
  (files, chance) => {
    const rule = chance.pick(['cap/command-injection', 'cap/cql-injection', 'ui5/xss-html-control'])
    const config = chance.pick([
      { exclude: [chance.pick(['srv/**', 'app/**', '**/*.js'])] },
      { suppress: [{ rule, reason: 'known', files: ['**'] }] },
      { flow: { sinks: [{ at: 'module:@all/run run', rule: 'cap/command-injection', args: [0] }] } },
      { flow: { sanitizers: [{ at: 'module:@all/clean clean', cleans: ['cap/command-injection'] }] } },
      {},
    ])
    files.set('parapet.config.json', JSON.stringify(config))
    return `configure ${JSON.stringify(config)}`
  },
  (files, chance) => {
    const manifest = {
      name: chance.pick(['@all/run', '@all/clean', 'other']),
      main: chance.pick(['index.js', 'other.js']),
      dependencies: chance.pick([{}, { express: '4' }, { react: '18' }]),
    }
    const path = chance.pick(['libs/run/package.json', 'package.json', 'srv/package.json'])
    files.set(path, JSON.stringify(manifest))
    return `package ${path}`
  },
]

/** One change as people make them, or a few: told in words. `start`: what the project was at first. */
export function editRandomly(files: Files, start: Files, chance: Chance): Edited {
  const edited = new Map(files)
  const told: string[] = []
  while (told.length === 0 || chance.below(4) === 0) {
    const did = chance.pick(EDITS)(edited, chance, start)
    if (did !== undefined) told.push(did)
  }
  return { told: told.join(', '), edited }
}
