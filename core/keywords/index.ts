/** The keyword automaton: one pass over a file's bytes finds every keyword of every rule. It knows no rule. */

/** Built once per app and per worker from all keywords; ASCII case is folded. */
export interface KeywordIndex {
  /** Finds all keywords in UTF-8 bytes. Linear, whatever the bytes are. */
  find(bytes: Uint8Array): KeywordHits
}

/** Where keywords stand in one file. */
export interface KeywordHits {
  /** Whether the keyword (in any case) stands in the file at all. */
  has(keyword: string): boolean
  /** Byte offsets of its first characters, ascending. */
  offsets(keyword: string): readonly number[]
}
