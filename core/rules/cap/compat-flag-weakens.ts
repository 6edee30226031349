import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { cdsWithin, keyIn, productionSettings } from '../../model/cap/index.ts'

/** A switch that takes back a check which a version of @sap/cds brought; `before`: versions that did not have it. */
const SWITCHES: readonly {
  readonly name: string
  readonly value: boolean
  readonly before: string
  readonly variant?: string
}[] = [
  // 9.0.0 "Changed"; libx/_runtime/common/generic/auth/index.js
  { name: 'service_level_restrictions', value: false, before: '<9.0.0-0' },
  // 8.9.0 "Changed"; libx/_runtime/common/utils/resolveView.js
  { name: 'restrict_service_scope', value: false, before: '<8.9.0-0', variant: 'scope' },
]

/** Facts: change logs of @sap/cds 8.9.10, 9.9.3 and 10.1.1, and where their code asks for the switch; read 2026-11. */
export const compatFlagWeakens: Rule = defineRule({
  id: 'cap/compat-flag-weakens',
  severity: 'INFO',
  confidence: 'low',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/releases/',
  on: 'cap-root',

  *check(root, { npm }) {
    for (const { name, value, before, variant } of SWITCHES) {
      if (cdsWithin(root, npm, before)) continue
      for (const setting of productionSettings(root, 'features', name)) {
        if (booleanOf(setting.node) !== value) continue
        const args = { key: keyIn(setting, 'features', name), value: String(value), file: setting.place.file }
        yield { at: setting.place, args, ...(variant !== undefined && { variant }) }
      }
    }
  },

  text: {
    en: {
      title: 'A compatibility switch takes back a check',
      message:
        '{key} is {value} in {file}: calls from within the application no longer ask for the roles that a service requires.',
      why: 'A service that is open to many then gives them, by its handlers, what another one reserves for a role.',
      fix: 'Remove {key}, and call such services as a privileged user where that is meant.',
      variants: {
        scope: {
          message: '{key} is {value} in {file}: a service takes queries on entities that it does not expose.',
          why: 'A handler that passes a query on reaches what was left out of the service on purpose, past its restrictions.',
          fix: 'Remove {key}, and send such queries to the service that exposes the entity.',
        },
      },
    },
    fr: {
      title: 'Un commutateur de compatibilité retire une vérification',
      message:
        '{key} vaut {value} dans {file} : les appels internes à l’application n’exigent plus les rôles qu’un service demande.',
      why: 'Un service ouvert à beaucoup leur donne alors, par ses gestionnaires, ce qu’un autre réserve à un rôle.',
      fix: 'Supprimez {key}, et appelez ces services comme utilisateur privilégié là où c’est voulu.',
      variants: {
        scope: {
          message: '{key} vaut {value} dans {file} : un service accepte des requêtes sur des entités qu’il n’expose pas.',
          why: 'Un gestionnaire qui transmet une requête atteint ce qui a été exclu du service à dessein, sans ses restrictions.',
          fix: 'Supprimez {key}, et adressez ces requêtes au service qui expose l’entité.',
        },
      },
    },
  },
})
