import { defineRule, type Rule } from '../rule.ts'

const ACTUATOR = 'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html#actuator.endpoints.exposing'

/** Where @sap/cds-mtx served its functions; @sap/cds-mtxs has none there. */
const OLD_MTX = /^\^?\(?\\?\/?mtx(?![\w-])/i

/** Endpoints that probes and monitors request. */
const HEALTH = /actuator\\?\/(?:health|info)/i

/** Management endpoints of a backend that the approuter exposes to the internet: Spring Boot actuators, services of multitenancy.
 *  Facts: Spring Boot 3 reference, "Exposing Endpoints"; what `cds add multitenancy` writes (`^/-/cds/.*`, whose services check their own tokens) is no
 *  finding; @sap/cds-mtx 2 serves `/mtx/v1`, @sap/cds-mtxs 4.1.0 `/-/cds` alone.
 *  Impact: whoever reaches the route calls management functions. */
export const mtxOrInternalExposed: Rule = defineRule({
  id: 'approuter/mtx-or-internal-exposed',
  impact: 'data',
  // whether the backend serves these endpoints is not in the descriptor
  evidence: 'assumed',
  confidence: 'high',
  cwe: [668],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/mtxs',
  docsByVariant: { actuator: ACTUATOR, actuatorUser: ACTUATOR },
  on: 'approuter',

  *check(approuter, { reach, npm }) {
    const asksFor = (name: string): boolean =>
      npm.packages.some(({ dependencies }) => dependencies.some((it) => it.name === name))
    const isNewMtx = asksFor('@sap/cds-mtxs') && !asksFor('@sap/cds-mtx')
    for (const route of approuter.routes) {
      const { purpose, target, scopes, authenticates, source, rewrite, sourcePlace } = route
      if (purpose !== 'management' || scopes !== undefined || HEALTH.test(source) || HEALTH.test(rewrite ?? '')) continue
      if (isNewMtx && rewrite === undefined && OLD_MTX.test(source)) continue
      if (target.kind !== 'destination' && target.kind !== 'service') continue
      yield {
        at: sourcePlace,
        args: { source, target: target.name },
        exposure: reach.ofRoute(approuter, route),
        ...withVariant(authenticates, /actuator/i.test(`${source} ${rewrite ?? ''}`)),
        groupKey: `${source} ${target.name}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Management endpoints exposed without authentication',
      message: 'Route "{source}" exposes management endpoints of the backend {target} without authentication.',
      why: 'Unauthenticated attackers can call these functions, which manage tenants or their extensions, unless the backend checks the caller itself.',
      fix: 'Remove route "{source}" from xs-app.json. Administrators and tools that need these endpoints can call them at the URL of the backend.',
      variants: {
        actuator: {
          why: 'If the backend exposes endpoints such as env or heapdump without checking the caller, unauthenticated attackers can read its configuration and memory, including tokens and passwords.',
          fix: 'Remove route "{source}" from xs-app.json: the platform can check the health of the backend directly. If a health check has to pass through the approuter, route only the path of the health endpoint.',
        },
        user: {
          title: 'Management endpoints exposed to all users',
          message: 'Route "{source}" exposes management endpoints of the backend {target} to every authenticated user.',
          why: 'Any authenticated user can call these functions, which manage tenants or their extensions, unless the backend checks the caller itself.',
        },
        actuatorUser: {
          title: 'Management endpoints exposed to all users',
          message: 'Route "{source}" exposes management endpoints of the backend {target} to every authenticated user.',
          why: 'If the backend exposes endpoints such as env or heapdump without checking the caller, any authenticated user can read its configuration and memory, including tokens and passwords.',
          fix: 'Remove route "{source}" from xs-app.json: the platform can check the health of the backend directly. If a health check has to pass through the approuter, route only the path of the health endpoint.',
        },
      },
    },
    fr: {
      title: 'Points de terminaison d’administration exposés sans authentification',
      message: 'La route "{source}" expose des points de terminaison d’administration du backend {target} sans authentification.',
      why: 'Un attaquant non authentifié peut appeler ces fonctions, qui gèrent les locataires ou leurs extensions, si le backend ne vérifie pas lui-même les autorisations de l’appelant.',
      fix: 'Supprimez la route "{source}" de xs-app.json. Les administrateurs et les outils qui ont besoin de ces points de terminaison peuvent les appeler à l’URL du backend.',
      variants: {
        actuator: {
          why: 'Si le backend expose des points de terminaison comme env ou heapdump sans vérifier les autorisations de l’appelant, un attaquant non authentifié peut lire la configuration et la mémoire du backend, y compris des jetons et des mots de passe.',
          fix: 'Supprimez la route "{source}" de xs-app.json : la plateforme peut vérifier directement l’état du backend. Si une vérification d’état doit passer par l’approuter, ne routez que le chemin du point de terminaison health.',
        },
        user: {
          title: 'Points de terminaison d’administration exposés à tous les utilisateurs',
          message:
            'La route "{source}" expose des points de terminaison d’administration du backend {target} à tout utilisateur authentifié.',
          why: 'Tout utilisateur authentifié peut appeler ces fonctions, qui gèrent les locataires ou leurs extensions, si le backend ne vérifie pas lui-même les autorisations de l’appelant.',
        },
        actuatorUser: {
          title: 'Points de terminaison d’administration exposés à tous les utilisateurs',
          message:
            'La route "{source}" expose des points de terminaison d’administration du backend {target} à tout utilisateur authentifié.',
          why: 'Si le backend expose des points de terminaison comme env ou heapdump sans vérifier les autorisations de l’appelant, tout utilisateur authentifié peut lire la configuration et la mémoire du backend, y compris des jetons et des mots de passe.',
          fix: 'Supprimez la route "{source}" de xs-app.json : la plateforme peut vérifier directement l’état du backend. Si une vérification d’état doit passer par l’approuter, ne routez que le chemin du point de terminaison health.',
        },
      },
    },
  }),
})

function withVariant(isOfUsers: boolean, isActuator: boolean): { readonly variant?: string } {
  if (isActuator) return { variant: isOfUsers ? 'actuatorUser' : 'actuator' }
  return isOfUsers ? { variant: 'user' } : {}
}
