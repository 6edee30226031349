import type { OpenContent, OpenFile } from '../files.ts'
import type { Span } from '../types.ts'
import { decodeLayers } from './base64.ts'
import { isSampleFile } from './grade.ts'
import { createFileLayer, type Layer } from './layers.ts'
import { readNameBefore } from './name-before.ts'
import { readPairs, type Pair } from './pairs.ts'
import { findPrivateKeys, type PrivateKey } from './private-keys.ts'
import { TOKEN_TABLE } from './token-table.ts'
import { findTokens, type Token, type TokenShape } from './tokens.ts'
import { findUrls, type CredentialUrl } from './urls.ts'

export { lowerGrade, type Grade } from './grade.ts'
export { limitMatches } from './limit-matches.ts'
export { matchUrls } from './url-matches.ts'
export { BINDING_SECRET } from './token-table.ts'
export { PRIVATE_KEY_KEYWORD } from './private-keys.ts'
export { URL_KEYWORDS } from './urls.ts'
export type { CredentialUrl, Layer, Pair, PrivateKey, Token, TokenShape }

/**
 * How base64 of what holds credentials begins: `{"`, `{\n`, `{\r\n`, a header of PEM, `sb-` of a client in a header, `postgre`,
 * `mongodb`, `mysql://`, `redis://`, `https://`; and where base64 is the rule. A file with one of these is decoded.
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
  'kind: secret',
  'kind: "secret"',
  "kind: 'secret'",
  '"kind": "secret"',
  '"kind":"secret"',
  'clientsecret',
]

/** A file as the rules of the area `secrets` see it: readers over its text, each run on first use. All of them count the file's steps. */
export interface CredentialFile {
  readonly file: OpenFile<OpenContent>
  /** A test, a sample or documentation: what is found there is graded one step lower. */
  readonly isSample: boolean
  tokens(shape: TokenShape): readonly Token[]
  privateKeys(): readonly PrivateKey[]
  urls(): readonly CredentialUrl[]
  /** Values with the names that they are given. Without a tree: those around hits of the keywords, which must be of the rule's own. */
  pairs(keywords: readonly string[]): readonly Pair[]
  /** The name that the value at a place is given; the file's own where there is none. */
  nameAt(start: number): string
  /** Whether a token of the table stands there: a rule that goes by names or URLs is silent then. */
  isToken(span: Span): boolean
}

export function createCredentialFile(file: OpenFile<OpenContent>): CredentialFile {
  const own = createFileLayer(file)
  const tokens = new Map<TokenShape, readonly Token[]>()
  let layers: readonly Layer[] | undefined
  let privateKeys: readonly PrivateKey[] | undefined
  let urls: readonly CredentialUrl[] | undefined

  // what package managers write holds hashes, and credentials in URLs alone
  const isLock = file.kind.language === 'lock'
  const isEncoded = (): boolean => !isLock && ENCODED_KEYWORDS.some((keyword) => file.hits.has(keyword))
  const allLayers = (): readonly Layer[] => {
    layers ??= isEncoded() ? [own, ...decodeLayers(own, file.budget)] : [own]
    return layers
  }
  const structured = (): readonly Layer[] => (isLock ? [] : allLayers())

  const self: CredentialFile = {
    file,
    isSample: isSampleFile(file.path, file.kind),
    tokens(shape) {
      const found = tokens.get(shape) ?? structured().flatMap((layer) => findTokens(layer, shape, file.budget))
      tokens.set(shape, found)
      return found
    },
    privateKeys() {
      privateKeys ??= structured().flatMap((layer) => findPrivateKeys(layer, file.budget))
      return privateKeys
    },
    urls() {
      urls ??= allLayers().flatMap((layer) => findUrls(layer, file.budget))
      return urls
    },
    pairs: (keywords) => readPairs(own, file.content, keywords, file.budget),
    nameAt(start) {
      file.budget.step()
      return readNameBefore(file.text, start) ?? file.path.slice(file.path.lastIndexOf('/') + 1)
    },
    isToken({ start, end }) {
      return TOKEN_TABLE.some((shape) => {
        const found = self.tokens(shape)
        file.budget.step(found.length)
        return found.some(({ span }) => span.start < end && span.end > start)
      })
    },
  }
  return self
}
