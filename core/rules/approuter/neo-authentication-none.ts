import { listNames } from '../../arguments.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf, foldersAround, isBelow } from '../../paths.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { askedDirectories, askedRoutes } from './_asked-directories.ts'
import { constrainedPaths, pathsOfRoutes, unprotectedRoutes } from '../../model/approuter/index.ts'

/**
 * An HTML5 application of the Neo environment that asks nobody for a login, with routes to destinations that no security constraint protects.
 * Facts: SAP BTP, Neo environment, "Authentication" (`authenticationMethod`: `saml` is the default, `none` switches it off; a security constraint protects its paths all the
 * same) and "Authorization" (`securityConstraints`, `protectedPaths`).
 * Without such a route its pages are public, and data that lies beside them.
 * Impact: a caller without a login reads and changes what the destination leads to; which credentials it stores is not in the project,
 * but where it leads to the SCIM API of the identity provider: that takes technical accounts alone.
 */
export const neoAuthenticationNone: Rule = defineRule({
  id: 'approuter/neo-authentication-none',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/btp/sap-btp-neo-environment/authentication',
  grades: { directory: { evidence: 'shown' }, pages: { impact: 'defence', evidence: 'shown' } },
  extracts: [askedDirectories],
  on: 'project',

  *check({ files, scripts, step }): Generator<Match> {
    for (const { path: file, kind, content } of files.values()) {
      if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
      const [root] = content.roots
      const method = at(root, 'authenticationMethod')
      if (method === undefined || stringOf(method) !== 'none') continue
      const place = { file, span: { start: method.start, end: method.end } }
      const routes = unprotectedRoutes(root)
      const names = routes.map(({ destination }) => destination)
      if (names.length > 0) {
        const asked = scripts.get(askedDirectories).map((one) => ({ file: one.file, path: one.value }))
        const paths = pathsOfRoutes(root)
        step(paths.length * asked.length)
        const taken = askedRoutes(asked, file, paths)
        const directory = routes.find(({ path }) => path.length > 1 && taken.has(path))
        yield {
          at: place,
          args: { destinations: listNames([...new Set(names)]), directory: directory?.destination ?? '' },
          ...(directory !== undefined && { variant: 'directory' }),
        }
        continue
      }
      step(2 * files.size)
      const data = ownData(file, root, files)
      if (data !== undefined) yield { at: place, args: { file: data }, variant: 'pages' }
    }
  },

  text: () => ({
    en: {
      title: 'Authentication disabled for a Neo application',
      message: '"authenticationMethod": "none" makes all routes public, including the one to {destinations:and}.',
      why: 'Anyone on the Internet can send requests to this back end without authentication; the platform adds the credentials stored in the destination, if any.',
      fix: 'Remove "authenticationMethod": "none" from neo-app.json (default: "saml"). If parts of the app must be public, protect the paths of the routes to {destinations:and} with "securityConstraints".',
      variants: {
        directory: {
          message:
            '"authenticationMethod": "none" makes all routes public, including the one to the SCIM API of the identity provider (destination {directory}), by which the page creates or reads accounts.',
          why: 'The API accepts technical accounts only, so the destination logs on as one. Anyone on the Internet can read, create and change accounts and their groups with it.',
        },
        pages: {
          message: '"authenticationMethod": "none" makes the whole app public, with the data that it brings along: {file}.',
          why: 'Anyone on the Internet can open the pages and download the files of the app without authentication.',
          fix: 'Remove "authenticationMethod": "none" from neo-app.json (default: "saml").',
        },
      },
    },
    fr: {
      title: 'Authentification désactivée pour une application Neo',
      message: '"authenticationMethod": "none" rend toutes les routes publiques, y compris celle qui mène à {destinations:et}.',
      why: 'N’importe qui sur Internet peut envoyer des requêtes à ce backend sans authentification ; la plateforme y joint les identifiants enregistrés dans la destination, s’il y en a.',
      fix: 'Supprimez "authenticationMethod": "none" de neo-app.json (valeur par défaut : "saml"). Si des parties de l’application doivent être publiques, protégez les chemins des routes vers {destinations:et} par "securityConstraints".',
      variants: {
        directory: {
          message:
            '"authenticationMethod": "none" rend toutes les routes publiques, y compris celle de l’API SCIM du fournisseur d’identité (destination {directory}), par laquelle la page crée ou lit des comptes.',
          why: 'L’API n’accepte que des comptes techniques : la destination se connecte donc avec l’un d’eux. N’importe qui sur Internet peut lire, créer et modifier des comptes et leurs groupes.',
        },
        pages: {
          message:
            '"authenticationMethod": "none" rend toute l’application publique, avec les données qu’elle contient : {file}.',
          why: 'N’importe qui sur Internet peut ouvrir les pages et télécharger les fichiers de l’application sans authentification.',
          fix: 'Supprimez "authenticationMethod": "none" de neo-app.json (valeur par défaut : "saml").',
        },
      },
    },
  }),
})

/** Data that the app brings along, unless something is protected, or another descriptor of the same app says who has to log in. */
function ownData(file: string, root: DataNode | undefined, files: Project['files']): string | undefined {
  if (constrainedPaths(root).length > 0) return undefined
  const folder = folderOf(file)
  const paths = [...files.keys()]
  const around = new Set(foldersAround(file))
  const isReplaced = paths.some(
    (path) => /(?:^|\/)xs-app\.json$/.test(path) && (around.has(folderOf(path)) || isBelow(path, folder)),
  )
  if (isReplaced) return undefined
  return [...files.values()].find(
    ({ path, kind }) => DATA.test(path) && kind.role === undefined && !kind.test && isBelow(path, folder),
  )?.path
}

/** Data in a folder that says so: what else is JSON describes the app. */
const DATA = /(?:^|\/)(?:json_?data|data|json|models?|datasets?)\/[^/]{1,200}\.json$/i
