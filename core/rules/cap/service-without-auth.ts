import {
  authStrategyOf,
  effectiveConfiguration,
  hasPolicies,
  isEmptyRestriction,
  isForDevelopment,
  openElements,
  roleChecks,
  servedServices,
  uncheckedInCode,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { listNames } from './_matches.ts'
import { misspeltAnnotation } from '../../model/authorization/index.ts'

/** A service of which something may be called although nobody said by whom.
 *  Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js (the default in production); capire, "Migration", CAP Java 4 to 5 (model-relaxed). */
export const serviceWithoutAuth: Rule = defineRule({
  id: 'cap/service-without-auth',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [862],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authentication#model-auth',
  on: 'cap-root',
  extracts: [roleChecks],

  *check(root) {
    const isGuarded = hasPolicies(root)
    for (const service of servedServices(root)) {
      const { access, place, name, annotations } = service
      if (access.kind !== 'default-authenticated' && access.kind !== 'default-public' && access.kind !== 'default-unknown')
        continue
      const open = openElements(service)
      // what names nobody is the finding of cap/empty-restriction, a word that CAP does not know that of cap/restrict-misspelled
      if (open.length === 0 || isEmptyRestriction(annotations) || isForOtherRule(service)) continue
      if (misspeltAnnotation(annotations) !== undefined) continue
      const unchecked = isGuarded ? [] : uncheckedInCode(root, service, open)
      const said = unchecked.length === 0 ? open : unchecked
      const args = { service: name, elements: listNames(said.map((element) => element.name)) }
      yield { at: place, args, ...(unchecked.length === 0 ? GUARDED : gradeOf(root, service, unchecked)) }
    }
  },

  text: {
    en: {
      title: 'A service is open to every user, whatever their role',
      message: 'Nothing says who may call {elements} of the service {service}: any authenticated user of any role may.',
      why: 'The login is asked for by default, but not more: every colleague, and every technical user with a token for the application, reads and changes what stands behind it.',
      fix: "Write who may call it: annotate {service} with @(requires: '<role>'), or @restrict on {elements}. If every user is meant, say so with 'authenticated-user'.",
      variants: {
        readonly: {
          why: 'The login is asked for by default, but not more: every colleague, and every technical user with a token for the application, reads what stands behind it.',
        },
        public: {
          title: 'A service is open to anybody',
          message:
            'Nothing says who may call {elements} of the service {service}, and with this version and configuration of CAP that means anybody, without a login.',
          why: 'Whoever reaches the application over the network reads what stands behind it, and changes it where it can be written.',
        },
        unknown: {
          title: 'A service declares nobody who may call it',
          message:
            'Nothing says who may call {elements} of the service {service}: any authenticated user may, and from CAP Java 5 on anybody without a login.',
          why: 'Which of both holds is decided by the version of CAP alone: an upgrade opens the service without a line changed.',
        },
        handler: {
          title: 'A service is guarded by its code only',
          message:
            'Nothing in the model says who may call {elements} of the service {service}; a handler or a policy seems to decide.',
          why: 'What guards in code has to be right for each event and each path to it; what the model says holds for all of them.',
        },
      },
    },
    fr: {
      title: 'Un service est ouvert à tout utilisateur, quel que soit son rôle',
      message:
        'Rien ne dit qui peut appeler {elements} du service {service} : tout utilisateur authentifié, quel que soit son rôle.',
      why: 'La connexion est exigée par défaut, mais rien de plus : chaque collègue et chaque utilisateur technique muni d’un jeton pour l’application lit et modifie ce qui se trouve derrière.',
      fix: "Écrivez qui peut l’appeler : annotate {service} with @(requires: '<rôle>'), ou @restrict sur {elements}. Si tous sont visés, dites-le avec 'authenticated-user'.",
      variants: {
        readonly: {
          why: 'La connexion est exigée par défaut, mais rien de plus : chaque collègue et chaque utilisateur technique muni d’un jeton pour l’application lit ce qui se trouve derrière.',
        },
        public: {
          title: 'Un service est ouvert à n’importe qui',
          message:
            'Rien ne dit qui peut appeler {elements} du service {service}, et avec cette version et cette configuration de CAP cela signifie n’importe qui, sans connexion.',
          why: 'Quiconque atteint l’application par le réseau lit ce qui se trouve derrière, et le modifie là où l’écriture est possible.',
        },
        unknown: {
          title: 'Un service ne déclare personne qui puisse l’appeler',
          message:
            'Rien ne dit qui peut appeler {elements} du service {service} : tout utilisateur authentifié, et à partir de CAP Java 5 n’importe qui sans connexion.',
          why: 'Seule la version de CAP décide entre les deux : une mise à niveau ouvre le service sans qu’une ligne change.',
        },
        handler: {
          title: 'Un service n’est protégé que par son code',
          message:
            'Rien dans le modèle ne dit qui peut appeler {elements} du service {service} ; un handler ou une politique semble en décider.',
          why: 'Ce que le code protège doit être juste pour chaque événement et chaque chemin ; ce que dit le modèle vaut pour tous.',
        },
      },
    },
  },
})

/** What is served by nothing else is the finding of cap/mcp-exposed and cap/websocket-unauthenticated. */
function isForOtherRule({ endpoints }: CapService): boolean {
  return endpoints.length > 0 && endpoints.every(({ kind }) => kind === 'mcp' || kind === 'ws' || kind === 'websocket')
}

const GUARDED: Pick<Match, 'severity' | 'variant' | 'confidence'> = { severity: 'INFO', variant: 'handler', confidence: 'low' }

function gradeOf(root: CapRoot, { access }: CapService, open: readonly CapElement[]): Pick<Match, 'severity' | 'variant'> {
  const canWrite = open.some(({ writable }) => writable)
  if (access.kind === 'default-public' && !isForDemonstration(root))
    return { severity: canWrite ? 'CRITICAL' : 'HIGH', variant: 'public' }
  if (access.kind === 'default-unknown') return { variant: 'unknown' }
  return canWrite ? {} : { severity: 'LOW', variant: 'readonly' }
}

/** Users for development in every profile: cap/auth-kind-non-production says that the login is missing. */
function isForDemonstration(root: CapRoot): boolean {
  if (root.runtime === 'java') return false
  const { kind, custom } = authStrategyOf(effectiveConfiguration(root, ['production']))
  return !custom && kind !== undefined && isForDevelopment(kind)
}
