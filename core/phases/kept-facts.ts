import type { ScriptFacts } from '../facts/types.ts'
import type { KeepsFacts, ScriptContent } from '../files.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'
import { parseHtml } from '../parse/html.ts'
import { inlineScript, readFacts } from './parse-file.ts'

/** Keeps the facts of scripts for the phase *check*. */
export interface FactKeeper {
  /** `size`: characters of the text. */
  keep(facts: ScriptFacts, keptBy: ReadonlySet<KeepsFacts>, size: number, planned: PlannedFile): ScriptContent
  /** Characters of text whose facts were made again so far. */
  remade(): number
}

/** Facts are several times their text: so many characters of text have theirs in memory (some 400 kB); those of more are made again when they are asked for. */
const KEPT_CHARACTERS = 32 * 1024

export function createFactKeeper(): FactKeeper {
  let kept = 0
  let remade = 0
  return {
    remade: () => remade,
    keep(facts, keptBy, size, planned) {
      kept += size
      const loadsUi5 = facts.imports.some(({ source }) => source.startsWith('sap/ui/'))
      const noted = { as: 'script', loadsUi5, keptBy } as const
      if (kept <= KEPT_CHARACTERS) return { ...noted, facts }
      let last: WeakRef<ScriptFacts> | undefined
      return {
        ...noted,
        // facts are a pure function of the text; as long as somebody works with them they are the same object
        get facts() {
          const known = last?.deref()
          if (known !== undefined) return known
          remade += size
          const again = readAgain(planned)
          last = new WeakRef(again)
          return again
        },
      }
    },
  }
}

/** A file that is gone by now, or has changed so that it does not parse, has nothing to say. */
function readAgain({ entry, path, kind }: PlannedFile): ScriptFacts {
  const raw = entry.read()
  const text = (raw && decodeText(raw)?.text) ?? ''
  try {
    return kind.language === 'html' ? readFacts(inlineScript(text, parseHtml(text)) ?? '', `${path}.js`) : readFacts(text, path)
  } catch {
    return readFacts('', path)
  }
}
