import { findKubernetesObjects, textsBelow } from '../../model/deployment/index.ts'
import { folderOf } from '../../paths.ts'
import type { GradeFacts } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { openRoutes } from './_open-routes.ts'

/**
 * A route of a server of one's own (Express, Fastify, Koa) that does something with other systems, and that no middleware, no code in the route and no other file authenticates.
 * Facts: Express 5, "Using middleware"; SAP BTP, "Add Authentication and Functional Authorization Checks to Your Application"; Kyma, "APIRule".
 * Impact: callers without a login use the permissions of the server; behind a cluster's own network, other workloads there.
 */
export const serverRouteUnauthenticated: Rule = defineRule({
  id: 'cap/server-route-unauthenticated',
  impact: 'data',
  // whether the data is meant for everybody, the project does not say
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/add-authentication-and-functional-authorization-checks-to-your-application-0a69484.md',
  on: 'project',
  extracts: [openRoutes],

  *check(project) {
    const found = project.scripts.get(openRoutes)
    if (found.length === 0) return
    const published = publishedNames(project)
    for (const { file, value } of found) {
      project.step()
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { route: `${value.method} ${value.path}`, effect: value.effect, check: value.unused },
        ...reachOf(file, published, project),
        ...(value.unused !== '' && { variant: 'unused', confidence: 'high' as const }),
      }
    }
  },

  text: {
    en: {
      title: 'Server route without authentication',
      message: 'The route {route} calls {effect}, and neither a middleware nor its code authenticates the caller.',
      why: 'An attacker who can reach the server can call the route, which acts with the permissions and technical users of the application.',
      fix: "Authenticate in front of the routes: app.use(passport.initialize(), passport.authenticate('JWT', { session: false })) with the XssecPassportStrategy of @sap/xssec, and check the scope in the handler. For a webhook, verify the sender’s signature.",
      variants: {
        unused: {
          message: 'The route {route} calls {effect} without authentication; the file imports {check}, which is never used.',
          fix: 'Put {check} in front of the handler, as middleware of this route or of the whole app, and check the scope in the handler.',
        },
      },
    },
    fr: {
      title: 'Route de serveur sans authentification',
      message: 'La route {route} appelle {effect}, et ni un middleware ni son code n’authentifie l’appelant.',
      why: 'Un attaquant qui peut accéder au serveur peut appeler la route, qui agit avec les droits et les utilisateurs techniques de l’application.',
      fix: "Authentifiez avant les routes : app.use(passport.initialize(), passport.authenticate('JWT', { session: false })) avec XssecPassportStrategy de @sap/xssec, et vérifiez le scope dans le gestionnaire. Pour un webhook, vérifiez la signature de l’émetteur.",
      variants: {
        unused: {
          message:
            'La route {route} appelle {effect} sans authentification ; le fichier importe {check}, qui n’est jamais utilisé.',
          fix: 'Placez {check} devant le gestionnaire, comme middleware de cette route ou de toute l’application, et vérifiez le scope dans le gestionnaire.',
        },
      },
    },
  },
})

/** Words of what makes services of a cluster public; undefined: the project has no cluster. */
function publishedNames({ files }: Project): string | undefined {
  const objects = findKubernetesObjects(files)
  if (objects.length === 0) return undefined
  const entries = objects.filter(({ kind }) => /^(?:APIRule|Ingress|VirtualService|HTTPRoute)$/.test(kind))
  return entries.flatMap(({ node }) => textsBelow(node).map(({ text }) => text.toLowerCase())).join('\n')
}

/** An application without a public route, or a workload that no entry of the cluster names, is reached from inside alone. */
function reachOf(file: string, published: string | undefined, { deployment }: Project): Pick<GradeFacts, 'reach'> {
  const folder = folderOf(file)
  const own = deployment.applications.filter((it) => it.folder !== undefined && `${folder}/`.startsWith(`${it.folder}/`))
  if (own.length > 0) return { reach: own.some(({ hasPublicRoute }) => hasPublicRoute) ? 'anyone' : 'privileged' }
  const name = folder.slice(folder.lastIndexOf('/') + 1).toLowerCase()
  if (published === undefined || name === '' || published.includes(name)) return { reach: 'anyone' }
  return { reach: 'privileged' }
}
