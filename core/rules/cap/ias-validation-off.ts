import { authStrategyOf, keyIn, placeKey } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Validation that a token of SAP Cloud Identity Services belongs to its sender, disabled.
 * Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/ias-auth.js: on routes with a client certificate both are on unless one of them is configured;
 * @sap/xssec 4.15.0, IdentityServiceConfig. With XSUAA they mean nothing.
 * Impact: a stolen token can be used from elsewhere, so another defence has to fail first.
 */
export const iasValidationOff: Rule = defineRule({
  id: 'cap/ias-validation-off',
  impact: 'defence',
  confidence: 'high',
  cwe: [345],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#token-validation',
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const { kind, custom } = authStrategyOf(configuration)
      if (custom || kind !== 'ias') continue
      for (const check of ['x5t', 'proofToken']) {
        const path = ['requires', 'auth', 'config', 'validation', check, 'enabled']
        const setting = configuration.value(...path)
        if (setting === undefined || booleanOf(setting.node) !== false || seen.has(placeKey(setting))) continue
        seen.add(placeKey(setting))
        yield { at: setting.place, args: { key: keyIn(setting, ...path), file: setting.place.file } }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Token validation with client certificates disabled for IAS',
      message:
        '{key} is false in {file}. By default, on routes with a client certificate (.cert), CAP enables the token validations x5t and proofToken.',
      why: 'An attacker who steals a token, or finds it in a log, can use it without the matching client certificate.',
      fix: 'Remove {key} from {file}, or set it to true if all requests come with a client certificate.',
    },
    fr: {
      title: 'Validation des jetons par certificat client désactivée pour IAS',
      message:
        '{key} vaut false dans {file}. Par défaut, sur les routes à certificat client (.cert), CAP active les validations x5t et proofToken des jetons.',
      why: 'Un attaquant qui vole un jeton, ou le trouve dans un journal, peut l’utiliser sans le certificat client correspondant.',
      fix: 'Supprimez {key} de {file}, ou donnez-lui la valeur true si toutes les requêtes présentent un certificat client.',
    },
  }),
})
