import { accessOf, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'

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
