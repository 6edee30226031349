import { fieldOf, isConstant, resolveValue, type CallValue, type Value, accessOf, type ScriptFacts } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { DEFINITION_FIELDS, DEFINITION_METHODS, DEFINITIONS } from '../tables/definitions.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from '../sinks/sink-parts.ts'
import { fileNameOf } from '../../paths.ts'

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
      addFound(FOUND_SINKS.viewDefinition, value, draft, {
        name: `${known === undefined ? method : calledAs(known)}({ ${name} })`,
      })
    }
  }
}

/** `Fragment.load`, `sap.ui.xmlview`. */
function calledAs(path: string): string {
  return path.startsWith('global:') ? path.slice('global:'.length).replaceAll(' ', '.') : fileNameOf(path).replace(' ', '.')
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

/** Globals of browsers and of UI5: nothing in them is the app's. */
const FOREIGN =
  /^global:(?:sap|jQuery|\$|window|document|console|JSON|Math|Object|Array|Promise|String|Number|Date|location|navigator|history|QUnit|sinon|module|exports|require|define|localStorage|sessionStorage)$/

/** Whether a path leads on from a global that the app may have made. */
export function isOwnGlobalPath(path: string): boolean {
  const space = path.indexOf(' ')
  return path.startsWith('global:') && space > 0 && !FOREIGN.test(path.slice(0, space))
}

/** What each window has. Fact: HTML standard, "Window". */
const OF_WINDOW: ReadonlySet<string> = new Set(
  (
    'name status closed length opener parent top self frames frameElement event origin open close print crypto performance screen scrollX scrollY pageXOffset ' +
    'pageYOffset innerWidth innerHeight outerWidth outerHeight visualViewport external caches indexedDB customElements fetch setTimeout setInterval'
  ).split(' '),
)

function isOfWindow(root: string): boolean {
  const name = root.slice('global:'.length)
  return OF_WINDOW.has(name) || /^on[a-z]{1,30}$/.test(name)
}

/** Functions of the language and of windows. */
const BUILT_IN =
  /^(?:alert|confirm|prompt|atob|btoa|parse(?:Int|Float)|is(?:NaN|Finite)|(?:en|de)codeURI(?:Component)?|(?:un)?escape|clear(?:Timeout|Interval)|requestAnimationFrame|queueMicrotask|structuredClone|matchMedia|getComputedStyle|BigInt|Symbol|Boolean|eval|Function)$/

/** `load` of `load(id)`, where nothing in the file declares it. */
export function globalFunctionOf(callee: Value): string | undefined {
  if (!('binding' in callee) || callee.binding !== undefined) return undefined
  const { name } = callee
  return OF_WINDOW.has(name) || BUILT_IN.test(name) || FOREIGN.test(`global:${name}`) ? undefined : name
}

/** `my.app.Helper.run` of a name that nothing in the file declares, `window.current`. */
export function namespaceOf(value: Value): string | undefined {
  const access = accessOf(value)
  if (access === undefined || !access.root.startsWith('global:') || FOREIGN.test(access.root)) return undefined
  if (access.steps.length === 0 && (value.kind !== 'member' || isOfWindow(access.root))) return undefined
  if (access.steps.some((step) => !/^[\w$]+$/.test(step))) return undefined
  return [access.root.slice('global:'.length), ...access.steps].join('.')
}

/** What a file puts into namespaces, by their names. */
export function namespacesOf({ assignments }: ScriptFacts): ReadonlyMap<string, Value> {
  const found = new Map<string, Value>()
  for (const { target, value } of assignments) {
    const name = namespaceOf(target)
    if (name !== undefined && !found.has(name)) found.set(name, resolveValue(value))
  }
  return found
}
