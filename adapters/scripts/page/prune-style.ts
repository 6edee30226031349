import type { Plugin } from 'vite'

/** Drops the rules of the component library that style classes the page does not have: it brings fifty sorts of a button. */
export function pruneComponents(sources: string): Plugin {
  const used = new Set(sources.match(/fd-[\w-]+/g) ?? [])
  return {
    name: 'prune-components',
    enforce: 'pre',
    transform(code, id) {
      if (!/fundamental-styles\/dist\/.*\.css/.test(id)) return undefined
      // 0.41.9 has a variable without a name
      return { code: prune(code, used).replaceAll(/var\(true,(var\([^()]*\))\)/g, '$1'), map: null }
    },
  }
}

const CLASS = /\.(fd-[\w-]+)/g
/** Its focus styles, each with a way of its own (the page has one for all: base.css), states that the page does not name by attributes, denser forms, the icon font. */
const UNUSED = /:focus|\[aria-|\[class\*=["']?(?:sap-icon|-compact|-condensed)/

/** The style sheet is minified and well-formed: rules, and at-rules with rules in them. */
function prune(style: string, used: ReadonlySet<string>): string {
  let kept = ''
  let start = 0
  while (start < style.length) {
    const open = style.indexOf('{', start)
    if (open === -1) break
    const end = endOfBlock(style, open)
    const head = style
      .slice(start, open)
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .trim()
    const body = style.slice(open + 1, end)
    if (head.startsWith('@media') || head.startsWith('@supports')) {
      const inner = prune(body, used)
      if (inner !== '') kept += `${head}{${inner}}`
    } else if (head.startsWith('@')) {
      kept += `${head}{${body}}`
    } else {
      const selectors = splitSelectors(head).filter(
        (selector) =>
          !/:-(?:moz|ms|webkit)-|::-(?:moz|ms)/.test(selector) &&
          !UNUSED.test(selector) &&
          [...selector.matchAll(CLASS)].every(([, name = '']) => used.has(name)) &&
          !/\[dir=rtl\]|\.(?!fd-)[\w-]+/.test(selector),
      )
      if (selectors.length > 0)
        kept += `${selectors.join(',')}{${body.replaceAll(/(?:^|;)-(?:webkit|moz|ms)-[^;]+|display:-(?:webkit|ms)-[^;]+;?/g, '')}}`
    }
    start = end + 1
  }
  return kept
}

function endOfBlock(style: string, open: number): number {
  let depth = 0
  for (let at = open; at < style.length; at++) {
    if (style[at] === '{') depth++
    if (style[at] === '}' && --depth === 0) return at
  }
  return style.length
}

function splitSelectors(head: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= head.length; at++) {
    const character = head[at]
    if (character === '(' || character === '[') depth++
    if (character === ')' || character === ']') depth--
    if (at === head.length || (character === ',' && depth === 0)) {
      parts.push(head.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts
}
