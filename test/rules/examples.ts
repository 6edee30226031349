import { drawSecret } from '../secret-values.ts'

/** Where a finding of an example is. Lines and columns are 1-based. */
export interface ExamplePlace {
  readonly file: string
  /** Undefined: the file as a whole. */
  readonly line?: number
  readonly column?: number
  /** The column behind the last caret; undefined where only the start is said. */
  readonly endColumn?: number
  /** Line of the Markdown that says so. */
  readonly markdownLine: number
}

/** One section of a rule's Markdown (docs/adding-a-rule.md): a small project. */
export interface Example {
  /** `fixed`: the last bad example before it, after its advice was followed to the letter. */
  readonly kind: 'bad' | 'good' | 'missed' | 'fixed'
  readonly title: string
  readonly line: number
  readonly files: ReadonlyMap<string, string>
  /** Where the rule's findings are. */
  readonly places: readonly ExamplePlace[]
  /** Other rules that speak at the same place, on purpose. */
  readonly also: readonly string[]
  /** Day of the scan, ISO 8601. */
  readonly date?: string
  readonly severity?: string
  readonly confidence?: string
  /** Files of the example are meant to be unreadable or the like. */
  readonly incomplete: boolean
}

const HEADING = /^## (bad|good|missed|fixed): (.+)$/
const FENCE = /^(`{3,})(\S*) (\S+)((?: \S+)*)$/
const OPTIONS = ['date', 'also', 'severity', 'confidence', 'incomplete']
const OPTION = new RegExp(`\\s(${OPTIONS.join('|')})=(\\S+)`, 'g')
/** A line below another one, with carets under what is found there. */
const CARETS = /^[ \t]*\^[ \t^]*$/
/** A rule of which nobody knows anything that it misses. */
const NOTHING_MISSED = '## missed: nothing known'

interface Section {
  readonly kind: Example['kind']
  readonly title: string
  readonly line: number
  readonly options: ReadonlyMap<string, string>
  readonly files: Map<string, string>
  readonly places: ExamplePlace[]
}

/** Reads a rule's examples; credentials are drawn from the seed. Throws with the line where the form is wrong: an example that is not run is worse than none. */
export function readExamples(markdown: string, name: string, seed: string = name): Example[] {
  const sections: Section[] = []
  const lines = markdown.split('\n')
  const fail = (line: number, what: string): never => {
    throw new Error(`${name}:${line}: ${what}`)
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (line === NOTHING_MISSED) continue
    if (line.startsWith('## '))
      sections.push(
        readHeading(line, index + 1) ??
          fail(index + 1, `a heading must be "## bad: …", "## good: …", "## missed: …" or "## fixed: …": ${line}`),
      )
    if (!line.startsWith('```')) continue
    const section = sections.at(-1)
    const fence = FENCE.exec(line)
    if (fence === null || section === undefined)
      return fail(index + 1, `a fence needs a language and a path, below the heading of an example: ${line}`)
    const [, ticks = '', , path = '', rest = ''] = fence
    const unknown = rest.split(' ').find((word) => word !== '' && !word.startsWith('at='))
    if (unknown !== undefined)
      fail(
        index + 1,
        `after the path of a fence only at=… may stand, not ${unknown}; severity=… and the like belong in the heading`,
      )
    const end = lines.indexOf(ticks, index + 1)
    if (end < 0) fail(index + 1, 'the fence has no end')
    section.places.push(...listedPlaces(path, rest, index + 1), ...markedPlaces(path, lines, index + 1, end))
    const text = lines.slice(index + 1, end).filter((it) => !CARETS.test(it))
    section.files.set(path, fillSecrets(`${text.join('\n')}\n`, `${seed} ${path}`))
    index = end
  }
  for (const { kind, title, line, files, places } of sections) {
    const [unknown] = /(?<=^|\s)[a-z]+=\S+/.exec(title) ?? []
    if (unknown !== undefined)
      fail(line, `${unknown}: the options of a heading are ${OPTIONS.map((option) => `${option}=…`).join(', ')}`)
    if (files.size === 0)
      fail(line, `an example without files: write a fence with a language and a path below it, or "${NOTHING_MISSED}"`)
    if (kind === 'bad' && places.length === 0)
      fail(line, 'a bad example must mark what is found: carets below the line, or at=… after the path of the fence')
    if (kind !== 'bad' && places.length > 0) fail(line, `only a bad example may mark places, and this one is ${kind}`)
  }
  return sections.map(toExample)
}

/** Whether a rule's Markdown says what it misses, or that nothing is known. */
export function saysWhatIsMissed(markdown: string): boolean {
  return /^## missed: /m.test(markdown)
}

function readHeading(text: string, line: number): Section | undefined {
  const [, kind, rest = ''] = HEADING.exec(text) ?? []
  if (kind !== 'bad' && kind !== 'good' && kind !== 'missed' && kind !== 'fixed') return undefined
  const options = new Map([...` ${rest}`.matchAll(OPTION)].map(([, key = '', value = '']) => [key, value]))
  return { kind, title: ` ${rest}`.replaceAll(OPTION, '').trim(), line, options, files: new Map(), places: [] }
}

function toExample({ kind, title, line, files, places, options }: Section): Example {
  const [date, severity, confidence] = [options.get('date'), options.get('severity'), options.get('confidence')]
  return {
    kind,
    title,
    line,
    files,
    places,
    also: options.get('also')?.split(',') ?? [],
    incomplete: options.get('incomplete') === 'true',
    ...(date !== undefined && { date }),
    ...(severity !== undefined && { severity }),
    ...(confidence !== undefined && { confidence }),
  }
}

/** `at=3:81,4:2`, `at=file`: for whole files, and for lines whose columns only the test knows (credentials are drawn when it runs). */
function listedPlaces(file: string, rest: string, markdownLine: number): ExamplePlace[] {
  return (/ at=(\S+)/.exec(rest)?.[1]?.split(',') ?? []).map((at) => {
    if (at === 'file') return { file, markdownLine }
    const [line = 0, column = 0] = at.split(':').map(Number)
    return { file, line, column, markdownLine }
  })
}

/** Carets below a line: each group marks one finding of that line. What goes on in the next lines is marked to the end of its first one. */
function markedPlaces(file: string, lines: readonly string[], start: number, end: number): ExamplePlace[] {
  const places: ExamplePlace[] = []
  let line = 0
  for (let index = start; index < end; index++) {
    const text = lines[index] ?? ''
    if (!CARETS.test(text)) line++
    else
      for (const group of text.matchAll(/\^+/g)) {
        const column = group.index + 1
        places.push({ file, line, column, endColumn: column + group[0].length, markdownLine: index + 1 })
      }
  }
  return places
}

/** Secrets are drawn when the test runs, so that no file of this project holds one. */
function fillSecrets(text: string, seed: string): string {
  return text.replaceAll(/\{\{secret:([a-z0-9-]+)(?:#(\d+))?\}\}/g, (_, kind: string, number: string | undefined) =>
    drawSecret(kind, `${seed} ${number ?? 0}`),
  )
}
