import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { strToU8, zipSync } from 'fflate'
import { build } from 'vite'
import { RULES } from '../../core/scanner.ts'
import { readSamples } from '../../core/reference.ts'
import { horizonVariables } from './page/horizon.ts'
import { pruneComponents } from './page/prune-style.ts'

const ROOT = new URL('../../', import.meta.url)
const WEB = fileURLToPath(new URL('adapters/web/', ROOT))
const OUT = fileURLToPath(new URL('dist/web/', ROOT))

/** The sources of the page as one text, to see which classes they use. */
async function readSources(): Promise<string> {
  const names = await readdir(WEB, { recursive: true })
  const sources = names.filter((name) => name.endsWith('.tsx') || name.endsWith('.ts'))
  return (await Promise.all(sources.map((name) => readFile(join(WEB, name), 'utf8')))).join('\n')
}

/** The sample project as an archive. Its dates are fixed, so that every build gives the same bytes. */
async function zipSample(): Promise<Uint8Array> {
  const folder = join(WEB, 'sample')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(
    files
      .sort()
      .map(async (file) => [file.slice(folder.length + 1).replaceAll('\\', '/'), strToU8(await readFile(file, 'utf8'))] as const),
  )
  return zipSync(Object.fromEntries(texts), { mtime: '2026-01-01T00:00:00', level: 9 })
}

/** The examples of each rule, an area a file: only who opens a rule loads them. Their names are those of the areas and a hash. */
async function writeSamples(): Promise<Record<string, string>> {
  const areas = new Map<string, Record<string, unknown>>()
  for (const { id } of RULES) {
    const markdown = await readFile(new URL(`core/rules/${id}.md`, ROOT), 'utf8').catch(() => '')
    const area = id.slice(0, id.indexOf('/'))
    const samples = readSamples(markdown)
    if (samples.length > 0) areas.set(area, { ...areas.get(area), [id]: samples })
  }
  const names: Record<string, string> = {}
  for (const [area, samples] of areas)
    names[area] = await writeHashed(`samples-${area}`, 'json', strToU8(JSON.stringify(samples)))
  return names
}

async function writeHashed(name: string, extension: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8)
  const file = `${name}-${hash}.${extension}`
  await mkdir(join(OUT, 'assets'), { recursive: true })
  await writeFile(join(OUT, 'assets', file), bytes)
  return file
}

/** Writes the page for hosts without a file system over its compiled place: what a first visit needs, without the examples of rules. */
async function writeModule(): Promise<void> {
  const all = await readdir(OUT, { recursive: true })
  const names = all.filter((name) => /\.(?:html|js|css|svg)$/.test(name)).sort()
  const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
  const files = await Promise.all(
    names.map(async (name) => {
      const type = `${types[name.slice(name.lastIndexOf('.') + 1)] ?? ''}; charset=utf-8`
      return [name.replaceAll('\\', '/'), { type, body: await readFile(join(OUT, name), 'utf8') }]
    }),
  )
  const folder = fileURLToPath(new URL('dist/adapters/', ROOT))
  await mkdir(folder, { recursive: true })
  const sample = all.find((name) => name.endsWith('.zip')) ?? ''
  const bytes = (await readFile(join(OUT, sample))).toString('base64')
  const archive = `{ type: 'application/zip', body: Uint8Array.from(atob('${bytes}'), (part) => part.charCodeAt(0)) }`
  const entries = `[...${JSON.stringify(files)}, [${JSON.stringify(sample.replaceAll('\\', '/'))}, ${archive}]]`
  await writeFile(join(folder, 'page.js'), `export const PAGE = new Map(${entries});\n`)
}

// as it is published, whoever builds it: a test's own mode would write the places of its sources into the page
process.env['NODE_ENV'] = 'production'
await build({
  root: WEB,
  base: './',
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [pruneComponents(await readSources()), horizonVariables(ROOT)],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: 'es2022',
    // as a file each: the page's policy takes data: for pictures alone
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
  },
})
const assets = { sample: await writeHashed('sample', 'zip', await zipSample()), samples: await writeSamples() }
const index = join(OUT, 'index.html')
const html = await readFile(index, 'utf8')
await writeFile(index, html.replace('data-assets=""', `data-assets="${JSON.stringify(assets).replaceAll('"', '&quot;')}"`))
await writeModule()
