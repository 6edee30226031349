import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { splitTexts } from './edge/split-texts.ts'

const DIST = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Where texts wait until they are loaded. A text that is asked for too early is a fault, not an empty text. */
const REGISTRY = `let texts
let loading
export const frenchText = (index) => {
  if (texts === undefined) throw new Error('the French texts are not loaded')
  return texts[index]
}
export const loadTexts = () => (loading ??= import('edge-texts:french').then((loaded) => { texts = loaded.default }).catch((error) => { loading = undefined; throw error }))
`

/** The compiled modules of the rules without their French texts, and the French titles of advisories: they become a module that is loaded when a scan or a reader asks for it. */
async function separateTexts(): Promise<Plugin> {
  const folder = join(DIST, 'core/rules')
  const texts: string[] = []
  const modules = new Map<string, string>()
  for (const name of (await readdir(folder, { recursive: true })).filter((one) => one.endsWith('.js')).sort()) {
    const split = splitTexts(await readFile(join(folder, name), 'utf8'), texts.length)
    if (split === undefined) continue
    modules.set(join(folder, name), `import { frenchText } from 'edge-texts:registry'\n${split.code}`)
    texts.push(...split.texts)
  }
  const titles = join(DIST, 'core/advisories/french-titles.js')
  const source = await readFile(titles, 'utf8')
  modules.set(
    titles,
    `import { frenchText } from 'edge-texts:registry'\nexport const titleInFrench = (record) => frenchText(${texts.length})(record)`,
  )
  texts.push('titleInFrench')
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
        if (path === 'edge-texts:titles') return { contents: source, resolveDir: join(DIST, 'core/advisories') }
        const french = `import { titleInFrench } from 'edge-texts:titles'\nexport default [\n${texts.join(',\n')}\n]`
        return { contents: path === 'edge-texts:french' ? french : REGISTRY }
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
