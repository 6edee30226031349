import type { ScriptFacts } from '../facts/types.ts'
import type { FileKind } from '../files.ts'
import type { WordPlaces } from '../keywords/index.ts'
import { isPassive, needsScriptFacts, type Extract, type ExtractTable, type OpenScript } from './extract.ts'

/** Chooses the extracts of one file. */
export interface ExtractChooser {
  /** Of those with a word in the file the ones that ask for its facts: those of a script, or of a page with inline scripts. */
  readonly asked: readonly Extract[]
  /** What was asked for, and of what no word has to ask for what this script has something for. */
  withWordless(file: { readonly hasFlow: boolean; readonly hasFacts: boolean }): readonly Extract[]
}

/** `worded`: the extracts with a word in the file; `wordless`: those that no word has to ask for. */
export function chooseExtracts(
  { worded, wordless }: { readonly worded: readonly Extract[]; readonly wordless: readonly Extract[] },
  {
    path,
    kind,
    text,
    hits,
    code,
  }: Pick<OpenScript, 'path' | 'kind' | 'text'> & { readonly hits: WordPlaces; readonly code: WordPlaces },
): ExtractChooser {
  const isLetThrough = (extract: Extract): boolean => extract.prefilter?.(text, needsScriptFacts(extract) ? code : hits) ?? true
  const asked = worded.filter((extract) => {
    if (!isAllowed(extract, kind, path)) return false
    if (extract.role !== undefined) return isView(kind)
    return !isPassive(extract) && (extract.isFor?.(path) ?? true) && isLetThrough(extract)
  })
  return {
    asked,
    withWordless: ({ hasFlow, hasFacts }) => {
      const also = wordless.filter(
        (extract) =>
          (hasFacts || !needsScriptFacts(extract)) &&
          isAllowed(extract, kind, path) &&
          (extract.isFor?.(path) ?? true) &&
          !asked.includes(extract) &&
          // what is followed says more than its words do
          (isPassive(extract) ? isLetThrough(extract) : hasFlow && extract.withFlow === true),
      )
      return also.length === 0 ? asked : [...asked, ...also]
    },
  }
}

/** Collects them; undefined: nothing was found. Without facts those alone that need none. `guard` runs each one, so that one that fails costs no other. */
export function collectExtracts(
  extracts: readonly Extract[],
  { facts, hits, ...script }: Omit<OpenScript, 'facts'> & { readonly facts: ScriptFacts | undefined; readonly hits: WordPlaces },
  guard: (collect: () => void) => void,
): ExtractTable | undefined {
  const found = new Map<string, readonly unknown[]>()
  const open = facts && { ...script, facts }
  for (const extract of extracts)
    guard(() => {
      const items = Array.from(collectFrom(extract, open, script.text, hits))
      if (items.length > 0) found.set(extract.name, items)
    })
  // the clone has strings of its own: a part of the text would keep all of it in memory
  return found.size === 0 ? undefined : structuredClone(found)
}

function collectFrom(
  { collect, collectText }: Extract,
  script: OpenScript | undefined,
  text: string,
  hits: WordPlaces,
): Iterable<unknown> {
  if (collectText !== undefined) return collectText(text, hits)
  return script === undefined ? [] : collect(script)
}

function isAllowed({ inTests, inPages, inTables, inJson }: Extract, kind: FileKind, path: string): boolean {
  const { language, test } = kind
  if (test && inTests !== true) return false
  if (isJson(kind, path)) return inJson === true
  if (language === 'csv' || inTables === true) return language === 'csv' && inTables === true
  return language === 'script' || (language === 'html' && inPages === true)
}

/** Lock files are none that people write. */
export function isJson({ language }: FileKind, path: string): boolean {
  return (language === 'json' || language === 'text') && path.endsWith('.json')
}

/** By its name a script says that it is a view: it is read as one, whatever words stand in it. */
function isView({ language, role, test }: FileKind): boolean {
  return language === 'script' && role !== undefined && !test
}
