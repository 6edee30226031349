import type { Budget } from '../budget.ts'
import type { OpenContent, OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { decodeLayers } from './base64.ts'
import { gradeAt, type Needs } from './beside.ts'
import { isSampleFile, type Grade } from './grade.ts'
import { ARGUMENT_KEYWORDS } from './arguments.ts'
import { COMMAND_KEYWORDS } from './commands.ts'
import { ESCAPE_KEYWORDS, findCredentials, type FinderResult } from './find.ts'
import { findShapedTokens, type ShapedToken } from './find-tokens.ts'
import { HEADER_KEYWORDS } from './headers.ts'
import { KUBERNETES_KEYWORDS } from './kubernetes.ts'
import { NAME_KEYWORDS } from './names.ts'
import { INPUT_KEYWORDS } from './inputs.ts'
import { countSearch, createFileLayer, type Layer } from './layers.ts'
import { describeNameBefore } from './name-before.ts'
import { readPairs, type Pair } from './pairs.ts'
import { PASSWORD_FILE_KEYWORDS } from './password-files.ts'
import { PATH_KEYWORDS } from './path-keys.ts'
import { createExpiryReader } from './key-certificates.ts'
import { findPrivateKeys, PRIVATE_KEY_KEYWORD, type PrivateKey } from './private-keys.ts'
import { createSpanSet } from './resolve.ts'
import { isWholeServiceKey } from './service-keys.ts'
import { SHAPES_BY_KEYWORD, TOKEN_TABLE } from './token-table.ts'
import { findTokens, type Token, type TokenShape } from './tokens.ts'
import { findUrls, URL_KEYWORDS, type CredentialUrl } from './urls.ts'

export { lastGiven } from './shell-variables.ts'
export { limitMatches } from './limit-matches.ts'
export { classifyHost, isWorkspacePreview } from '../hosts.ts'
export { isPlaceholder, isWeak } from './values.ts'
export { isSampleFile } from './grade.ts'
export { isSymmetric } from './shapes.ts'
export { matchUrls } from './url-matches.ts'
export { BINDING_SECRET } from './token-table.ts'
export { PRIVATE_KEY_KEYWORD, URL_KEYWORDS }
import { TOKEN_ROWS } from './table/index.ts'
/** Where readers of names, commands and headers look. */
export const READER_KEYWORDS: readonly string[] = [
  ...NAME_KEYWORDS,
  ...COMMAND_KEYWORDS,
  ...HEADER_KEYWORDS,
  ...KUBERNETES_KEYWORDS,
  ...ARGUMENT_KEYWORDS,
  ...PASSWORD_FILE_KEYWORDS,
  ...INPUT_KEYWORDS,
  ...ESCAPE_KEYWORDS,
  ...PATH_KEYWORDS,
]

export {
  TOKEN_ROWS,
  type CloudFamily,
  type CodeFamily,
  type Family,
  type PlainFamily,
  type RetiredFamily,
  type SapFamily,
  type ServiceFamily,
  type TokenRow,
} from './table/index.ts'
export { literalOf } from './shapes.ts'
export { charsetOf } from './values.ts'
export type { Candidate } from './candidate.ts'
export { createExpiryReader }
export type { CredentialUrl, Layer, Pair, PrivateKey, Token, TokenShape }

/**
 * How base64 of what holds credentials begins: `{"`, `{\n`, `{\r\n`, a header of PEM, `sb-` of a client in a header, `postgre`,
 * `mongodb`, `mysql://`, `redis://`, `https://`, a JSON Web Token; and where base64 is the rule. A file with one of these is decoded.
 */
export const ENCODED_KEYWORDS: readonly string[] = [
  'eyJ',
  'ewog',
  'ewoJ',
  'ew0K',
  'LS0tLS1CRUdJTi',
  'Basic c2It',
  'cG9zdGdyZX',
  'bW9uZ29kYj',
  'bXlzcWw6Ly',
  'cmVkaXM6Ly',
  'aHR0cHM6Ly',
  'ZXlK',
  'kind: secret',
  'kind:\tsecret',
  'kind: "secret"',
  "kind: 'secret'",
  '"kind": "secret"',
  '"kind":"secret"',
  'clientsecret',
]

/** All of which one stands in every file that has something to be found. */
export const CREDENTIAL_KEYWORDS: readonly string[] = [
  ...new Set([...READER_KEYWORDS, ...ENCODED_KEYWORDS, ...URL_KEYWORDS, PRIVATE_KEY_KEYWORD, ...SHAPES_BY_KEYWORD.keys()]),
]

/** What all finders found in a file. */
export interface FoundCredentials extends FinderResult {
  /** It holds more base64 than is decoded. */
  readonly isDecodingCut: boolean
}

/** A file as the rules of the area `secrets` see it: readers over its text, each run on first use. All of them count the file's steps. */
export interface CredentialFile {
  readonly file: OpenFile<OpenContent>
  /** A test, a sample or documentation: what is found there has less evidence. */
  readonly isSample: boolean
  found(): FoundCredentials
  /** Ids of the rules that are rows of the table and have something to tell. */
  rowRules(): readonly string[]
  tokens(shape: TokenShape): readonly Token[]
  privateKeys(): readonly PrivateKey[]
  urls(): readonly CredentialUrl[]
  /** Values with the names that they are given. Without a tree: those around hits of the keywords, which must be of the rule's own. */
  pairs(keywords: readonly string[]): readonly Pair[]
  /** The name that the value at a place is given; the file's own where there is none. */
  nameAt(start: number): string
  /** Whether a token of the table stands there: a rule that goes by names or URLs is silent then. */
  isToken(span: Span): boolean
  /** The grade of a credential of a rule's own, by where it stands and what stands beside it. */
  gradeAt(grade: Grade, needs: Needs, span: Span): Grade
}

/** Texts, requests and commands of developers: parameters of addresses in programs are read by their names. */
const FOR_PEOPLE = /\.(?:md|markdown|rst|adoc|txt|http|rest|sh|bat|cmd|ps1)$/i

export function createCredentialFile(file: OpenFile<OpenContent>): CredentialFile {
  const { budget } = file
  const own = createFileLayer(file)
  const isSample = isSampleFile(file.path, file.kind)
  // what package managers write holds hashes, and credentials in URLs alone
  const isLock = file.kind.language === 'lock'
  const isEncoded = (): boolean => !isLock && ENCODED_KEYWORDS.some((keyword) => file.hits.has(keyword))
  let isDecodingCut = false
  const allLayers = once((): readonly Layer[] =>
    isEncoded() ? [own, ...decodeLayers(own, budget, () => (isDecodingCut = true))] : [own],
  )
  const structured = (): readonly Layer[] => (isLock ? [] : allLayers())
  const privateKeys = once(() => structured().flatMap((layer) => findPrivateKeys(layer, budget)))
  const urls = once(() => allLayers().flatMap((layer) => findUrls(layer, budget, FOR_PEOPLE.test(file.path))))
  const shaped = once((): readonly ShapedToken[] =>
    structured().flatMap((layer) =>
      findShapedTokens(layer, layer === own ? file.hits.found() : keywordsIn(layer, budget), budget),
    ),
  )
  const tokenSpans = once(() => createSpanSet(shaped().map(({ token }) => token.span)))
  const isMinified = file.scope === 'secrets' && kindIsScript(file)
  const found = once((): FoundCredentials => {
    const readings = { isSample, isMinified, layers: structured, shaped, privateKeys, urls, isLineCut: own.isCut }
    const credentials = findCredentials(file, readings)
    return { isDecodingCut, ...credentials }
  })

  return {
    file,
    isSample,
    found,
    rowRules: () => [...found().byRow.keys()].map(toRuleId).filter(isRowRule),
    privateKeys,
    urls,
    tokens(shape) {
      if (!TOKEN_TABLE.includes(shape)) return structured().flatMap((layer) => findTokens(layer, shape, budget))
      return shaped().flatMap((found) => (found.shape === shape ? [found.token] : []))
    },
    pairs: (keywords) => readPairs(own, file.content, keywords, budget),
    nameAt(start) {
      budget.step()
      return describeNameBefore(file.text, start) ?? file.path.slice(file.path.lastIndexOf('/') + 1)
    },
    isToken(span) {
      budget.step()
      return tokenSpans().overlaps(span)
    },
    gradeAt: (grade, needs, span) => {
      const isWholeKey = isSample && isWholeServiceKey(file.path, file.text, span, budget)
      return gradeAt(grade, needs, { text: file.text, path: file.path, ...span, isSample, isWholeKey }, budget)
    },
  }
}

const toRuleId = (row: string): string => `secrets/${row}`
const ROW_RULES: ReadonlySet<string> = new Set(TOKEN_ROWS.map(({ name }) => toRuleId(name)))

/** Whether a rule is a row of the table: it runs where its row was found, not where a word of it stands. */
export function isRowRule(ruleId: string): boolean {
  return ROW_RULES.has(ruleId)
}

/** The keywords of the table in a decoded text, which no automaton has seen. */
function keywordsIn(layer: Layer, budget: Budget): readonly string[] {
  if (!layer.permits(0)) return []
  return [...SHAPES_BY_KEYWORD.keys()].filter((keyword) => {
    countSearch(budget, layer.text.length)
    return layer.offsets(keyword).length > 0
  })
}

function kindIsScript({ kind }: OpenFile<OpenContent>): boolean {
  return kind.language === 'script'
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
