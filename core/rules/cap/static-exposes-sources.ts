import { accessesOf, constantOf, stringConstantOf, fieldOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { createDevelopmentReader, isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A server hands out the folder that it runs from: its scripts, package.json, lock files and settings beside the pages.
 * Facts: serve-static 2.2, README (`root`; only names that begin with a dot are ignored by default); koa-static 5; @fastify/static 8, `root`.
 * Impact: sources tell of routes, tables and packages with their versions, and settings beside them of more.
 */
export const staticExposesSources: Rule = defineRule({
  id: 'cap/static-exposes-sources',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [552, 540],
  since: '0.3.0',
  docs: 'https://expressjs.com/en/starter/static-files.html',
  on: 'server-script',
  keywords: ['static'],
  prefilter: (text) => /\bstatic\s{0,4}\(|static["'`]/.test(text),

  *check({ path, text, content: { facts } }) {
    if (isToolFile(path) || isDeveloperFile(path)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const call of facts.calls) {
      const root = rootOf(call)
      if (root === undefined || !isOwnFolder(root) || isForDevelopers(call)) continue
      const span = { start: root.start, end: root.end }
      yield { at: { file: path, span }, args: { folder: text.slice(root.start, root.end).slice(0, MAX_SHOWN) } }
    }
  },

  text: () => ({
    en: {
      title: 'Server sources exposed as static files',
      message:
        'Static files are served from {folder}, the folder that the server runs from: its scripts and settings are served too.',
      why: 'An attacker downloads the server’s code, package.json and every file beside it, and learns routes, tables, vulnerable packages and what settings contain.',
      fix: 'Serve a folder that contains nothing but the pages: express.static(path.join(__dirname, "public")).',
    },
    fr: {
      title: 'Sources du serveur exposées comme fichiers statiques',
      message:
        'Les fichiers statiques viennent de {folder}, le dossier du serveur lui-même : ses scripts et ses paramètres sont servis aussi.',
      why: 'Un attaquant télécharge le code du serveur, package.json et tout fichier voisin, et apprend les routes, les tables, les paquets vulnérables et le contenu des paramètres.',
      fix: 'Servez un dossier qui ne contient que les pages : express.static(path.join(__dirname, "public")).',
    },
  }),
})

const MAX_SHOWN = 60

/** What serves a folder that is its first argument. */
const SERVING = /^module:(?:express (?:default )?static|serve-static(?: default)?|koa-static(?: default)?) \(\)$/

function rootOf(call: CallValue): Value | undefined {
  if (accessesOf(call).some(({ root, steps }) => SERVING.test([root, ...steps].join(' ')))) return call.args[0]
  // app.register(require('@fastify/static'), { root: __dirname })
  const [plugin, options] = call.args
  if (plugin === undefined || options === undefined) return undefined
  const isPlugin = accessesOf(plugin).some(({ root }) => root === 'module:@fastify/static')
  return isPlugin ? fieldOf(resolveValue(options), 'root')?.value : undefined
}

/** `__dirname`, `'./'`, `process.cwd()`, `path.join(__dirname, '..')`: the folder of the script, the one that it was started in, or one above. */
function isOwnFolder(root: Value): boolean {
  const written = constantOf(root)
  if (written !== undefined) return typeof written === 'string' && /^\.{1,2}(?:\/\.{1,2})*\/?$/.test(written)
  const made = resolveValue(root)
  const paths = accessesOf(made).map(({ root: first, steps }) => [first.replace(/^module:node:/, 'module:'), ...steps].join(' '))
  if (paths.some((path) => path === 'global:__dirname' || path === 'global:process cwd ()')) return true
  if (made.kind === 'concat') return made.parts.every((part, index) => (index === 0 ? isOwnFolder(part) : isUpwards(part)))
  if (made.kind !== 'call' || !paths.some((path) => /^module:path (?:default )?(?:join|resolve|normalize) \(\)$/.test(path)))
    return false
  return made.args.length > 0 && made.args.every((part, index) => isUpwards(part) || (index === 0 && isOwnFolder(part)))
}

function isUpwards(part: Value): boolean {
  const written = stringConstantOf(part)
  return written !== undefined && /^(?:\.{0,2}\/)*\.{0,2}$/.test(written)
}
