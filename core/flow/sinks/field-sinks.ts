import type { Value } from '../../facts/index.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addMadeFields } from '../fields/made-fields.ts'
import { ROWS } from './sink-index.ts'
import { partsOf } from './sink-parts.ts'
import { addSink, needsOf, rowsNamed, writtenAt } from './sinks.ts'

/** Adds the fields of an object that are texts of a query, whatever is done with it. */
export function addFieldSinks(value: Value & { readonly kind: 'object' }, draft: FlowDraft): void {
  const rows = ROWS[draft.realm]
  for (const { key, value: field } of value.fields) {
    if (key === undefined) continue
    for (const row of rowsNamed('field', key, [key], rows)) {
      for (const part of partsOf(field, row))
        addSink(
          part,
          row,
          { at: writtenAt(part, field), within: undefined },
          { fault: row.fault, name: key, ...needsOf(row) },
          draft,
        )
      addMadeFields(field, row, key, draft)
    }
  }
}
