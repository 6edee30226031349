import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { cdsWithin, keyIn, productionSettings } from '../../model/cap/index.ts'

/** `before`: versions that did not have the check. */
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

/**
 * A compatibility flag that disables a check which a version of @sap/cds introduced.
 * Facts: change logs of @sap/cds 8.9.10, 9.9.3 and 10.1.1, and where their code reads the flag; read 2026-11.
 * Impact: none by itself; it restores the behaviour of an older version, a choice that somebody should have made knowingly.
 */
export const compatFlagWeakens: Rule = defineRule({
  id: 'cap/compat-flag-weakens',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/releases/2025/may25#service-level-restrictions',
  docsByVariant: { scope: 'https://cap.cloud.sap/docs/releases/2025/changelog' },
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

  text: () => ({
    en: {
      title: 'Authorization check disabled by a compatibility flag',
      message:
        '{key} is {value} in {file}: calls between services of the application are no longer checked against the @requires of the called service.',
      why: 'If a handler forwards requests to a restricted service, an attacker without the role can access its data through a less restricted one.',
      fix: 'Remove {key} from {file}. If an internal call that should be allowed then fails, make only this call as the privileged user: srv.tx({ user: cds.User.privileged }, tx => …).',
      variants: {
        scope: {
          message: '{key} is {value} in {file}: a service accepts queries on entities that it does not expose.',
          why: 'If a handler forwards a query that a client wrote, an attacker can read entities deliberately excluded from the service, bypassing their restrictions.',
          fix: 'Remove {key} from {file}. If a query is then rejected, run it on the service that exposes the entity.',
        },
      },
    },
    fr: {
      title: 'Contrôle d’autorisation désactivé par une option de compatibilité',
      message:
        '{key} vaut {value} dans {file} : les appels entre services de l’application ne sont plus vérifiés selon le @requires du service appelé.',
      why: 'Si un gestionnaire transmet des requêtes à un service restreint, un attaquant sans le rôle requis peut accéder aux données de ce service en passant par un service moins restreint.',
      fix: 'Supprimez {key} de {file}. Si un appel interne légitime échoue alors, exécutez ce seul appel avec l’utilisateur privilégié : srv.tx({ user: cds.User.privileged }, tx => …).',
      variants: {
        scope: {
          message: '{key} vaut {value} dans {file} : un service accepte des requêtes sur des entités qu’il n’expose pas.',
          why: 'Si un gestionnaire transmet une requête écrite par un client, un attaquant peut lire des entités volontairement exclues du service, en contournant leurs restrictions.',
          fix: 'Supprimez {key} de {file}. Si une requête est alors rejetée, adressez-la au service qui expose l’entité.',
        },
      },
    },
  }),
})
