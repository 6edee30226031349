import { isSet, placeOf, versionWithin } from '../../model/approuter/index.ts'
import { at, booleanOf, stringOf } from '../../parse/data.ts'
import { gradeDescriptor, gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The login of the approuter without its protection against forged callbacks: OAuth state, and PKCE on top of it.
 *  Facts: @sap/approuter 23.0.0 README, "stateProtection", STATE_PARAMETER_SECRET, PKCE_ENABLED; changelog of 23.0.0: on by default since then. */
export const stateProtectionOff: Rule = defineRule({
  id: 'approuter/state-protection-off',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#stateprotection-property',
  on: 'approuter',

  *check(approuter) {
    const { file, root, environment, manifest } = approuter
    const protection = at(root, 'stateProtection')
    if (booleanOf(protection) === false && protection !== undefined)
      yield {
        at: placeOf(file, protection),
        args: { setting: 'stateProtection', value: 'false' },
        severity: gradeDescriptor(approuter, 'HIGH'),
      }
    const secrets = environment.settings('STATE_PARAMETER_SECRET')
    for (const setting of secrets) {
      if (!isSet(setting, false) && stringOf(setting.value) !== '') continue
      const args = { setting: setting.name, value: stringOf(setting.value) === '' ? '""' : 'false' }
      yield { at: setting.place, args, severity: gradeSetting(setting, 'HIGH') }
    }
    for (const setting of environment.settings('PKCE_ENABLED')) {
      if (isSet(setting, false))
        yield { at: setting.place, args: { setting: setting.name, value: 'false' }, severity: 'LOW', variant: 'pkce' }
    }
    const isOld = versionWithin(approuter, '<23.0.0') === true
    const asksForLogin = approuter.routes.some(({ authenticates }) => authenticates)
    const [deployment] = environment.deployments
    if (!isOld || !asksForLogin || secrets.length > 0 || deployment === undefined) return
    yield {
      at: deployment.place,
      args: { setting: 'STATE_PARAMETER_SECRET', value: manifest?.version ?? '' },
      severity: 'MEDIUM',
      confidence: 'medium',
      variant: 'old',
    }
  },

  text: {
    en: {
      title: 'The login accepts callbacks that it never asked for',
      message: '{setting} is {value}: the login sends no state parameter, and PKCE is off with it.',
      why: 'An attacker lets a user finish a login that the attacker began: what the user then enters ends up in the account of the attacker, or his authorization code is used.',
      fix: 'Remove {setting}: state and PKCE are on by default since @sap/approuter 23.0.0; before, set STATE_PARAMETER_SECRET to a secret.',
      variants: {
        pkce: {
          title: 'PKCE is off in the login',
          message: 'PKCE_ENABLED is false: an authorization code can be redeemed by whoever gets hold of it.',
          why: 'A stolen authorization code is enough to log in as its user, as far as the client secret does not stop it.',
          fix: 'Remove PKCE_ENABLED.',
        },
        old: {
          title: 'The login has no state parameter by default in this version',
          message:
            '@sap/approuter {value} sends no state parameter unless STATE_PARAMETER_SECRET is set, and no descriptor of the project sets it.',
          fix: 'Update @sap/approuter to 23.0.0 or later, or set STATE_PARAMETER_SECRET where it is deployed.',
        },
      },
    },
    fr: {
      title: 'La connexion accepte des retours qu’elle n’a jamais demandés',
      message: '{setting} vaut {value} : la connexion n’envoie pas de paramètre state, et PKCE est désactivé avec lui.',
      why: 'Un attaquant fait terminer à un utilisateur une connexion qu’il a lui-même commencée : ce que l’utilisateur saisit ensuite arrive dans le compte de l’attaquant.',
      fix: 'Supprimez {setting} : state et PKCE sont actifs par défaut depuis @sap/approuter 23.0.0 ; avant, donnez un secret à STATE_PARAMETER_SECRET.',
      variants: {
        pkce: {
          title: 'PKCE est désactivé dans la connexion',
          message: 'PKCE_ENABLED vaut false : quiconque obtient un code d’autorisation peut l’échanger.',
          why: 'Un code d’autorisation volé suffit pour se connecter à la place de son utilisateur, sauf si le secret du client l’empêche.',
          fix: 'Supprimez PKCE_ENABLED.',
        },
        old: {
          title: 'Dans cette version, la connexion n’a pas de paramètre state par défaut',
          message:
            '@sap/approuter {value} n’envoie pas de paramètre state sans STATE_PARAMETER_SECRET, et aucun descripteur du projet ne le définit.',
          fix: 'Passez à @sap/approuter 23.0.0 ou plus récent, ou définissez STATE_PARAMETER_SECRET là où il est déployé.',
        },
      },
    },
  },
})
