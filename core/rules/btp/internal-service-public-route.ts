import type { Application, Mta } from '../../model/deployment/index.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Names of modules that work for other modules of the same MTA. */
const INTERNAL_NAME = /(?:^|[-_.])(?:worker|workers|sidecar|mtx|batch|internal)(?:$|[-_.])/i

/**
 * A module that only other modules of the same MTA call, on a public route of its own.
 * Facts: Cloud Foundry, "Container-to-container networking" (apps.internal); capire, "MTX Services Reference".
 * Impact: nothing by itself, the service still has checks of its own.
 */
export const internalServicePublicRoute: Rule = defineRule({
  id: 'btp/internal-service-public-route',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://docs.cloudfoundry.org/concepts/understand-cf-networking.html',
  on: 'deployment',

  *check({ mtas, applications, placeOf }) {
    for (const application of applications) {
      const { name, node, isApprouter, hasPublicRoute, dependencies, bindings } = application
      const placed = at(node, 'name')
      if (isApprouter || !hasPublicRoute || name === undefined || placed === undefined) continue
      if (!INTERNAL_NAME.test(name) && dependencies?.has('@sap/cds-mtxs') !== true) continue
      if (!INTERNAL_NAME.test(name) && !/(?:^|\/)mtx(?:\/|$)|sidecar/i.test(application.folder ?? '')) continue
      // the platform calls these from outside
      if (bindings.some(({ service }) => service === 'jobscheduler' || service === 'autoscaler')) continue
      const mta = mtas.find(({ file }) => file === application.file)
      if (mta !== undefined && isCalledBack(application, mta)) continue
      // "cf push" keeps routes that the manifest no longer names
      yield { at: placeOf(placed), args: { app: name }, ...(mta === undefined && { variant: 'manifest' }) }
    }
  },

  text: () => ({
    en: {
      title: 'Public route for an internal service',
      message: 'Application {app} has a public route, although its name or folder suggests that only other modules call it.',
      why: 'An attacker on the internet can send requests to this application; a single missing check in the service is then enough to access its data or functions.',
      fix: 'Set "routes: [{ route: {app}.apps.internal }]" under "parameters" of {app} if only other applications call it; have them use http://{app}.apps.internal:8080, and allow them with "cf add-network-policy". If nothing calls it, set "no-route: true" instead.',
      variants: {
        manifest: {
          fix: 'Set "no-route: true" for {app} if nothing calls it. If only other applications do, set "routes: [{ route: {app}.apps.internal }]", unmap the public route ("cf unmap-route"), and allow callers of http://{app}.apps.internal:8080 with "cf add-network-policy".',
        },
      },
    },
    fr: {
      title: 'Route publique pour un service interne',
      message:
        'L’application {app} a une route publique, alors que son nom ou son dossier laisse penser que seuls d’autres modules l’appellent.',
      why: 'Un attaquant sur Internet peut envoyer des requêtes à cette application ; un seul contrôle manquant dans le service suffit alors pour accéder à ses données ou à ses fonctions.',
      fix: 'Définissez "routes: [{ route: {app}.apps.internal }]" sous "parameters" de {app} si seules d’autres applications l’appellent ; faites-leur appeler http://{app}.apps.internal:8080 et autorisez-les avec "cf add-network-policy". Si rien ne l’appelle, définissez plutôt "no-route: true".',
      variants: {
        manifest: {
          fix: 'Définissez "no-route: true" pour {app} si rien ne l’appelle. Si seules d’autres applications l’appellent, définissez "routes: [{ route: {app}.apps.internal }]", retirez la route publique ("cf unmap-route") et autorisez les appelants de http://{app}.apps.internal:8080 avec "cf add-network-policy".',
        },
      },
    },
  }),
})

/** Whether a service's configuration holds an address of this module: `onSubscription: ~{mtx-api/mtx-url}/...`. */
function isCalledBack({ name, node }: Application, mta: Mta): boolean {
  const provided = [name ?? '', ...textsBelow(at(node, 'provides')).map(({ text }) => text)]
  return mta.resources.some((resource) =>
    textsBelow(at(resource.node, 'parameters')).some(({ text }) =>
      provided.some((own) => own !== '' && text.includes(`~{${own}/`)),
    ),
  )
}
