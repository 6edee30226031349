import { authStrategyOf, keyIn, placeKey } from '../../model/cap/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Checks that a token of IAS is in the hands of the one it was given to, switched off on purpose.
 *  Facts: @sap/cds 9.9.3, lib/srv/middlewares/auth/ias-auth.js: on routes with a client certificate both are on unless one of them is configured;
 *  @sap/xssec 4.15.0, IdentityServiceConfig. With XSUAA they mean nothing. */
export const iasValidationOff: Rule = defineRule({
  id: 'cap/ias-validation-off',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [345],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
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

  text: {
    en: {
      title: 'Tokens of IAS are not bound to their owner',
      message: '{key} is false in {file}: CAP would check it by itself on routes with a client certificate.',
      why: 'A token that was stolen or logged somewhere is then accepted from anybody, also for other consumers of the same tenant.',
      fix: 'Remove {key}, or write true.',
    },
    fr: {
      title: 'Les jetons d’IAS ne sont pas liés à leur détenteur',
      message: '{key} vaut false dans {file} : CAP ferait de lui-même cette vérification sur les routes à certificat client.',
      why: 'Un jeton volé ou trouvé dans un journal est alors accepté de n’importe qui, même pour d’autres consommateurs du même client.',
      fix: 'Supprimez {key}, ou écrivez true.',
    },
  },
})
