import { defineRule, type Rule } from '../rule.ts'
import {
  createAnswers,
  createLoginGuardReader,
  entityWords,
  isOrganisation,
  openElements,
  personalKind,
  servedServices,
  toWords,
  type CapElement,
} from '../../model/cap/index.ts'
import { listElements } from './_matches.ts'
import { gradeOpen } from './_model/open-services.ts'

/**
 * A service that is declared public and can be written to, or read.
 * Facts: capire, "CAP Users", pseudo roles; @sap/cds 9.9.3, lib/srv/protocols/http.js.
 * Impact: unauthenticated writing, though the author declared the service public: entities without any condition are hardly meant; actions are offered, and
 * catalogues can be read by everybody, but hardly how to reach people, or from where they came; that is told by names of elements alone. Behind a middleware that verifies
 * tokens no caller is unknown, so of what is public on purpose there is no more than users may see.
 */
export const servicePublicAny: Rule = defineRule({
  id: 'cap/service-public-any',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [306],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/cap-users#pseudo-roles',
  on: 'cap-root',

  *check(root, project) {
    const isBehindLogin = createLoginGuardReader(root)
    const answers = createAnswers(root, project.npm)
    for (const service of servedServices(root)) {
      const { access, name } = service
      if (access.kind !== 'public') continue
      const isForUsers = isBehindLogin(service)
      const open = answers.of(service, openElements(service))
      const written = open.filter(({ writable }) => writable)
      if (!written.some(({ kind }) => kind === 'entity'))
        for (const element of open) {
          const members = personalMembers(element)
          if (members.length === 0) continue
          const exposure = project.reach.ofService(service)
          yield {
            at: element.place,
            args: { service: name, elements: element.name, members: listElements(members) },
            variant: isForUsers ? 'personalForUsers' : 'personal',
            ...(isForUsers && { evidence: 'shown' as const }),
            exposure,
          }
        }
      const said = written.length > 0 ? written : open.filter((element) => personalMembers(element).length === 0)
      if (said.length === 0) continue
      const args = { service: name, elements: listElements(said.map((element) => element.name)) }
      const isOffered = written.length > 0 && written.every(({ kind }) => kind === 'action')
      const grade = isOffered
        ? ({ impact: 'bounded', evidence: 'shown', exposure: project.reach.ofService(service) } as const)
        : gradeOpen(service, said, { root, reach: project.reach, answers })
      const variant = isForUsers ? 'users' : written.length === 0 ? 'readonly' : undefined
      yield { at: access.place, args, ...grade, ...(variant !== undefined && { variant }) }
    }
  },

  text: () => ({
    en: {
      title: 'Unauthenticated write access to a public service',
      message: "Service {service} has @requires: 'any', and no other restriction applies to {elements:and}.",
      why: 'An unauthenticated attacker can send requests that change data, and these changes cannot be attributed to a user.',
      fix: "Replace 'any' on {service} with a role or 'authenticated-user'. If {service} is a public catalogue, add @readonly to its entities and @requires: '<role>' to its actions, and suppress the finding that then remains for read access.",
      variants: {
        readonly: {
          title: 'Service readable without authentication',
          message: "Service {service} has @requires: 'any': unauthenticated callers can read {elements:and}.",
          why: 'If this data is not meant to be public, an unauthenticated attacker can obtain all of it.',
          fix: "Replace 'any' on {service} with a role or 'authenticated-user' if the data is not public; otherwise, suppress this finding.",
        },
        personal: {
          title: 'Personal data readable without authentication',
          message:
            "Service {service} has @requires: 'any': unauthenticated callers can read {elements}, including {members:and}.",
          why: 'An unauthenticated attacker can read the personal data of all users.',
          fix: "Annotate {elements} with @requires: '<role>', or remove {members:and} from it.",
        },
        users: {
          title: 'Public CAP service protected by a middleware only',
          message:
            "Service {service} has @requires: 'any', and no role is required for {elements:and}. A middleware of the project demands a verified token.",
          why: 'Every authenticated user has access, and if the middleware is changed or bypassed, so does an unauthenticated attacker.',
          fix: "Replace 'any' on {service} with a role or 'authenticated-user', and let the authentication of CAP verify the token (cds.requires.auth).",
        },
        personalForUsers: {
          title: 'Personal data readable by any authenticated user',
          message:
            "Service {service} has @requires: 'any': every user whose token the middleware accepts can read {elements}, including {members:and}.",
          why: 'Every authenticated user can read the personal data of all users.',
          fix: "Annotate {elements} with @requires: '<role>', or remove {members:and} from it.",
        },
      },
    },
    fr: {
      title: 'Accès en écriture sans authentification à un service public',
      message: "Le service {service} porte @requires: 'any', et aucune autre restriction ne s’applique à {elements:et}.",
      why: 'Un attaquant non authentifié peut envoyer des requêtes qui modifient des données, et ces modifications ne peuvent être attribuées à aucun utilisateur.',
      fix: "Remplacez 'any' sur {service} par un rôle ou 'authenticated-user'. Si {service} est un catalogue public, ajoutez @readonly à ses entités et @requires: '<rôle>' à ses actions, et masquez le constat qui subsiste pour la lecture.",
      variants: {
        readonly: {
          title: 'Service lisible sans authentification',
          message: "Le service {service} porte @requires: 'any' : des appelants non authentifiés peuvent lire {elements:et}.",
          why: 'Si ces données ne sont pas censées être publiques, un attaquant non authentifié peut toutes les obtenir.',
          fix: "Remplacez 'any' sur {service} par un rôle ou 'authenticated-user' si les données ne sont pas publiques ; sinon, masquez ce constat.",
        },
        personal: {
          title: 'Données personnelles lisibles sans authentification',
          message:
            "Le service {service} porte @requires: 'any' : des appelants non authentifiés peuvent lire {elements}, dont {members:et}.",
          why: 'Un attaquant non authentifié peut lire les données personnelles de tous les utilisateurs.',
          fix: "Annotez {elements} avec @requires: '<rôle>', ou retirez-en {members:et}.",
        },
        users: {
          title: 'Service CAP public protégé par un seul middleware',
          message:
            "Le service {service} porte @requires: 'any' , et aucun rôle n’est exigé pour {elements:et}. Un middleware du projet exige un jeton vérifié.",
          why: 'Tout utilisateur authentifié y a accès et, si le middleware est modifié ou contourné, un attaquant non authentifié aussi.',
          fix: "Remplacez 'any' sur {service} par un rôle ou 'authenticated-user', et confiez la vérification du jeton à l’authentification de CAP (cds.requires.auth).",
        },
        personalForUsers: {
          title: 'Données personnelles lisibles par tout utilisateur authentifié',
          message:
            "Le service {service} porte @requires: 'any' : tout utilisateur dont le middleware accepte le jeton peut lire {elements}, dont {members:et}.",
          why: 'Tout utilisateur authentifié peut lire les données personnelles de tous les utilisateurs.',
          fix: "Annotez {elements} avec @requires: '<rôle>', ou retirez-en {members:et}.",
        },
      },
    },
  }),
})

/** Where somebody connected from. */
const TRACES = /^(?:client |remote |user )?ip(?: address)?$|^user agent$/

/** Elements of rows that clients only read which tell how to reach, pay or trace a person. */
function personalMembers(element: CapElement): readonly string[] {
  if (element.kind !== 'entity' || element.writable || isOrganisation(entityWords(element.name))) return []
  return element.members().flatMap((member) => {
    const kind = personalKind(member)
    return (kind !== undefined && kind !== 'name') || TRACES.test(toWords(member.name)) ? [member.name] : []
  })
}
