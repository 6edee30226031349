import type { Extract, ExtractTable } from './extract.ts'

/** One item of an extract, with the file that it is from. */
export interface Extracted<Item> {
  readonly file: string
  readonly value: Item
}

/** What was extracted from the scripts of a project, or of a part of it. */
export interface Scripts {
  /** All items, in the order of paths and of the text. Throws where no rule or model declares the extract: nobody would have collected it. */
  get<Item>(extract: Extract<Item>): readonly Extracted<Item>[]
  /** Those of one file. Throws as `get` does. */
  of<Item>(path: string, extract: Extract<Item>): readonly Item[]
  /** The same of some of the files. */
  within(files: Iterable<ExtractedFile>): Scripts
}

interface ExtractedFile {
  readonly path: string
  readonly extracts?: ExtractTable
}

/** `declared`: the extracts of the engine that read the files. */
export function createScripts(files: Iterable<ExtractedFile>, declared: ReadonlySet<Extract>): Scripts {
  const own = new Map<string, ExtractTable>()
  for (const { path, extracts } of files) if (extracts !== undefined) own.set(path, extracts)
  // most files have none of what one rule asks for
  const holding = new Map<string, string[]>()
  for (const [path, extracts] of own)
    for (const name of extracts.keys()) {
      const paths = holding.get(name)
      if (paths === undefined) holding.set(name, [path])
      else paths.push(path)
    }
  const of = <Item>(path: string, extract: Extract<Item>): readonly Item[] => {
    const items = own.get(path)?.get(extract.name) ?? []
    if (!isCollectedBy(extract, items, declared)) throw new Error(`the extract ${extract.name} is not declared`)
    return items
  }
  return {
    of,
    get: (extract) => {
      of('', extract)
      return (holding.get(extract.name) ?? []).flatMap((file) => of(file, extract).map((value) => ({ file, value })))
    },
    within: (some) => createScripts(some, declared),
  }
}

/** What stands under the name of a declared extract was collected by it: names are unique in an engine. */
function isCollectedBy<Item>(
  extract: Extract<Item>,
  _items: readonly unknown[],
  declared: ReadonlySet<Extract>,
): _items is readonly Item[] {
  return declared.has(extract)
}
