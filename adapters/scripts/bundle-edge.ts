import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { splitTexts } from './edge/split-texts.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Where texts wait until they are loaded. A text that is asked for too early is a fault, not an empty text. */
const REGISTRY = `let texts
let loading
export const ruleText = (index) => {
  if (texts === undefined) throw new Error('the texts of the rules are not loaded')
  return texts[index]
}
export const loadTexts = () => (loading ??= import('edge-texts:texts').then((loaded) => { texts = loaded.default }).catch((error) => { loading = undefined; throw error }))
`

/** Modules that are nothing but texts as well, each with its only function. */
const TEXT_MODULES = [
  ['core/advisories/french-titles.js', 'titleInFrench'],
  ['core/report/rule-examples.js', 'exampleValues'],
  ['core/report/notice-words.js', 'noticeWords'],
  ['core/report/grade-words.js', 'wordGrade'],
  ['core/report/steps.js', 'wordStep'],
  ['core/rules/secrets/_token-words.js', 'tokenWords'],
] as const

/** The compiled modules of the rules without their texts, and those that are nothing but texts: they become modules that are loaded when a scan or a reader asks for it. */
async function separateTexts(): Promise<Plugin> {
  const folder = join(DIST, 'core/rules')
  const texts: string[] = []
  const modules = new Map<string, string>()
  const sources = new Map<string, { readonly contents: string; readonly resolveDir: string }>()
  const setApart = (index: number, contents: string, file: string): void => {
    sources.set(`edge-texts:${index}`, { contents, resolveDir: dirname(file) })
  }
  for (const name of (await readdir(folder, { recursive: true })).filter((one) => one.endsWith('.js')).sort()) {
    const file = join(folder, name)
    const split = splitTexts(await readFile(file, 'utf8'), texts.length)
    if (split === undefined) continue
    modules.set(file, `import { ruleText } from 'edge-texts:registry'\n${split.code}`)
    setApart(texts.length, split.texts, file)
    texts.push(split.exported)
  }
  for (const [path, name] of TEXT_MODULES) {
    const file = join(DIST, path)
    modules.set(
      file,
      `import { ruleText } from 'edge-texts:registry'\nexport const ${name} = (...values) => ruleText(${texts.length})(...values)`,
    )
    setApart(texts.length, await readFile(file, 'utf8'), file)
    texts.push(name)
  }
  const imports = texts.map((name, index) => `import { ${name} as text${index} } from 'edge-texts:${index}'\n`)
  const whole = `${imports.join('')}export default [${texts.map((_, index) => `text${index}`).join(', ')}]`
  return {
    name: 'separate-texts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^edge-texts:/ }, ({ path }) => ({ path, namespace: 'edge-texts', sideEffects: false }))
      onResolve({ filter: /\/edge-texts\.js$/ }, () => ({
        path: 'edge-texts:registry',
        namespace: 'edge-texts',
        sideEffects: false,
      }))
      onLoad({ filter: /.*/, namespace: 'edge-texts' }, ({ path }) => {
        const source = sources.get(path)
        return source ?? { contents: path === 'edge-texts:texts' ? whole : REGISTRY }
      })
      onLoad({ filter: /\.js$/ }, ({ path }) => {
        const contents = modules.get(path)
        return contents === undefined ? undefined : { contents }
      })
    },
  }
}

/** Writes the entry of edge runtimes over its compiled place, with the parts that a worker loads when they are asked for; packages stay outside. */
await build({
  entryPoints: { edge: join(DIST, 'adapters/edge.js') },
  outdir: join(DIST, 'adapters'),
  chunkNames: 'edge-[hash]',
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  packages: 'external',
  minify: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  plugins: [await separateTexts()],
})
