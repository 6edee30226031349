import type { ProjectFile } from '../../files.ts'
import { placeOf, rewriteUrl, type Approuter, type Route } from '../../model/approuter/index.ts'
import { folderOf, joinPath, resolvePath } from '../../paths.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const PRIVATE: readonly string[] = ['default-env.json', '.env', 'package.json', 'xs-app.json', 'xs-security.json', 'mta.yaml']

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
      const { names, isOwn } = exposedBy(approuter, route, project.files)
      if (names.length === 0) continue
      yield {
        at: placeOf(approuter.file, node),
        args: { source: route.source, folder: route.target.name, names: names.join(', ') },
        exposure: project.reach.ofRoute(approuter, route),
        ...(!names.some((name) => /(?:^|\/)(?:default-env\.json|\.env)$/.test(name)) && {
          impact: isOwn ? ('bounded' as const) : ('defence' as const),
          evidence: 'shown' as const,
        }),
      }
    }
  },

  text: {
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
  },
})

/** The files that a route serves and should not, and whether the approuter's own folder is served: that one holds its modules and bindings at run time. */
function exposedBy(
  approuter: Approuter,
  route: Route,
  files: ReadonlyMap<string, ProjectFile>,
): { readonly names: readonly string[]; readonly isOwn: boolean } {
  const own = folderOf(approuter.file)
  // joined to the working directory, so a slash at the start says nothing
  const folder = resolvePath(approuter.file, `./${route.target.name}`)
  const existing = (where: string, names: readonly string[]): readonly string[] =>
    names.filter((name) => files.has(joinPath(where, name)))
  if (folder === undefined || (folder !== own && (folder === '' || own.startsWith(`${folder}/`)))) {
    // a folder above it: whatever lies beside, the approuter itself is served
    const below = folder === undefined ? own || 'app' : own.slice(folder === '' ? 0 : folder.length + 1)
    const names = existing(own, ['package.json', 'xs-app.json']).map((name) => `${below}/${name}`)
    return { names: names.filter((name) => reaches(approuter, route, name)), isOwn: true }
  }
  const names = existing(folder, PRIVATE).filter((name) => reaches(approuter, route, name))
  return { names, isOwn: folder === own || names.includes('default-env.json') }
}

/** A source that takes one page alone, or leads into a folder below, serves nothing else. */
function reaches({ languages }: Approuter, route: Route, name: string): boolean {
  const { source, matchCase, rewrite } = route
  const file = name.replaceAll('.', '\\.')
  const [taken, wanted] = [
    languages.read(source, matchCase),
    languages.read(rewrite === undefined ? `^/${file}$` : `/${file}$`, true),
  ]
  const url = taken && wanted && languages.findCommonUrl(taken, wanted, [])
  return url !== undefined && rewriteUrl(route, url) === `/${name}`
}
