import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** The Horizon themes, and the name under which the page asks for each. */
const THEMES: Readonly<Record<string, string>> = {
  sap_horizon: ':root',
  sap_horizon_dark: ":root[data-theme='dark']",
  sap_horizon_hcw: ":root[data-theme='contrast-light']",
  sap_horizon_hcb: ":root[data-theme='contrast-dark']",
}
const BASE = 'node_modules/@sap-theming/theming-base-content/content/Base/baseLib'
/** What the component library adds to each: its components use variables of its own. */
const COMPONENTS = 'node_modules/fundamental-styles/dist/theming'
const DECLARATION = /(--(?:sap|fd)\w+):\s*([^;}]+)/g
const OF_COMPONENTS = /(?<=[{;])(--fd\w+):[^;}]+;?/g
const USE = /var\(\s*(--(?:sap|fd)\w+)/g

/** Writes, before the page's own style, the variables of the Horizon themes that the style uses, and those that they use in turn. */
export function horizonVariables(root: URL): Plugin {
  return {
    name: 'horizon-variables',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue
          const style = withoutUnused(String(file.source))
          const themes = await Promise.all(Object.keys(THEMES).map((theme) => readTheme(root, theme)))
          file.source = writeThemes(themes, style) + style
        }
      },
    },
  }
}

/** The style without variables of the component library that nothing asks for: they belong to states and parts of components that the page does not have. */
function withoutUnused(style: string): string {
  const used = new Set([...style.matchAll(USE)].map(([, name]) => name))
  const left = style.replaceAll(OF_COMPONENTS, (declaration, name: string) => (used.has(name) ? declaration : ''))
  // one may have been asked for by another alone
  return left === style ? style : withoutUnused(left)
}

async function readTheme(root: URL, theme: string): Promise<ReadonlyMap<string, string>> {
  const [components = '', base = ''] = await Promise.all(
    [`${COMPONENTS}/${theme}.css`, `${BASE}/${theme}/css_variables.css`].map((path) =>
      readFile(fileURLToPath(new URL(path, root)), 'utf8'),
    ),
  )
  const declared = [...components.matchAll(DECLARATION), ...base.matchAll(DECLARATION)]
  return new Map(declared.map(([, name = '', value = '']) => [name, value.trim()]))
}

function writeThemes(themes: readonly ReadonlyMap<string, string>[], style: string): string {
  const [light = new Map<string, string>()] = themes
  const used = new Set<string>()
  const visit = (text: string): void => {
    for (const [, name = ''] of text.matchAll(USE)) {
      if (used.has(name)) continue
      used.add(name)
      for (const theme of themes) visit(theme.get(name) ?? '')
    }
  }
  visit(style)
  // the fonts: the page has its own
  for (const [, body = ''] of style.matchAll(/:root\{([^}]*)\}/g))
    for (const [, name = ''] of body.matchAll(DECLARATION)) used.delete(name)
  return Object.values(THEMES)
    .map((selector, index) => {
      const theme = themes[index] ?? light
      const changed = [...used].sort().filter((name) => theme.has(name) && (index === 0 || theme.get(name) !== light.get(name)))
      return `${selector}{${changed.map((name) => `${name}:${theme.get(name)}`).join(';')}}`
    })
    .join('\n')
}
