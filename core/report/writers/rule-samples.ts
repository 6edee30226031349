/** A sample project of a rule's Markdown, as a reader of the reference sees it. */
export interface RuleSample {
  readonly kind: 'vulnerable' | 'safe' | 'missed'
  readonly title: string
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** Prose of the section. */
  readonly notes: readonly string[]
}

const KINDS: ReadonlyMap<string, RuleSample['kind']> = new Map([
  ['bad', 'vulnerable'],
  ['vulnerable', 'vulnerable'],
  ['good', 'safe'],
  ['safe', 'safe'],
  ['fixed', 'safe'],
  ['missed', 'missed'],
])

const HEADING = /^## ([a-z]+)(?:: *(.*))?$/
const FENCE = /^(`{3,})(\S*) ?(\S*).*$/
/** What a test asks of a sample and a reader need not know. */
const OPTIONS = /\s(?:date|also|severity|confidence|incomplete)=\S+/g

/** Reads the samples of a rule's Markdown. Marks of places (carets) and drawn credentials are for the tests alone. */
export function readSamples(markdown: string): RuleSample[] {
  const samples: { kind: RuleSample['kind']; title: string; files: { path: string; text: string }[]; notes: string[] }[] = []
  let fence: { readonly end: string; readonly path: string; readonly lines: string[] } | undefined
  for (const line of markdown.split('\n')) {
    const sample = samples.at(-1)
    if (fence !== undefined) {
      if (line !== fence.end) fence.lines.push(line)
      else {
        sample?.files.push({ path: fence.path, text: toSampleText(fence.lines) })
        fence = undefined
      }
      continue
    }
    const [, ticks, , path = ''] = FENCE.exec(line) ?? []
    const [, name = '', title = ''] = HEADING.exec(line) ?? []
    const kind = KINDS.get(name)
    if (ticks !== undefined) fence = { end: ticks, path, lines: [] }
    else if (kind !== undefined) samples.push({ kind, title: title.replaceAll(OPTIONS, '').trim(), files: [], notes: [] })
    else if (line.trim() !== '') sample?.notes.push(line.trim())
  }
  return samples
}

function toSampleText(lines: readonly string[]): string {
  return lines
    .filter((line) => !/^\s*\^+[\s^]*$/.test(line))
    .join('\n')
    .replaceAll(/\{\{secret:([\w-]+)(?:#\d+)?\}\}/g, '<$1>')
}
