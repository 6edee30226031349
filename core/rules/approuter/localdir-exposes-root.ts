import type { ProjectFile } from '../../files.ts'
import { placeOf, rewriteUrl, type Approuter, type Route } from '../../model/approuter/index.ts'
import { fileNameOf, folderOf, joinPath, resolvePath } from '../../paths.ts'
import { at, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const BINDINGS = 'default-env.json'
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|host\.docker\.internal)(?::\d{1,5})?(?:\/|$)/i
const PLAIN = /^(?:name|url|forwardAuthToken|strictSSL|timeout|setXForwardedHeaders)$/
const PRIVATE: readonly string[] = [BINDINGS, '.env', 'package.json', 'xs-app.json', 'xs-security.json', 'mta.yaml']

/** A route that serves the approuter's own folder, or another one with configuration files, as static files.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (localDir is relative to the working directory).
 *  Impact: descriptors of the running approuter disclose little; those of a folder of pages nothing that is of use by itself; a file with credentials,
 *  which may be on a developer’s machine alone, opens production. */
export const localdirExposesRoot: Rule = defineRule({
  id: 'approuter/localdir-exposes-root',
  impact: 'takeover',
  // the file may be on a developer's machine alone
  evidence: 'assumed',
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter, project) {
    if (approuter.kind === 'html5-app') return
    for (const route of approuter.routes) {
      const node = at(route.node, 'localDir')
      if (route.target.kind !== 'local-dir' || node === undefined) continue
      const { names, isOwn, folder } = exposedBy(approuter, route, project.files)
      if (names.length === 0) continue
      yield {
        at: placeOf(approuter.file, node),
        args: { source: route.source, folder: route.target.name, names: names.join(', ') },
        exposure: project.reach.ofRoute(approuter, route),
        ...(!names.some((name) => mayHoldCredentials(joinPath(folder, name), project.files)) && {
          impact: isOwn ? ('bounded' as const) : ('defence' as const),
          // what a default-env.json holds when it is deployed is not what developers keep
          ...(!names.includes(BINDINGS) && { evidence: 'shown' as const }),
        }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Configuration files served as static files',
      message: 'Route "{source}" serves the folder "{folder}", which contains {names:and}.',
      why: 'Clients can download these files, and a default-env.json with credentials if one is deployed next to them.',
      fix: 'Move the files for the browser into a separate folder, such as "resources", and set "localDir": "resources" on the route.',
    },
    fr: {
      title: 'Fichiers de configuration servis comme fichiers statiques',
      message: 'La route "{source}" sert le dossier "{folder}", qui contient {names:et}.',
      why: 'Les clients peuvent télécharger ces fichiers et, s’il est déployé dans le même dossier, un default-env.json contenant des identifiants.',
      fix: 'Déplacez les fichiers destinés au navigateur dans un dossier à part, par exemple "resources", et définissez "localDir": "resources" sur la route.',
    },
  }),
})

/** The files that a route serves and should not, and whether the approuter's own folder is served: that one holds its modules and bindings at run time. */
function exposedBy(
  approuter: Approuter,
  route: Route,
  files: ReadonlyMap<string, ProjectFile>,
): { readonly names: readonly string[]; readonly isOwn: boolean; readonly folder: string } {
  const own = folderOf(approuter.file)
  // joined to the working directory, so a slash at the start says nothing
  const folder = resolvePath(approuter.file, `./${route.target.name}`)
  const existing = (where: string, names: readonly string[]): readonly string[] =>
    names.filter((name) => files.has(joinPath(where, name)))
  if (folder === undefined || (folder !== own && (folder === '' || own.startsWith(`${folder}/`)))) {
    // a folder above it: whatever lies beside, the approuter itself is served
    const below = folder === undefined ? own || 'app' : own.slice(folder === '' ? 0 : folder.length + 1)
    const names = existing(own, ['package.json', 'xs-app.json']).map((name) => `${below}/${name}`)
    return { names: names.filter((name) => reaches(approuter, route, name)), isOwn: true, folder: folder ?? '' }
  }
  const names = existing(folder, PRIVATE).filter((name) => reaches(approuter, route, name))
  return { names, isOwn: folder === own || names.includes(BINDINGS), folder }
}

/** An `.env`, and a default-env.json but one of the project that holds addresses of the developer's own machine alone. Fact: @sap/xsenv 5, `loadEnv`. */
function mayHoldCredentials(path: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  if (fileNameOf(path) === '.env') return true
  const content = fileNameOf(path) === BINDINGS ? files.get(path)?.content : undefined
  if (content === undefined) return false
  const root = content.as === 'data' ? content.roots[0] : undefined
  return root === undefined || !isOfOwnMachine(root)
}

/** Nothing but destinations on this machine, without users and secrets. */
function isOfOwnMachine(root: DataNode): boolean {
  const isPlain = (item: DataNode): boolean =>
    LOCAL.test(stringOf(at(item, 'url')) ?? '') && membersOf(item).every(({ key }) => PLAIN.test(key))
  return membersOf(root).every(
    ({ key, value }) => key === 'destinations' && value.kind === 'array' && itemsOf(value).every(isPlain),
  )
}

/** `/$1` of `^(.*)$` doubles the slash. Fact: send 0.19, which serves the files, normalizes the path below its root. */
const SLASHES = /^\/{2,9}/

/** A source that takes one page alone, or leads into a folder below, serves nothing else. */
function reaches({ languages }: Approuter, route: Route, name: string): boolean {
  const { source, matchCase, rewrite } = route
  const file = name.replaceAll('.', '\\.')
  const [taken, wanted] = [
    languages.read(source, matchCase),
    languages.read(rewrite === undefined ? `^/${file}$` : `/${file}$`, true),
  ]
  const url = taken && wanted && languages.findCommonUrl(taken, wanted, [])
  return url !== undefined && rewriteUrl(route, url)?.replace(SLASHES, '/') === `/${name}`
}
