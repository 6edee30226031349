import { numberIn } from '../../model/approuter/index.ts'
import { isSetByCommand, unsetCommand } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

const DEFAULTS: readonly (readonly [string, number])[] = [
  ['INCOMING_CONNECTION_TIMEOUT', 120_000],
  ['INCOMING_REQUEST_TIMEOUT', 300_000],
]

/** Disabled timeouts of the approuter for slow clients.
 *  Facts: @sap/approuter 23.0.0 README, INCOMING_CONNECTION_TIMEOUT (2 minutes by default), INCOMING_REQUEST_TIMEOUT (5 minutes).
 *  Impact: denial of service alone, behind the router of the platform. */
export const timeoutsDisabled: Rule = defineRule({
  id: 'approuter/timeouts-disabled',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [400],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    for (const [name, milliseconds] of DEFAULTS) {
      for (const setting of approuter.environment.settings(name)) {
        if (setting.deployed && numberIn(setting) === 0)
          yield {
            at: setting.place,
            args: { setting: name, default: String(milliseconds), unset: unsetCommand(setting) },
            ...(name === 'INCOMING_CONNECTION_TIMEOUT'
              ? { variant: 'connection' }
              : isSetByCommand(setting) && { variant: 'command' }),
          }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Request timeout disabled in the approuter',
      message: '{setting} is 0: the timeout is disabled (default: {default} ms).',
      why: 'Clients that send their requests very slowly can hold connections open without limit: an attacker can exhaust the approuter’s resources with many such connections.',
      fix: 'Remove {setting} from the approuter’s environment, or set it to a value in milliseconds slightly above the time that the longest upload takes.',
      variants: {
        command: { fix: 'Remove this command{unset}.' },
        connection: {
          title: 'Connection timeout disabled in the approuter',
          message: '{setting} is 0: the timeout is disabled.',
          why: 'Inactive connections stay open, for example those of clients that never read the response: an attacker can exhaust the approuter’s resources with many of them.',
          fix: 'Set {setting} to a value in milliseconds slightly above the time that the slowest backend takes to respond, such as {default}.',
        },
      },
    },
    fr: {
      title: 'Délai d’expiration des requêtes désactivé dans l’approuter',
      message: '{setting} vaut 0 : le délai d’expiration est désactivé (valeur par défaut : {default} ms).',
      why: 'Des clients qui envoient leurs requêtes très lentement peuvent garder des connexions ouvertes sans limite : un attaquant peut épuiser les ressources de l’approuter avec de nombreuses connexions de ce type.',
      fix: 'Supprimez {setting} de l’environnement de l’approuter, ou donnez-lui une valeur en millisecondes un peu supérieure à la durée de l’envoi le plus long.',
      variants: {
        command: { fix: 'Supprimez cette commande{unset}.' },
        connection: {
          title: 'Délai d’expiration des connexions désactivé dans l’approuter',
          message: '{setting} vaut 0 : le délai d’expiration est désactivé.',
          why: 'Des connexions inactives restent ouvertes, par exemple celles de clients qui ne lisent jamais la réponse : un attaquant peut épuiser les ressources de l’approuter en ouvrant un grand nombre de connexions de ce type.',
          fix: 'Donnez à {setting} une valeur en millisecondes un peu supérieure au temps de réponse du backend le plus lent, par exemple {default}.',
        },
      },
    },
  }),
})
