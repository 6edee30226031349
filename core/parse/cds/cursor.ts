import type { CdsError, CdsName } from './types.ts'
import type { Token } from './lexer.ts'
import { MAX_NESTING } from '../../limits.ts'
import { ParseFailure } from '../failure.ts'

/** Thrown where the grammar fits no more; a list of members or definitions catches it and goes on behind. Never leaves the parser. */
export class CdsTrouble extends Error {}

/** A text with more of them is no CDS; each costs an exception, so the number is also a bound on time. */
const MAX_ERRORS = 100

/** Qualified names are joined from parts: without a bound, deep blocks with long names cost the square of the text. */
const MAX_NAME = 500

/** What begins a definition: where it is the first word of a line, always. */
const STARTERS: ReadonlySet<string> = new Set([
  'using',
  'namespace',
  'context',
  'service',
  'entity',
  'view',
  'type',
  'aspect',
  'event',
  'action',
  'function',
  'annotation',
  'annotate',
  'extend',
  'define',
  'abstract',
])

/** The place in the tokens where the parser is; knows nothing of the grammar but names and lists. */
export class Cursor {
  readonly text: string
  readonly errors: CdsError[] = []
  readonly #tokens: readonly Token[]
  readonly #end: Token
  #token: Token
  #position = 0
  #depth = 0

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.#tokens = tokens
    const end = tokens.at(-1)
    if (end === undefined) throw new ParseFailure('syntax', 0)
    this.#end = end
    this.#token = tokens[0] ?? end
  }

  get token(): Token {
    return this.#token
  }

  /** The token `ahead` of the current one; the last one is repeated for ever. */
  peek(ahead = 1): Token {
    return this.#tokens[this.#position + ahead] ?? this.#end
  }

  /** End of the token before the current one. */
  get lastEnd(): number {
    return this.#tokens[this.#position - 1]?.end ?? 0
  }

  /** No semicolon is needed there, and annotations belong to what follows. */
  get isBehindBrace(): boolean {
    const last = this.#tokens[this.#position - 1]
    return last?.kind === 'symbol' && last.text === '}'
  }

  get isAtEnd(): boolean {
    return this.token.kind === 'end'
  }

  next(): Token {
    const token = this.#token
    if (token !== this.#end) this.#position++
    this.#token = this.peek(0)
    return token
  }

  is(symbol: string, ahead = 0): boolean {
    const token = ahead === 0 ? this.#token : this.peek(ahead)
    return token.kind === 'symbol' && token.text === symbol
  }

  isWord(word: string, ahead = 0): boolean {
    return (ahead === 0 ? this.#token : this.peek(ahead)).word === word
  }

  /** A definition begins here, however the last one ended: its keyword is the first word of a line. */
  get isAtStarter(): boolean {
    return this.token.startsLine && STARTERS.has(this.token.word)
  }

  /** A definition may begin here, in the middle of a line: its annotations, or its keyword and a name. */
  get beginsDefinition(): boolean {
    return this.is('@') || (STARTERS.has(this.token.word) && this.isName(1))
  }

  /** A name, quoted or not; keywords are names too. */
  isName(ahead = 0): boolean {
    const { kind } = this.peek(ahead)
    return kind === 'name' || kind === 'quoted'
  }

  accept(symbol: string): boolean {
    const found = this.is(symbol)
    if (found) this.next()
    return found
  }

  acceptWord(word: string): boolean {
    const found = this.isWord(word)
    if (found) this.next()
    return found
  }

  expect(symbol: string): Token {
    return this.is(symbol) ? this.next() : this.fail()
  }

  fail(): never {
    throw new CdsTrouble()
  }

  parseName(): CdsName {
    if (!this.isName()) this.fail()
    const { start, end, text } = this.next()
    return { name: text, start, end }
  }

  /** `a.b.c` (and `a::b.c` of older files). */
  parsePath(): CdsName {
    const { start, name } = this.parseName()
    let path = name
    while ((this.is('.') || this.is('::')) && this.isName(1)) {
      path += this.next().text
      path += this.next().text
    }
    if (path.length > MAX_NAME) this.fail()
    return { name: path, start, end: this.lastEnd }
  }

  /** Joins a block's name and a name in it. */
  qualify(scope: string, name: string): string {
    if (scope.length + name.length > MAX_NAME) this.fail()
    return scope === '' ? name : `${scope}.${name}`
  }

  /** One step deeper; ends the file where hostile text nests without end. */
  nest<T>(read: () => T): T {
    if (this.#depth >= MAX_NESTING) throw new ParseFailure('too-deep', this.token.start)
    this.#depth++
    try {
      return read()
    } finally {
      this.#depth--
    }
  }

  /** Reads `{ ... }`: members one after another, `separator` between them where one is wanted. A member that fits no grammar is skipped. */
  parseBlock(separator: ';' | ',', readMember: () => void): void {
    const level = this.token.level + 1
    this.expect('{')
    this.nest(() => {
      this.parseMembers(level, separator, readMember)
    })
    if (this.is('}')) this.next()
    else this.note(this.token.start, this.token.start)
  }

  /** Reads members until the brace that closes them, or the end. */
  parseMembers(level: number, separator: ';' | ',', readMember: () => void): void {
    while (!this.isAtEnd && this.token.level >= level) {
      if (this.accept(separator)) continue
      const before = this.#position
      try {
        readMember()
        if (separator === ',' && !this.is(',') && !this.is('}')) this.fail()
      } catch (trouble) {
        if (!(trouble instanceof CdsTrouble)) throw trouble
        const start = this.token.start
        this.#skip(level, separator, before)
        this.note(start, this.token.start)
      }
      if (this.#position === before) this.next()
    }
  }

  note(start: number, resumed: number): void {
    if (this.errors.length >= MAX_ERRORS) throw new ParseFailure('syntax', start)
    this.errors.push({ start, end: Math.max(start, this.lastEnd), resumed })
  }

  #skip(level: number, separator: ';' | ',', from: number): void {
    while (!this.isAtEnd && this.token.level >= level) {
      const { level: here, kind, text, startsLine } = this.token
      if (here === level) {
        if (kind === 'symbol' && text === separator) return
        if (separator === ';' && this.#position > from && (this.isAtStarter || (startsLine && text === '@'))) return
        if (separator === ';' && kind === 'symbol' && text === '}') {
          this.next()
          return
        }
      }
      this.next()
    }
  }
}
