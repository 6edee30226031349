import { at, booleanOf } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const INSECURE: readonly (readonly [string, boolean])[] = [
  ['rejectUnauthorized', false],
  ['skipCertHostnameValidation', true],
]

/** The external store of the sessions is reached over TLS that trusts any certificate.
 *  Facts: @sap/approuter 23.0.0 README, "External Session Management" (EXT_SESSION_MGT). */
export const sessionStoreInsecure: Rule = defineRule({
  id: 'approuter/session-store-insecure',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#external-session-management',
  on: 'approuter',

  *check(approuter) {
    for (const setting of approuter.environment.settings('EXT_SESSION_MGT')) {
      for (const [key, bad] of INSECURE) {
        const node = at(setting.value, key)
        if (node === undefined || booleanOf(node) !== bad) continue
        const args = { key, value: String(bad) }
        yield { at: setting.placeOf(node), args, severity: gradeSetting(setting, 'HIGH'), key }
        // one weakness, however many keys say so
        break
      }
    }
  },

  text: {
    en: {
      title: 'The session store is not authenticated',
      message: 'EXT_SESSION_MGT has "{key}": {value}: whoever is between the approuter and the session store may pass for it.',
      why: 'Whoever stands between approuter and store reads and forges the sessions of all users, their tokens included.',
      fix: 'Remove "{key}". Where the store has a certificate of its own, give the approuter its authority instead.',
    },
    fr: {
      title: 'Le stockage des sessions n’est pas authentifié',
      message:
        'EXT_SESSION_MGT contient « "{key}": {value} » : quiconque se trouve entre l’approuter et le stockage des sessions peut se faire passer pour lui.',
      why: 'Qui se place entre l’approuter et le stockage lit et falsifie les sessions de tous les utilisateurs, jetons compris.',
      fix: 'Supprimez « "{key}" ». Si le stockage a son propre certificat, donnez plutôt son autorité à l’approuter.',
    },
  },
})
