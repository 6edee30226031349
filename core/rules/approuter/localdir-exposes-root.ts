import { placeOf, rewriteUrl, type Approuter, type Route } from '../../model/approuter/index.ts'
import { folderOf, joinPath, resolvePath } from '../../model/ui5/paths.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const PRIVATE: readonly string[] = ['default-env.json', '.env', 'package.json', 'xs-app.json', 'xs-security.json', 'mta.yaml']

/** A route that serves the approuter's own folder, or another one with configuration in it, as static files.
 *  Facts: @sap/approuter 23.0.0 README, "routes" (localDir is relative to the working directory). */
export const localdirExposesRoot: Rule = defineRule({
  id: 'approuter/localdir-exposes-root',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [538],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: ['approuter'],
  text: {
    en: {
      title: 'Configuration files are served as static files',
      message: 'Route {source} serves the folder "{folder}", which holds {names}.',
      why: 'The files of the folder can be read over the web: {names}, and what a deployment adds to them.',
      fix: 'Move what is meant for the browser into a folder of its own, such as "resources", and name that one.',
    },
    fr: {
      title: 'Des fichiers de configuration sont servis comme fichiers statiques',
      message: 'La route {source} sert le dossier « {folder} », qui contient {names}.',
      why: 'Les fichiers du dossier peuvent être lus par le web : {names}, et ce qu’un déploiement y ajoute.',
      fix: 'Déplacez ce qui est destiné au navigateur dans un dossier à part, comme « resources », et indiquez celui-ci.',
    },
  },

  *check(approuter, project) {
    if (approuter.kind === 'html5-app') return
    for (const route of approuter.routes) {
      if (route.target.kind !== 'local-dir') continue
      const folder = resolvePath(approuter.file, route.target.name === '' ? '.' : route.target.name)
      const node = at(route.node, 'localDir')
      if (folder === undefined || node === undefined) continue
      const names = PRIVATE.filter((name) => project.files.has(joinPath(folder, name)) && reaches(approuter, route, name))
      if (names.length === 0) continue
      // the approuter's own folder has its modules and its bindings in it once it runs
      const isOwn = folder === folderOf(approuter.file) || names.includes('default-env.json')
      yield {
        at: placeOf(approuter.file, node),
        args: { source: route.source, folder: route.target.name, names: names.join(', ') },
        ...(!isOwn && { severity: 'MEDIUM' }),
      }
    }
  },
})

/** A source that takes one page alone, or leads into a folder below, serves nothing else. */
function reaches({ languages }: Approuter, route: Route, name: string): boolean {
  const { source, matchCase, rewrite } = route
  const file = name.replaceAll('.', '\\.')
  const [taken, wanted] = [
    languages.read(source, matchCase),
    languages.read(rewrite === undefined ? `^/${file}$` : `/${file}$`, true),
  ]
  const url = taken && wanted && languages.findCommonUrl(taken, wanted, [])
  return url !== undefined && rewriteUrl(route, url, languages) === `/${name}`
}
