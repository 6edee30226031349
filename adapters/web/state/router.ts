import { computed, signal } from '@preact/signals'

// the script lies in assets/, one below the root, wherever the app is mounted
const { url: script } = import.meta
const ROOT = new URL('..', script)

const LISTS = ['scan', 'projects', 'history', 'rules', 'limits'] as const

export const address = signal(new URL(location.href))

export type Route =
  | { readonly screen: 'start' | 'scan' | 'projects' | 'history' | 'rules' | 'limits' | 'unknown' }
  | { readonly screen: 'project'; readonly name: string }
  | { readonly screen: 'report'; readonly scanId: string }
  | { readonly screen: 'rule'; readonly ruleId: string }
  | { readonly screen: 'compare'; readonly before: string; readonly after: string }

/** A text of an address; as it stands where its percent codes mean nothing. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function toRoute({ pathname }: URL): Route {
  const within = pathname.startsWith(ROOT.pathname) ? pathname.slice(ROOT.pathname.length) : ''
  const [first = '', second, third, ...more] = within.replace(/\/$/, '').split('/').map(decode)
  if (more.length > 0) return { screen: 'unknown' }
  if (first === '') return { screen: 'start' }
  if (first === 'scans' && second !== undefined && third === undefined) return { screen: 'report', scanId: second }
  if (first === 'compare' && second !== undefined && third !== undefined)
    return { screen: 'compare', before: second, after: third }
  if (first === 'rules' && second !== undefined && third !== undefined) return { screen: 'rule', ruleId: `${second}/${third}` }
  if (first === 'projects' && second !== undefined && third === undefined) return { screen: 'project', name: second }
  if (second !== undefined) return { screen: 'unknown' }
  return { screen: LISTS.find((name) => name === first) ?? 'unknown' }
}

export const route = computed<Route>(() => toRoute(address.value))

/** The address of a screen, or of a file or an answer of the service, from the root of the page. */
export const href = (path: string): string => new URL(path, ROOT).href

/** Opens a screen. `replace` where going back should not stop at what was before. */
export function go(path: string, replace = false): void {
  const target = new URL(path, ROOT)
  if (replace) history.replaceState(null, '', target)
  else history.pushState(null, '', target)
  address.value = target
  if (!replace) {
    scrollTo(0, 0)
    // a reader of the screen hears that another one was opened
    queueMicrotask(() => requestAnimationFrame(() => document.querySelector('main')?.focus({ preventScroll: true })))
  }
}

/** Changes members of the query; an empty one goes. The finding that the address names goes too, unless it is `kept`. */
export function setQuery(changes: Readonly<Record<string, string>>, replace = true, kept = false): void {
  const target = new URL(address.value)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') target.searchParams.delete(name)
    else target.searchParams.set(name, value)
  }
  if (!kept) target.hash = ''
  if (replace) history.replaceState(null, '', target)
  else history.pushState(null, '', target)
  address.value = target
}

addEventListener('popstate', () => {
  address.value = new URL(location.href)
})

/** Links within the page are followed without leaving it; with a key held the browser does what it always does. */
export function followLinks(event: MouseEvent): void {
  const { target } = event
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  const link = target instanceof Element ? target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return
  if (!link.href.startsWith(ROOT.href) || link.href.startsWith(`${ROOT.href}api/`) || link.getAttribute('href')?.startsWith('#'))
    return
  event.preventDefault()
  go(link.href)
}
