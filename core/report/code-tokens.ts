/** What a piece of code is, as far as its colour goes. */
export type TokenKind = 'plain' | 'comment' | 'string' | 'keyword' | 'number' | 'name'

/** A piece of one line. */
export interface CodeToken {
  readonly kind: TokenKind
  readonly text: string
}

/** How comments begin and words look. */
type Family = 'c' | 'hash' | 'markup' | 'none'

const FAMILIES: readonly (readonly [RegExp, Family])[] = [
  [/\.(?:[cm]?[jt]sx?|cds|java|json|json5|hdb\w*|sql|css|less|xs\w*|groovy)$|(?:^|\/)jenkinsfile$/i, 'c'],
  [/\.(?:xml|html?|svg|jsp)$/i, 'markup'],
  [/\.(?:ya?ml|properties|toml|sh|py|rb|conf|env\w*|tf|http|rest|npmrc)$|(?:^|\/)(?:dockerfile|procfile|\.\w+)$/i, 'hash'],
]

/** One piece after the other; of a comment over several lines its beginning. */
const PIECES: Readonly<Record<Exclude<Family, 'none'>, () => RegExp>> = {
  c: () =>
    /(?<comment>\/\/[^\n]*)|(?<block>\/\*)|(?<string>"(?:[^"\\\n]|\\[^\n])*"?|'(?:[^'\\\n]|\\[^\n])*'?|`(?:[^`\\]|\\[^])*`?)|(?<number>\d[\w.]*)|(?<word>[A-Za-z_$@][\w$]*)|[^]/g,
  hash: () =>
    /(?<comment>#[^\n]*)|(?<string>"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?)|(?<number>\d[\w.]*)|(?<word>[A-Za-z_][\w.-]*)|[^]/g,
  markup: () => /(?<block><!--)|(?<string>"[^"\n<]*"?|'[^'\n<]*'?)|(?<word><\/?[A-Za-z][\w:.-]*|[A-Za-z][\w:.-]*)|[^]/g,
}
const BLOCK_ENDS = { c: '*/', hash: '', markup: '-->' } as const

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'abstract action annotate any as aspect async await boolean break case catch class const continue default define delete do else entity enum event export extends false final finally for ' +
    'from function if implements import in instanceof interface let new null of on private projection protected public return select service static super switch this throw true try type ' +
    'typeof undefined using var view void where while with yield'
  ).split(' '),
)
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no'])

/** A snippet line by line in pieces; of a language that nobody knows each line is one piece. What began above the snippet is not known. */
export function readCodeTokens(snippet: string, file: string): readonly (readonly CodeToken[])[] {
  const family = FAMILIES.find(([pattern]) => pattern.test(file))?.[1] ?? 'none'
  if (family === 'none') return snippet.split('\n').map((text) => [{ kind: 'plain', text }])
  const lines: CodeToken[][] = [[]]
  const pieces = PIECES[family]()
  for (let match = pieces.exec(snippet); match !== null; match = pieces.exec(snippet)) {
    if (match.groups?.['block'] !== undefined) pieces.lastIndex = endOfBlock(snippet, match.index, BLOCK_ENDS[family])
    const kind = kindOf(match, family, snippet)
    const piece = snippet.slice(match.index, pieces.lastIndex)
    for (const [index, text] of piece.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (text !== '') add(lines.at(-1) ?? [], kind, text)
    }
  }
  return lines
}

function endOfBlock(snippet: string, start: number, end: string): number {
  const found = snippet.indexOf(end, start + 2)
  return found === -1 ? snippet.length : found + end.length
}

/** Pieces of one kind in a row are one. */
function add(line: CodeToken[], kind: TokenKind, text: string): void {
  const last = line.at(-1)
  if (last?.kind === kind) line[line.length - 1] = { kind, text: last.text + text }
  else line.push({ kind, text })
}

function kindOf({ groups = {}, 0: text, index = 0 }: RegExpMatchArray, family: Family, snippet: string): TokenKind {
  if (groups['block'] !== undefined) return 'comment'
  if (groups['comment'] !== undefined) return isComment(text, family, snippet[index - 1]) ? 'comment' : 'plain'
  if (groups['string'] !== undefined) return isKey(snippet, index + text.length, family) ? 'name' : 'string'
  if (groups['number'] !== undefined) return 'number'
  if (groups['word'] === undefined) return 'plain'
  if (family === 'markup') return text.startsWith('<') ? 'keyword' : snippet[index + text.length] === '=' ? 'name' : 'plain'
  if (family === 'hash') return CONSTANTS.has(text) ? 'keyword' : isKey(snippet, index + text.length, family) ? 'name' : 'plain'
  return KEYWORDS.has(text) ? 'keyword' : text.startsWith('@') ? 'name' : 'plain'
}

/** `#` within a word is none, and `//` behind a colon is an address. */
const isComment = (text: string, family: Family, before = ' '): boolean =>
  family === 'hash' ? /\s/.test(before) : !(text.startsWith('//') && before === ':')

/** A key of JSON, YAML or properties stands before its colon; elsewhere a string before one is a value. */
function isKey(snippet: string, end: number, family: Family): boolean {
  const next = snippet[end]
  return family === 'c' ? next === ':' && snippet[end + 1] === ' ' : next === ':' || (next === '=' && family === 'hash')
}
