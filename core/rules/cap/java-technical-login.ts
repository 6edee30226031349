import { defineRule, type Rule } from '../rule.ts'
import { technicalLogins } from './_java/technical-logins.ts'
import { exposureOf } from './_model/restricted-exposures.ts'

/**
 * An entity for all users whose handler signs in to another system with the password of a destination and answers with what that user may see.
 * Facts: see `_java/technical-logins.ts`; capire, "Authorization" (`authenticated-user` is each user with a token of the app).
 * Impact: users read rows for which the other system would have asked them; what its user may see is not in the project.
 */
export const javaTechnicalLogin: Rule = defineRule({
  id: 'cap/java-technical-login',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [862, 441],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/authorization#requires',
  on: 'cap-root',
  yieldsTo: ['cap/service-without-auth'],

  *check(root, { reach }) {
    if (root.test) return
    for (const { at, destination, by, service, element } of technicalLogins(root)) {
      const { kind } = element.access ?? service.access
      const exposure = exposureOf(service, element, reach, ['READ'])
      if (kind !== 'authenticated' || exposure.reach !== 'user' || exposure.isDemo === true) continue
      const args = { destination, file: by, entity: `${service.name}.${element.name}` }
      yield { at, args, exposure, groupKey: `${at.file} ${destination}` }
    }
  },

  text: () => ({
    en: {
      title: 'Technical user of a back end behind an entity for all users',
      message:
        'This handler answers {entity}, which any authenticated user may read, with rows of the technical user of the destination "{destination}" (password: {file}).',
      why: 'The back end checks the permissions of its technical user alone, and nothing here checks the caller: each user of the app reads all that the technical user can see.',
      fix: "Require a role with @(requires: '<role>') on {entity}, or add a condition on context.getUserInfo(). Or call the back end as the user, by OAuth2SAMLBearerAssertion or principal propagation.",
    },
    fr: {
      title: 'Utilisateur technique d’un backend derrière une entité ouverte à tous',
      message:
        'Ce gestionnaire répond à {entity}, que tout utilisateur authentifié peut lire, avec les lignes qu’obtient l’utilisateur technique de la destination "{destination}" : {file} prend son mot de passe.',
      why: 'Le backend ne contrôle que les droits de son utilisateur technique, et rien ici ne contrôle ceux de l’appelant : chaque utilisateur lit tout ce que voit l’utilisateur technique.',
      fix: "Exigez un rôle par @(requires: '<rôle>') sur {entity}, ou ajoutez à la requête une condition sur context.getUserInfo(). Ou appelez le backend en tant qu’utilisateur (OAuth2SAMLBearerAssertion, propagation de l’identité).",
    },
  }),
})
