import { constantOf, resolveValue, type Value } from '../../facts/index.ts'
import type { FlowDraft } from './draft.ts'

/** The store of what views show in a property: of one control, or of any. */
export function shownStore(control: string | undefined, property: string): string {
  return `shown ${control === undefined ? '' : `#${control}.`}${property}`
}

/** Properties that hold texts. */
const SHOWN_PROPERTIES =
  /^(?:text|title|subtitle|header|headerText|description|info|intro|key|selectedKey|html|htmlText|src|href|url|icon|tooltip|number|label|content|sender|data:.{1,60})$/
/** Methods that give a control which views made: of an event, of a list. */
const GIVING_CONTROLS =
  /^(?:getParameter|getSource|getSelectedItem|getSelectedItems|getItems|getCells|getParent|getContent|getFirstItem)$/

/** `byId("x").getText()`, `event.getSource().data("url")`: what a view binds there is found in it. */
export function readShown(control: Value, property: string, result: number, draft: FlowDraft): void {
  if (!SHOWN_PROPERTIES.test(property)) return
  const here = resolveValue(control)
  if (here.kind === 'choice') {
    for (const option of here.options) if (option.kind !== 'choice') readShown(option, property, result, draft)
    return
  }
  const from = here.kind === 'member' && here.name === undefined ? resolveValue(here.object) : here
  const maker = from.kind === 'call' && from.callee.kind === 'member' ? (from.callee.name ?? '') : ''
  const id = maker === 'byId' && from.kind === 'call' ? from.args.at(-1) : undefined
  const name = id && constantOf(id)
  const store =
    typeof name === 'string'
      ? shownStore(name, property)
      : GIVING_CONTROLS.test(maker)
        ? shownStore(undefined, property)
        : undefined
  if (store !== undefined) draft.ports.push({ node: result, access: 'read', store, path: [] })
}
