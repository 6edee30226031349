import { fieldOf, isConstant, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { DEFINITION_FIELDS, DEFINITION_METHODS, DEFINITIONS } from '../tables/definitions.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

/** Adds the text of views and fragments that a script makes at run time: UI5 makes controls of it, with their handlers and bindings. */
export function addDefinitions(call: CallValue, paths: readonly string[], draft: FlowDraft): void {
  const method = lastNameOf(call.callee)
  const known = paths.find((path) => DEFINITIONS.has(path))
  if (method === undefined || (known === undefined && !DEFINITION_METHODS.has(method))) return
  for (const argument of call.args) {
    const settings = resolveValue(argument)
    for (const name of settings.kind === 'object' ? DEFINITION_FIELDS : []) {
      const value = fieldOf(settings, name)?.value
      if (value === undefined || isConstant(value) || isOfPage(value)) continue
      const { start, end } = value
      draft.sinks.push({
        ...FOUND_SINKS.viewDefinition,
        node: draft.use(value),
        name: `${known === undefined ? method : calledAs(known)}({ ${name} })`,
        start,
        end,
      })
    }
  }
}

/** `Fragment.load`, `sap.ui.xmlview`. */
function calledAs(path: string): string {
  return path.startsWith('global:')
    ? path.slice('global:'.length).replaceAll(' ', '.')
    : path.slice(path.lastIndexOf('/') + 1).replace(' ', '.')
}

/** The text of an element of the page: `document.getElementById("view").textContent`, `jQuery("#view").html()`. */
function isOfPage(value: Value): boolean {
  const here = resolveValue(value)
  if (here.kind === 'member')
    return /^(?:textContent|innerHTML|innerText)$/.test(here.name ?? '') && isElement(resolveValue(here.object))
  return here.kind === 'call' && here.args.length === 0 && /^(?:html|text)$/.test(lastNameOf(here.callee) ?? '')
}

function isElement(value: Value): boolean {
  return value.kind === 'call' && /^(?:getElementById|querySelector)$/.test(lastNameOf(value.callee) ?? '')
}
