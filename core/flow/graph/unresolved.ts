import { isNonText, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { OWN_NAMES } from '../tables/markup.ts'
import { FIXED_MODELS } from '../tables/web.ts'
import type { FlowPort } from '../types.ts'
import type { GraphBuilder } from './builder.ts'
import { COMPONENT_STORE } from '../pages/stores.ts'

/** Nodes that nothing leads to although they may hold any text: results of functions that are not here, imports, names that nobody declares, fields that nobody sets. */
export function unresolvedIn(graph: GraphBuilder, ports: readonly FlowPort[]): number[] {
  const reached = graph.isReached()
  // what a model, a property or the component holds, the app tells
  for (const { node, access, store } of ports)
    if (access === 'read' && (OF_APP.test(store) || store === COMPONENT_STORE)) reached[node] = 1
  const found: number[] = []
  graph.eachThing((thing, node) => {
    if (reached[node] === 0 && (thing === undefined || isOpen(thing))) found.push(node)
  })
  return found
}

/** Models, properties of controls, and the custom data and lists of those that views hold. */
const OF_APP = /^(?:model |property |shown (?:[#@][^.]{1,100}\.)?(?:data:|(?:rows|items)$))/

function isOpen(thing: Value | Binding | FunctionFact): boolean {
  if (!('kind' in thing)) return false
  switch (thing.kind) {
    case 'call':
    case 'new':
      return !isNonText(thing) && !isOwn(thing)
    case 'tagged':
    case 'unknown':
      return true
    case 'reference':
      return thing.binding === undefined && !CONSTANTS.has(thing.name)
    case 'member':
      return thing.object.kind === 'this' && !isNonText(thing)
    case 'import':
    case 'parameter':
    case 'catch':
      return true
    default:
      return false
  }
}

const CONSTANTS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity'])

/** Ids, addresses and texts of the app. */
function isOwn(call: CallValue): boolean {
  const name = lastNameOf(call.callee) ?? ''
  if (call.callee.kind !== 'member') return false
  if (OWN_NAMES.has(name) || isOfTexts(call)) return true
  return name === 'getText'
}

/** `this.getView().getModel("i18n")`, also by a name that it was given. */
function isOfTexts(value: Value): boolean {
  let here: Value | undefined = value
  for (let hops = 0; hops < 20 && here !== undefined; hops++) {
    if (here.kind === 'reference') {
      const [definition, other]: Binding['definitions'] = here.binding?.definitions ?? []
      here = other === undefined ? definition?.value : undefined
    } else if (here.kind === 'call' && here.callee.kind === 'member') {
      const [model] = here.args
      if (here.callee.name === 'getModel' && model?.kind === 'literal') return FIXED_MODELS.test(String(model.value))
      here = here.callee.object
    } else return false
  }
  return false
}
