import { readdirSync, readFileSync } from 'node:fs'
import { frameFiles } from './frames.ts'

/** A fragment that a reviewer would judge at a glance, in the smallest project in which it means something. */
export interface Sketch {
  readonly rule: string
  /** `missed`: a fault that is not found. `refuted`: it looks like a fault, and a fact about the runtime says that it is none. */
  readonly kind: 'found' | 'silent' | 'missed' | 'refuted'
  /** Why it is missed or refuted. */
  readonly reason?: string
  readonly severity?: string
  readonly name: string
  /** All that is written of it: the rule, the frame, the imports, the code, the files that are added. */
  readonly source: string
  readonly files: ReadonlyMap<string, string>
}

const KINDS: Readonly<Record<string, Sketch['kind']>> = { '+': 'found', '-': 'silent', '?': 'missed', '=': 'refuted' }
const SECTION = /^# ([a-z0-9]+\/[a-z0-9-]+) (\S+)(?: \| (.*))?$/
const START = /^([+\-?=])(CRITICAL|HIGH|MEDIUM|LOW|INFO)? (.*)$/

/**
 * Reads the tables of one area. A line `# rule frame | imports` begins a section; `+` begins a sketch that is found (of a severity, where one
 * follows), `-` one that is not, `?` one that is missed, `=` one that only looks like a fault, each with its reason behind `//`. What is indented by two spaces
 * goes on with it, and `> path` adds a file to it.
 */
export function readSketches(area: string): Sketch[] {
  const folder = new URL('./', import.meta.url)
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${area}-`) && name.endsWith('.txt'))
    .sort()
    .flatMap((name) => readTable(name, readFileSync(new URL(name, folder), 'utf8')))
}

function readTable(name: string, table: string): Sketch[] {
  const sketches: Sketch[] = []
  let section: RegExpExecArray | null = null
  let open:
    | { readonly start: RegExpExecArray; readonly code: string[]; readonly added: Map<string, string[]>; reason?: string }
    | undefined
  const close = (): void => {
    if (open === undefined || section === null) return
    const [, rule = '', frame = '', imports = ''] = section
    const [, mark = '', severity] = open.start
    const added = [...open.added].map(([path, lines]) => [path, `${lines.join('\n')}\n`] as const)
    const files = new Map([...frameFiles(frame, open.code.join('\n'), imports), ...added])
    const title = `${rule}: ${mark} ${open.code.join(' ').slice(0, 110)}${imports && ` | ${imports}`}`
    const { reason } = open
    if ((mark === '?' || mark === '=') !== (reason !== undefined))
      throw new Error(`${name}: a reason, a line that begins with // and is not indented, belongs to ? and =: ${title}`)
    sketches.push({
      rule,
      kind: KINDS[mark] ?? 'found',
      name: title,
      source: [section[0], mark + open.code.join('\n'), ...added.flat()].join('\n'),
      files,
      ...(severity !== undefined && { severity }),
      ...(reason !== undefined && { reason }),
    })
    open = undefined
  }
  for (const [index, line] of table.split('\n').entries()) {
    const [start, file] = [START.exec(line), /^> (\S+)$/.exec(line)?.[1]]
    if (line.startsWith('# ')) {
      close()
      section = SECTION.exec(line)
      if (section === null)
        throw new Error(
          `${name}:${index + 1}: a section is "# rule frame | imports", or "# rule frame" without imports and bar: ${line}`,
        )
    } else if (start !== null) {
      close()
      open = { start, code: [start[3] ?? ''], added: new Map() }
    } else if (line.startsWith('// ') && open !== undefined) open.reason = line.slice(3)
    else if (file !== undefined) open?.added.set(file, [])
    else if (line.startsWith('  ')) ([...(open?.added.values() ?? [])].at(-1) ?? open?.code)?.push(line.slice(2))
    else if (line !== '') throw new Error(`${name}:${index + 1}: no sketch: ${line}`)
  }
  close()
  return sketches
}
