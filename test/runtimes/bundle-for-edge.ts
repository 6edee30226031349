import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildSync } from 'esbuild'

const ROOT = new URL('../../', import.meta.url).pathname

/** A module of the worker: its name, and its text. */
export interface EdgeModule {
  readonly name: string
  readonly text: string
  /** Whether the worker loads it before its first request; the others are loaded when they are asked for. */
  readonly isLoadedAtStart: boolean
}

/** The edge entry as it is deployed, the entry first, then the parts that it loads when they are asked for. Of what was built, since the page is put into it then. */
export function bundleForEdge(folder: string): readonly [EdgeModule, ...EdgeModule[]] {
  const outdir = join(folder, 'edge')
  const { metafile } = buildSync({
    entryPoints: { edge: join(ROOT, 'dist/adapters/edge.js') },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'error',
  })
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const atStart = new Set(['edge.mjs'])
  for (const name of atStart)
    for (const { path, kind } of outputs.get(name)?.imports ?? []) if (kind === 'import-statement') atStart.add(basename(path))
  const toModule = (name: string): EdgeModule => ({
    name,
    text: readFileSync(join(outdir, name), 'utf8'),
    isLoadedAtStart: atStart.has(name),
  })
  const parts = readdirSync(outdir).filter((name) => name !== 'edge.mjs')
  return [toModule('edge.mjs'), ...parts.map(toModule)]
}

/** Writes the worker and a configuration of workerd that serves it on a port; gives the path of the configuration. */
export function configureWorkerd(folder: string, port: number): string {
  const modules = bundleForEdge(folder).map(({ name }) => `(name = "${name}", esModule = embed "edge/${name}")`)
  const path = join(folder, 'config.capnp')
  writeFileSync(
    path,
    [
      'using Workerd = import "/workerd/workerd.capnp";',
      `const config :Workerd.Config = ( services = [(name = "main", worker = .w)], sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")] );`,
      `const w :Workerd.Worker = ( modules = [${modules.join(', ')}], compatibilityDate = "2026-06-01" );`,
    ].join('\n'),
  )
  return path
}
