import type { Binding, ClassFact, FunctionFact, ScriptFacts, Value } from '../facts/types.ts'
import type { FileKind } from '../files.ts'
import type { WordPlaces } from '../keywords/index.ts'

/** A script while it is open: what an extract is collected from. */
export interface OpenScript {
  readonly path: string
  readonly kind: FileKind
  readonly facts: ScriptFacts
  /** As written: facts tell of no statement, such as one that waits. */
  readonly text: string
  /** Counts work that grows faster than the script. Throws a StopSignal when the steps of the file are used up. */
  readonly step: (count?: number) => void
}

/**
 * A small plain summary of one script, collected while its facts exist and asked for afterwards by models and rules that join files. Its items are all
 * that is left of the script: no fact may be reachable from them. What words alone tell is collected from the text, so that no tree and no facts are made
 * for it.
 */
export type Extract<Item = unknown> = ExtractScope & (FromFacts<Item> | FromText<Item>)

interface FromFacts<Item> {
  /** Nothing found: an empty list, which is not stored. */
  collect(script: OpenScript): Iterable<Item>
  readonly collectText?: never
}

interface FromText<Item> {
  readonly collect?: never
  /** The same of the text. Linear. */
  collectText(text: string, hits: WordPlaces): Iterable<Item>
}

/** From which scripts an extract is collected. */
interface ExtractScope {
  /** Unique among the extracts of an engine: the key in a file's table. */
  readonly name: string
  /** Collected only where one of these stands in the file (ASCII, case folded). Without: in every script whose facts somebody else needs. */
  readonly keywords?: readonly string[]
  /** Collected from every script, since the words would stand in each. */
  readonly everywhere?: true
  /** Words that the prefilter asks the hits for beside keywords; where they stand alone, nothing is collected. */
  readonly words?: readonly string[]
  /** Asked where a keyword stands, to rule out files in which a common word means something else. Linear in the text. */
  prefilter?(text: string, hits: WordPlaces): boolean
  /** Asked before the text is: collected from files of such paths alone. */
  isFor?(path: string): boolean
  /** Collected from the inline scripts of pages as well. */
  readonly inPages?: true
  /** Collected from JSON as well, whatever it is. */
  readonly inJson?: true
  /** Collected from tables of initial data instead, by their text. */
  readonly inTables?: true
  /** Collected as well from every script whose data flow is read. */
  readonly withFlow?: true
  /** Collected from tests as well. */
  readonly inTests?: true
  /** Collected from scripts of this role alone, whatever words stand in them. */
  readonly role?: 'view'
}

type Fact = Value | Binding | FunctionFact | ClassFact | ScriptFacts

/** `Data` where it is plain (it survives a structured clone and holds no fact), `never` in each place where it is not. */
export type Plain<Data> = Data extends string | number | boolean | null | undefined
  ? Data
  : Data extends Fact | ((...args: never[]) => unknown)
    ? never
    : Data extends ReadonlyMap<infer Key, infer Item>
      ? ReadonlyMap<Plain<Key>, Plain<Item>>
      : Data extends ReadonlySet<infer Item>
        ? ReadonlySet<Plain<Item>>
        : { readonly [Key in keyof Data]: Plain<Data[Key]> }

/** Declares an extract. What it collects must be plain: the compiler says so by asking for a second argument that nobody can give. */
export function defineExtract<const Item>(
  extract: Extract<Item>,
  ..._facts: Item extends Plain<Item> ? [] : [factReachableFromItem: never]
): Extract<Item> {
  return extract
}

/** Whether an extract is collected from facts: one of the words of a text needs none. */
export function needsScriptFacts({ collect }: Extract): boolean {
  return collect !== undefined
}

/** Whether an extract asks for nothing itself: it is collected from every script whose facts exist. */
export function isPassive({ keywords, role, everywhere }: Extract): boolean {
  return keywords === undefined && role === undefined && everywhere !== true
}

/** Those that no word has to ask for: collected from every script whose facts exist, or whose data flow is read. */
export function withoutWords(extracts: readonly Extract[]): readonly Extract[] {
  return extracts.filter((extract) => isPassive(extract) || extract.withFlow === true)
}

/** What the extracts collected from one file, by their names; those that found nothing are left out. */
export type ExtractTable = ReadonlyMap<string, readonly unknown[]>
