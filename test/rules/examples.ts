import { drawSecret } from '../secret-values.ts'

/** One `## bad`, `## good` or `## missed` section of a rule's Markdown (design.md, "Adding a rule"). */
export interface Example {
  readonly kind: 'bad' | 'good' | 'missed'
  readonly title: string
  readonly line: number
  readonly files: ReadonlyMap<string, string>
  /** Where the rule's findings are: `file:line:column`, or `file` for a whole one. */
  readonly places: readonly string[]
  /** Other rules that speak at the same place, on purpose. */
  readonly also: readonly string[]
  /** Day of the scan, ISO 8601. */
  readonly date?: string
  readonly severity?: string
  readonly confidence?: string
  /** Files of the example are meant to be unreadable or the like. */
  readonly incomplete: boolean
}

const HEADING = /^## (bad|good|missed): (.+)$/
const FENCE = /^(`{3,})(\S*) (\S+)((?: \S+)*)$/
const OPTION = /\s(date|also|severity|confidence|incomplete)=(\S+)/g

/** Reads a rule's examples. Throws with the line where the form is wrong: an example that is not run is worse than none. */
export function readExamples(markdown: string, name: string): Example[] {
  const examples: Example[] = []
  const lines = markdown.split('\n')
  let current:
    | {
        kind: Example['kind']
        title: string
        line: number
        options: Map<string, string>
        files: Map<string, string>
        places: string[]
      }
    | undefined
  const close = (): void => {
    if (current === undefined) return
    if (current.files.size === 0) throw new Error(`${name}:${current.line}: an example without files`)
    if ((current.kind === 'bad') !== current.places.length > 0)
      throw new Error(`${name}:${current.line}: a bad example, and only it, says at=`)
    const { kind, title, line, files, places, options } = current
    const [date, severity, confidence] = [options.get('date'), options.get('severity'), options.get('confidence')]
    examples.push({
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
    })
  }
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const heading = HEADING.exec(line)
    if (heading) {
      close()
      const [, kind, rest = ''] = heading
      if (kind !== 'bad' && kind !== 'good' && kind !== 'missed') throw new Error(`${name}:${index + 1}: ${line}`)
      const options = new Map([...` ${rest}`.matchAll(OPTION)].map(([, key = '', value = '']) => [key, value]))
      current = { kind, title: ` ${rest}`.replaceAll(OPTION, '').trim(), line: index + 1, options, files: new Map(), places: [] }
      continue
    }
    if (line.startsWith('## ')) throw new Error(`${name}:${index + 1}: not bad, good or missed: ${line}`)
    if (!line.startsWith('```')) continue
    const fence = FENCE.exec(line)
    if (fence === null || current === undefined)
      throw new Error(`${name}:${index + 1}: a fence needs a language, a path and an example: ${line}`)
    const [, ticks = '', , path = '', rest = ''] = fence
    const end = lines.indexOf(ticks, index + 1)
    if (end < 0) throw new Error(`${name}:${index + 1}: the fence has no end`)
    const text = lines.slice(index + 1, end).join('\n') + '\n'
    current.files.set(path, fillSecrets(text, `${name} ${path}`))
    for (const at of / at=(\S+)/.exec(rest)?.[1]?.split(',') ?? []) current.places.push(at === 'file' ? path : `${path}:${at}`)
    index = end
  }
  close()
  return examples
}

/** Secrets are drawn when the test runs, so that no file of this project holds one. */
function fillSecrets(text: string, seed: string): string {
  return text.replaceAll(/\{\{secret:([a-z0-9-]+)(?:#(\d+))?\}\}/g, (_, kind: string, number: string | undefined) =>
    drawSecret(kind, `${seed} ${number ?? 0}`),
  )
}
