import { constantOf, isConstant, resolveValue, type Value } from '../../facts/index.ts'
import { isFormatOfAnswer, openedBlobs, runsScripts, typeOfBlob } from '../../model/script/index.ts'
import { nameOf } from '../graph/names.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'

/** Adds what is written into a page that the script makes and opens: `window.open(URL.createObjectURL(new Blob([page], { type: 'text/html' })))`. */
export function addOpenedPages(draft: FlowDraft): void {
  if (!draft.text.includes('createObjectURL')) return
  const known = new Set<Value>()
  for (const { by, blob } of openedBlobs(draft.facts, draft.step)) {
    const made = resolveValue(blob)
    // opened twice, it is one page still
    if (known.has(made)) continue
    known.add(made)
    const type = typeOfBlob(made)
    // of a type that the data chooses another rule tells
    if (!('args' in made) || type === undefined || !isConstant(type) || !runsScripts(type)) continue
    const [given] = made.args
    if (given === undefined) continue
    const list = resolveValue(given)
    const parts = 'items' in list ? list.items : [given]
    draft.step(parts.length)
    for (const part of parts)
      if (constantOf(part) === undefined && !isFormatOfAnswer(type, part))
        addFound(FOUND_SINKS.openedMarkup, part, draft, { name: nameOf(by) })
  }
}
