import { isSet, placeOf, versionWithin } from '../../model/approuter/index.ts'
import { at, booleanOf, stringOf } from '../../parse/data.ts'
import { unsetCommand, usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A login without the OAuth state parameter, which protects against login CSRF, or without PKCE.
 *  Facts: @sap/approuter 23.0.0 README, "stateProtection", STATE_PARAMETER_SECRET, PKCE_ENABLED; changelog of 23.0.0: on by default since then.
 *  Impact: login CSRF: users work in a session of the attacker; PKCE is a second defence beside the client secret. */
export const stateProtectionOff: Rule = defineRule({
  id: 'approuter/state-protection-off',
  impact: 'bounded',
  reach: 'anyone',
  grades: {
    pkce: { impact: 'defence' },
    // the lock file or a later deployment may have a newer version
    old: { evidence: 'assumed' },
  },
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
        ...usageOf(approuter),
      }
    const secrets = environment.settings('STATE_PARAMETER_SECRET')
    for (const setting of secrets) {
      if (!isSet(setting, false) && stringOf(setting.value) !== '') continue
      const value = stringOf(setting.value) === '' ? '""' : 'false'
      const args = { setting: setting.name, value, unset: unsetCommand(setting) }
      yield { at: setting.place, args, ...usageOf(setting), variant: 'environment' }
    }
    for (const setting of environment.settings('PKCE_ENABLED')) {
      if (isSet(setting, false))
        yield {
          at: setting.place,
          args: { setting: setting.name, value: 'false', unset: unsetCommand(setting) },
          variant: 'pkce',
        }
    }
    const isOld = versionWithin(approuter, '<23.0.0') === true
    const authenticates = approuter.routes.some((route) => route.authenticates)
    const [deployment] = environment.deployments
    if (!isOld || !authenticates || secrets.length > 0 || deployment === undefined) return
    yield {
      at: deployment.place,
      args: { setting: 'STATE_PARAMETER_SECRET', value: manifest?.version ?? '' },
      confidence: 'medium',
      variant: 'old',
    }
  },

  text: () => ({
    en: {
      title: 'Login CSRF: OAuth state parameter disabled',
      message: '{setting} is {value}: the login uses neither an OAuth state parameter nor PKCE.',
      why: 'An attacker can make a user complete a login that the attacker began. The user then works in the attacker’s account, so the attacker can read what the user enters.',
      fix: 'Remove {setting} from xs-app.json. Before @sap/approuter 23.0.0, the protection is off by default: also update the approuter, or set STATE_PARAMETER_SECRET to a random secret.',
      variants: {
        environment: {
          fix: 'Remove {setting} if you use @sap/approuter 23.0.0 or later, where the protection is on by default{unset}. With an older version, set {setting} to a random secret.',
        },
        pkce: {
          title: 'PKCE disabled for the login',
          message: 'PKCE_ENABLED is false: the login uses the authorization code flow without PKCE.',
          why: 'An attacker who steals an authorization code can redeem it through the approuter and log in as the user.',
          fix: 'Remove PKCE_ENABLED from the approuter’s environment{unset}.',
        },
        old: {
          title: 'Login CSRF: no OAuth state parameter by default',
          message:
            '@sap/approuter {value} sends an OAuth state parameter only if {setting} is set, and no descriptor of the project sets it.',
          fix: 'Update @sap/approuter to 23.0.0 or later in package.json, or set {setting} to a random secret in the approuter’s environment.',
        },
      },
    },
    fr: {
      title: 'CSRF de connexion : paramètre OAuth state désactivé',
      message: '{setting} vaut {value} : la connexion n’utilise ni paramètre OAuth state ni PKCE.',
      why: 'Un attaquant peut amener un utilisateur à terminer une connexion que l’attaquant a commencée. L’utilisateur travaille alors dans le compte de l’attaquant, qui peut lire ses saisies.',
      fix: 'Supprimez {setting} de xs-app.json. Avant @sap/approuter 23.0.0, la protection est désactivée par défaut : mettez aussi l’approuter à jour, ou donnez un secret aléatoire à STATE_PARAMETER_SECRET.',
      variants: {
        environment: {
          fix: 'Supprimez {setting} si vous utilisez @sap/approuter 23.0.0 ou plus récent, où la protection est active par défaut{unset}. Avec une version antérieure, donnez à {setting} un secret aléatoire.',
        },
        pkce: {
          title: 'PKCE désactivé pour la connexion',
          message: 'PKCE_ENABLED vaut false : la connexion utilise le flux par code d’autorisation sans PKCE.',
          why: 'Un attaquant qui vole un code d’autorisation peut l’échanger au moyen de l’approuter et se connecter à la place de l’utilisateur.',
          fix: 'Supprimez PKCE_ENABLED de l’environnement de l’approuter{unset}.',
        },
        old: {
          title: 'CSRF de connexion : pas de paramètre OAuth state par défaut',
          message:
            '@sap/approuter {value} n’envoie un paramètre OAuth state que si {setting} est défini, et aucun descripteur du projet ne le définit.',
          fix: 'Passez à @sap/approuter 23.0.0 ou plus récent dans package.json, ou donnez un secret aléatoire à {setting} dans l’environnement de l’approuter.',
        },
      },
    },
  }),
})
