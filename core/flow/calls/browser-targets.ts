import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { GLOBAL_SOURCE } from '../app/links.ts'
import { COMPILERS } from '../tables/templates.ts'
import { ANY_FIELD, type FlowCall } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { pluginCalled } from './jquery-plugins.ts'
import { isFramework, moduleBehind } from './modules.ts'
import { behindFields } from '../fields/members.ts'
import { viaOf } from '../values/objects.ts'
import { globalFunctionOf, isOwnGlobalPath, namespaceOf } from '../pages/definitions.ts'
import { filledArguments } from '../values/writes.ts'

/** A call of which nobody knows yet whether it runs a function of the project: most do not, and nobody asks for their arguments. */
export interface OpenCall {
  readonly result: number
  readonly key?: string | undefined
  args(): readonly number[]
  filled?(): FlowCall['filled']
}

export function addTo(
  calls: FlowCall[],
  open: OpenCall,
  called: Pick<FlowCall, 'module' | 'dispatch'> & Partial<Pick<FlowCall, 'targets' | 'args' | 'receiver'>>,
): void {
  const filled = open.filled?.()
  const args = called.args ?? open.args()
  const { key } = open
  calls.push({
    result: open.result,
    targets: [],
    ...(key !== undefined && { key }),
    ...(filled !== undefined && { filled }),
    ...called,
    args,
  })
}

/** The same with nodes of what the function puts into its arguments, once it is known to be one. */
export function withFilled(given: readonly Value[], open: OpenCall, draft: FlowDraft): OpenCall {
  let filled: { readonly found: FlowCall['filled'] } | undefined
  const { result, key } = open
  return { result, key, args: () => open.args(), filled: () => (filled ??= { found: filledArguments(given, draft) }).found }
}

/** A function of another module, an inherited method, or one of a namespace. */
export function addBrowserTarget(
  call: CallValue,
  callee: Value,
  paths: readonly string[],
  open: OpenCall,
  draft: FlowDraft,
): void {
  const { calling, owners } = draft
  if (callee.kind === 'member' && callee.name !== undefined) {
    const isSuper = callee.object.kind === 'super'
    const owner = isSuper ? owners.ownerOf(call.function) : owners.ownerBehind(callee.object)
    const parent = owner && draft.classes.parentOf(owner)
    if (parent !== undefined)
      addTo(calling.calls, open, { module: { source: parent.source, name: `${parent.name}#${callee.name}` } })
    if (owner !== undefined) addMixed(owner, callee.name, open, draft)
    if (owner !== undefined) {
      // a field of `this` that holds a function
      if (parent === undefined || draft.classes.fieldValues(owner, callee.name).length > 0)
        addTo(calling.calls, open, { dispatch: { node: draft.use(callee), name: '' } })
      return
    }
  }
  const dispatch = dispatchOf(callee, paths, draft)
  for (const path of paths) {
    if (!path.startsWith('module:')) continue
    const [root = '', ...steps] = path.split(' ')
    if (isFramework(root.slice('module:'.length))) continue
    const name = nameOfMethod(call, callee, steps) || 'default'
    const source = root.slice('module:'.length)
    const made = name.includes('#') ? madeBy(call, callee, open, draft) : undefined
    const module = { source, name: name.endsWith('#') ? `${name}constructor` : name, ...(made !== undefined && { made }) }
    addTo(calling.calls, open, dispatch === undefined ? { module } : { module, dispatch })
    return
  }
  const plugin = pluginCalled(callee, paths)
  if (plugin !== undefined) addTo(calling.calls, open, dispatch === undefined ? { module: plugin } : { module: plugin, dispatch })
  else if (dispatch !== undefined) addTo(calling.calls, open, { dispatch })
  const name = globalFunctionOf(callee)
  if (name !== undefined) addTo(calling.calls, open, { module: { source: GLOBAL_SOURCE, name: `global ${name}` } })
  if (name !== undefined || !paths.some(isOwnGlobalPath)) return
  const made = callee.kind === 'member' && callee.object.kind === 'new' ? callee.object.callee : undefined
  const namespace = namespaceOf(made ?? callee)
  if (namespace === undefined) return
  const method = made !== undefined && callee.kind === 'member' ? `#${callee.name ?? ''}` : ''
  addTo(calling.calls, open, { module: { source: GLOBAL_SOURCE, name: `global ${namespace}${method}` } })
}

/** The node of `new Card()`, where that is called, or a method of what it gave. */
function madeBy(call: CallValue, callee: Value, open: OpenCall, draft: FlowDraft): number | undefined {
  if (call.kind === 'new') return open.result
  const [made, other] = callee.kind === 'member' ? behindFields(callee.object, draft) : []
  return made?.kind === 'new' && other === undefined ? draft.use(made) : undefined
}

/** `run`, `#run` of what is made by `new`; `Base.prototype.run.call(this)` is a method of what the class makes. */
function nameOfMethod(call: CallValue, callee: Value, steps: readonly string[]): string {
  const own = call.callee === callee ? steps : steps.slice(0, -1)
  return own
    .join('.')
    .replace(/\.?new(?:\.|$)/, '#')
    .replace(/(?:^|\.)prototype\./, '#')
}

/** A method that a class has from an object which is mixed into it. */
function addMixed(
  owner: object,
  name: string,
  open: OpenCall,
  { calling: { calls, functions }, owners, classes: { mixedInto } }: FlowDraft,
): void {
  for (const mixin of mixedInto(owner)) {
    const local = owners.classBehind(mixin)
    const own = resolveValue(mixin)
    const targets = [local, own].flatMap((held) => (held === undefined ? [] : owners.methodsOf(held, name)))
    const indexes = [...new Set(targets)].flatMap((fact) => functions.get(fact) ?? [])
    const module = moduleBehind(mixin)
    if (indexes.length > 0) addTo(calls, open, { targets: indexes })
    else if (module !== undefined) {
      addTo(calls, open, { module: { ...module, name: module.name === '' ? name : `${module.name}.${name}` } })
      // of a class its objects have it
      addTo(calls, open, { module: { ...module, name: `${module.name}#${name}` } })
    }
  }
}

/** What is called where only what arrives there says so. Methods that UI5 and the language have are none of the app's. */
function dispatchOf(callee: Value, paths: readonly string[], draft: FlowDraft): FlowCall['dispatch'] {
  if (paths.some((path) => path.startsWith('module:') && isFramework(path.slice('module:'.length)) && !path.includes('(')))
    return undefined
  // the rows of the table know it
  if (paths.some((path) => path.endsWith(' ()') && COMPILERS.test(path.slice(0, -' ()'.length)))) return undefined
  if (callee.kind === 'member') {
    const { object, name } = callee
    if (object.kind === 'super' || FRAMEWORK_METHODS.has(name ?? '')) return undefined
    if (isOfFramework(object) && !(isAskedById(object) && !OF_CONTROLS.test(name ?? ''))) return undefined
    return { node: draft.use(object), name: name ?? ANY_FIELD }
  }
  const isValue =
    (callee.kind === 'reference' && callee.binding !== undefined) || callee.kind === 'call' || callee.kind === 'choice'
  return isValue ? { node: draft.use(callee), name: '', ...viaOf(callee, draft) } : undefined
}

/** `this.byId("x")`: a control of the app's own has methods that no other one has. */
function isAskedById(value: Value): boolean {
  return value.kind === 'call' && value.callee.kind === 'member' && value.callee.name === 'byId'
}

/** Methods that UI5 makes for properties, aggregations and events, or has for all controls. */
const OF_CONTROLS =
  /^(?:(?:set|get|add|insert|remove|attach|detach|destroy|is|has|bind|unbind|fire|index)[A-Z]\w{0,60}|open|openBy|close|destroy|focus|rerender|invalidate|data|\$|filter|sort|refresh|exists)$/

/** `this.byId("x")`, `$(node)`: what such calls give is none of the app's. */
function isOfFramework(value: Value): boolean {
  if (value.kind === 'literal' || value.kind === 'template' || value.kind === 'concat' || value.kind === 'array') return true
  if (value.kind === 'reference') return value.binding === undefined && value.name !== 'globalThis'
  if (value.kind !== 'call') return false
  const { callee } = value
  if (callee.kind === 'reference') return callee.binding === undefined
  return callee.kind === 'member' && FRAMEWORK_METHODS.has(callee.name ?? '') && !GIVING.has(callee.name ?? '')
}

/** Those of them that give something of the app's own. */
const GIVING: ReadonlySet<string> = new Set(['bind', 'apply', 'getOwnerComponent', 'getAppComponent'])

/** Methods that nearly every app calls and that its own objects do not have. */
const FRAMEWORK_METHODS: ReadonlySet<string> = new Set(
  (
    'getView byId getModel setModel getParameter getParameters getSource getProperty setProperty getBindingContext getOwnerComponent getRouter ' +
    'getResourceBundle getText attachPatternMatched addEventListener setText setVisible setEnabled setBusy getBinding addDependent setBindingContext ' +
    'trim toLowerCase toUpperCase slice substring substr split join concat replace replaceAll padStart charAt indexOf map forEach then catch ' +
    'hasOwnProperty push preventDefault stopPropagation bind apply createElement getElementById querySelector appendChild'
  ).split(' '),
)
