import { fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { invoke } from '../values/objects.ts'

const MAKES_TABLE = /^[dD]ataTable$/
const LISTS: readonly string[] = ['columns', 'columnDefs']

/**
 * `$(…).DataTable({ ajax, columns: [{ data: 'name', render: (data, type, row) => '<b>' + data + '</b>' }] })`: the cell, and the row, come from the source of
 * `ajax`, and what is returned is written as HTML.
 * Facts: DataTables 2, "ajax", "columns.render" (parameters data, type, row), "Security" (the data is written with innerHTML).
 */
export function addDataTables(call: CallValue, draft: FlowDraft): void {
  if (!MAKES_TABLE.test(lastNameOf(call.callee) ?? '')) return
  for (const argument of call.args) {
    const settings = resolveValue(argument)
    if (!('fields' in settings) || fieldOf(settings, 'ajax') === undefined) continue
    for (const column of LISTS.flatMap((name) => itemsOf(fieldOf(settings, name)?.value))) {
      const render = 'fields' in column ? fieldOf(column, 'render')?.value : undefined
      if (render !== undefined) addRender(render, draft)
    }
  }
}

function itemsOf(list: Value | undefined): readonly Value[] {
  const made = list && resolveValue(list)
  return made !== undefined && 'items' in made ? made.items.map(resolveValue) : []
}

function addRender(render: Value, draft: FlowDraft): void {
  const { graph, ends } = draft
  const [data, type, row] = [graph.add(render), graph.add(render), graph.add(render)]
  const fact = functionOf(render)
  for (const [index, node] of [data, undefined, row].entries()) {
    if (node === undefined) continue
    ends.sources.push({ node, origin: 'backend', weak: false })
    const name = fact?.parameters[index]?.name
    if (name !== undefined) draft.show(node, name)
  }
  invoke(render, [data, type, row], draft)
  for (const returned of fact?.returns ?? []) addFound(FOUND_SINKS.tableCell, returned, draft)
}
