import { textsBelow, type Application, type Mta } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What works for other modules of the same MTA, by its package or its name. */
const INTERNAL_NAME = /(?:^|[-_.])(?:worker|workers|sidecar|mtx|batch|internal)(?:$|[-_.])/i

/** A module that only others of the same MTA call, on a route of its own.
 *  Facts: Cloud Foundry, "Container-to-container networking" (apps.internal); capire, "MTX Services Reference". */
export const internalServicePublicRoute: Rule = defineRule({
  id: 'btp/internal-service-public-route',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection',
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
      if (mtas.some((mta) => mta.file === application.file && isCalledBack(application, mta))) continue
      yield { at: placeOf(placed), args: { app: name } }
    }
  },

  text: {
    en: {
      title: 'An internal service has a public route',
      message: '{app} has a public route, though only other modules use it.',
      why: 'Every request from the internet reaches it: one gap in its own checks is enough, where no route would have kept everybody out.',
      fix: 'Give {app} a route in apps.internal and a network policy, or "no-route: true".',
    },
    fr: {
      title: 'Un service interne a une route publique',
      message: '{app} a une route publique, alors que seuls d’autres modules l’utilisent.',
      why: 'Toute requête d’Internet l’atteint : une faille dans ses propres contrôles suffit, là où l’absence de route aurait écarté tout le monde.',
      fix: 'Donnez à {app} une route dans apps.internal et une règle réseau, ou « no-route: true ».',
    },
  },
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
