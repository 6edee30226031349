import type { Approuter, Route } from '../../model/approuter/index.ts'
import { applicationsBehind } from '../../model/authorization/index.ts'
import { forwardsToken } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { folderOf, isBelow } from '../../paths.ts'
import { quoteValue, quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { askedDirectories, askedRoutes, type AskedDirectory } from './_asked-directories.ts'
import { pathsOfRoutes, takesMethod, unprotectedRoutes } from '../../model/approuter/index.ts'

/**
 * A route to the SCIM API of the identity provider that every user of the app may use: the page asks the API by the path of the route.
 * Facts: SAP Cloud Identity Services, "Identity Directory SCIM API" (`/scim/Users`, `/service/scim/Users`; callers are administrators of type system, with a password or a certificate: users
 * have no access of their own, so the destination must hold the account). SAP BTP, Neo environment, "Authorization" (`securityConstraints`); @sap/approuter 23.0.0 README, "scope".
 * Impact: users read and change all accounts and groups, also their own groups. Where the route takes GET alone, they read them.
 */
export const userDirectoryOpen: Rule = defineRule({
  id: 'approuter/user-directory-open',
  impact: 'data',
  reach: 'user',
  confidence: 'medium',
  cwe: [862, 441],
  since: '0.3.0',
  docs: 'https://help.sap.com/docs/cloud-identity-services/cloud-identity-services/identity-directory-scim-api',
  extracts: [askedDirectories],
  grades: { reading: { evidence: 'assumed' } },
  on: 'project',

  *check(project): Generator<Match> {
    const asked = project.scripts.get(askedDirectories).map(({ file, value }) => ({ file, path: value }))
    if (asked.length === 0) return
    yield* judgeNeo(project, asked)
    const { approuters, step } = project
    for (const approuter of approuters)
      for (const { file, path } of asked) {
        step(approuter.routes.length)
        if (!isBelow(file, folderOf(approuter.file)) && approuters.length > 1) continue
        const route = routeOf(approuter, path)
        if (route === undefined || !route.authenticates || route.scopes !== undefined || route.target.kind !== 'destination')
          continue
        if (isOfProject(route.target.name, project) || takesAnyPath(approuter, route, path)) continue
        const writes = ['POST', 'PUT', 'PATCH', 'DELETE'].some((method) => takesMethod(route, method))
        yield {
          at: route.sourcePlace,
          args: { path: quoteWord(route.source), destination: quoteWord(route.target.name) },
          groupKey: `${approuter.file} ${route.source}`,
          ...(!writes && { variant: 'reading' }),
        }
      }
  },

  text: () => ({
    en: {
      title: 'Route to the user directory open to all users',
      message:
        'The route {path} forwards requests of any user of the app to the SCIM API of the identity provider (destination {destination}); nothing restricts it to a role.',
      why: 'The API accepts technical accounts only, so the destination logs on as one. Any user of the app can read all accounts and groups with it, and change them: add themselves to a group, for example.',
      fix: 'Remove the route, and let a server read the groups of the current user. Otherwise restrict it to a role: "scope" on the route in xs-app.json, "securityConstraints" in neo-app.json.',
      variants: {
        reading: {
          why: 'The API accepts technical accounts only, so the destination logs on as one. Any user of the app can read the names, email addresses and groups of all accounts with it.',
        },
      },
    },
    fr: {
      title: 'Route vers l’annuaire des utilisateurs ouverte à tous',
      message:
        'La route {path} transmet les requêtes de tout utilisateur de l’application à l’API SCIM du fournisseur d’identité (destination {destination}) ; rien ne la réserve à un rôle.',
      why: 'L’API n’accepte que des comptes techniques : la destination se connecte donc avec l’un d’eux. Tout utilisateur peut lire tous les comptes et groupes et les modifier, par exemple s’ajouter à un groupe.',
      fix: 'Supprimez la route et faites lire les groupes de l’utilisateur courant par un serveur. Sinon, réservez-la à un rôle : "scope" sur la route dans xs-app.json, "securityConstraints" dans neo-app.json.',
      variants: {
        reading: {
          why: 'L’API n’accepte que des comptes techniques : la destination se connecte donc avec l’un d’eux. Tout utilisateur peut lire les noms, les adresses électroniques et les groupes de tous les comptes.',
        },
      },
    },
  }),
})

function* judgeNeo({ files, step }: Pick<Project, 'files' | 'step'>, asked: readonly AskedDirectory[]): Generator<Match> {
  for (const { path: file, kind, content } of files.values()) {
    if (kind.role !== 'neo-app' || kind.test || content.as !== 'data') continue
    const [root] = content.roots
    // all callers are strangers then, which another rule tells
    if (stringOf(at(root, 'authenticationMethod')) === 'none') continue
    const paths = pathsOfRoutes(root)
    step(paths.length * asked.length)
    const taken = askedRoutes(asked, file, paths)
    for (const { path, destination, node } of unprotectedRoutes(root))
      if (path.length > 1 && taken.has(path))
        yield {
          at: { file, span: { start: node.start, end: node.end } },
          args: { path: quoteValue(path), destination: quoteWord(destination) },
        }
  }
}

/** The first route that takes a path; undefined also where that is undecided. */
function routeOf({ languages, routes }: Approuter, path: string): Route | undefined {
  const wanted = languages.read(`^${path.replaceAll(/[^\w/-]/g, '\\$&')}$`, true)
  for (const route of routes) {
    const language = languages.read(route.source, route.matchCase)
    const takes = wanted && language && languages.isWithin(wanted, language)
    if (takes !== false) return takes === true ? route : undefined
  }
  return undefined
}

/** A module of the project answers, or the destination sends the token of the user in place of its own account. */
function isOfProject(destination: string, { deployment }: Pick<Project, 'deployment'>): boolean {
  return (
    applicationsBehind(destination, deployment).length > 0 ||
    deployment.destinations.some(
      (one) =>
        one.name === destination &&
        !one.isLocal &&
        (forwardsToken(one) || one.property('url')?.written.startsWith('~{') === true),
    )
  )
}

/** Its source fixes no part of the path, so it was not made for the API: it leads to the server of the app. */
function takesAnyPath(approuter: Approuter, route: Route, path: string): boolean {
  return routeOf(approuter, path.replaceAll(/[^/]+/g, UNNAMED)) === route
}

/** A part of a path that no source names. */
const UNNAMED = 'zq0'
