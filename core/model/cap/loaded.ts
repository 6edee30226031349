import { textsOf } from '../../parse/data.ts'
import { folderOf, joinPath, resolvePath } from '../../paths.ts'
import { resolveSpecifier, resolveUsing, type CdsSources } from './documents.ts'
import type { ProjectFile } from '../../files.ts'
import type { CapRoot, Configuration } from './types.ts'

/**
 * Where CAP looks for models: folders, the folders in one (`app/*`), and files.
 * Facts: @sap/cds 9.9.3, lib/env/defaults.js (`folders`), lib/env/cds-env.js (`roots`), lib/compile/resolve.js: of a folder its index, else what lies directly in it.
 */
const ROOTS = ['db/', 'srv/', 'app/', 'app/*', 'fts/*', 'schema', 'services']

/** What has been compiled counts instead of the sources. */
const COMPILED = /(?:^|\/)(?:csn\.json|[^/]{1,200}\.csn)$/

/**
 * Models of a root that nothing loads: none of the places where CAP looks holds them, no other model uses them, no setting names them. None where the root seems to load
 * its models in a way of its own, or where other projects load them: those of a plugin.
 */
export function idleModels(
  { root, files }: Pick<CapRoot, 'root' | 'files'>,
  configuration: Configuration,
  sources: CdsSources,
): ReadonlySet<string> {
  const models = files.filter(({ content, kind }) => content.as === 'cds' && !kind.test)
  const isOpen = files.some(({ path }) => COMPILED.test(path) || /(?:^|\/)cds-plugin\.[cm]?[jt]s$/.test(path))
  if (isOpen || models.length < 2) return new Set()
  const patterns = [...ROOTS, ...textsOf(configuration.value('roots')?.node)]
  for (const name of configuration.keys('folders')) patterns.push(...textsOf(configuration.value('folders', name)?.node))
  const isRoot = (path: string): boolean => patterns.some((pattern) => holds(joinPath(root, plain(pattern)), path, sources))
  const named = new Set<string>()
  for (const name of configuration.keys('requires'))
    for (const model of textsOf(configuration.value('requires', name, 'model')?.node)) {
      const found = resolveSpecifier(joinPath(root, 'package.json'), /^[@.]/.test(model) ? model : `./${model}`, sources)
      if (found !== undefined) named.add(found.path)
    }
  const loaded = new Set(models.filter(({ path }) => isRoot(path) || named.has(path)))
  const others = models.filter((file) => !loaded.has(file))
  if (others.length === 0) return new Set()
  const used = usedModels(others, sources)
  const definesService = models.some(
    ({ path, content }) =>
      used.has(path) && content.as === 'cds' && content.document.definitions.some(({ kind }) => kind === 'service'),
  )
  return new Set(definesService ? others.flatMap(({ path }) => (used.has(path) ? [] : path)) : [])
}

/** All models but these, whoever loads them, and what they use, directly or by what they use. */
function usedModels(others: readonly ProjectFile[], sources: CdsSources): ReadonlySet<string> {
  const waiting = new Set(others.map(({ path }) => path))
  const used = new Set<string>()
  const open = [...sources.files.values()].filter(({ path }) => !waiting.has(path))
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const { path, content } = file
    if (content.as !== 'cds' || used.has(path)) continue
    used.add(path)
    sources.budget.step(1 + content.document.usings.length)
    for (const using of content.document.usings) {
      const target = resolveUsing(path, using, sources)
      if (target !== undefined && waiting.has(target.path)) open.push(target)
    }
  }
  return used
}

function plain(pattern: string): string {
  return resolvePath('package.json', pattern) ?? pattern
}

/** `srv` has `srv/shop.cds`, without an index; `app/*` has `app/orders/annotations.cds`; `services` is `services.cds`. */
function holds(pattern: string, path: string, { files }: CdsSources): boolean {
  if (pattern.endsWith('*')) return folderOf(folderOf(path)) === folderOf(pattern)
  if (path === pattern || path === `${pattern}.cds`) return true
  return folderOf(path) === pattern && (path.endsWith('/index.cds') || !files.has(`${pattern}/index.cds`))
}
