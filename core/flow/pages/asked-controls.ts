import { accessesOf, constantOf, resolveValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { lastName } from '../dotted-names.ts'
import type { FlowSource } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/field-values.ts'
import { UI5_MODULES } from '../tables/controls.ts'

type Asked = FlowSource['askedControl']

/** The control that a value is: by its id, by the handler whose event names it, or by its type where the script makes it. */
export function controlAsked(value: Value, draft: FlowDraft): Asked {
  for (const here of behindFields(value, draft)) {
    const id = idAsked(here)
    if (id !== undefined) return { control: id }
    if (here.kind === 'call' && here.callee.kind === 'member' && here.callee.name === 'getSource')
      return sourceOf(here.callee.object, draft)
    const type = here.kind === 'new' ? typeMade(here.callee) : undefined
    if (type !== undefined) return { type }
  }
  return undefined
}

/** `zoom` of `this.byId("zoom")`. */
export function idAsked(value: Value): string | undefined {
  const here = resolveValue(value)
  const last = here.kind === 'call' && lastNameOf(here.callee) === 'byId' ? here.args.at(-1) : undefined
  const id = last && constantOf(last)
  return typeof id === 'string' ? id : undefined
}

/** The control whose event is the first parameter of a function: the views tell it by the name of a method, the script where it makes the control. */
export function sourceOf(event: Value, { facts, step }: FlowDraft): Asked {
  const binding = event.kind === 'reference' ? event.binding : undefined
  if (binding?.kind !== 'parameter' || binding.function.parameters[0] !== binding) return undefined
  const handler = binding.function
  if (handler.kind === 'method') return { handler: lastName(handler.name) }
  step(1 + (facts.calls.length >> 3))
  for (const { kind, callee, args } of facts.calls) {
    const type = kind === 'new' && args.some((settings) => isSetting(settings, handler)) ? typeMade(callee) : undefined
    if (type !== undefined) return { type }
  }
  return undefined
}

/** `change: function (event) { … }` among the settings of a control. */
function isSetting(settings: Value, handler: FunctionFact): boolean {
  return (
    settings.kind === 'object' && settings.fields.some(({ value }) => value.kind === 'function' && value.function === handler)
  )
}

/** `sap.m.Input` of `new Input(…)`, `new sap.m.Input(…)`. */
function typeMade(callee: Value): string | undefined {
  for (const { root, steps } of accessesOf(callee)) {
    if (root.startsWith(UI5_MODULES) && steps.length === 0) return root.slice('module:'.length).replaceAll('/', '.')
    if (root === 'global:sap') return ['sap', ...steps].join('.')
  }
  return undefined
}
