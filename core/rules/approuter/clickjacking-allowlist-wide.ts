import { judgeOrigin, placeOf, readOrigins } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { usageOf } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An allowlist for framing that contains hosts which an attacker can register.
 *  Facts: @sap/approuter 23.0.0 README, "Allowlist service" and CJ_PROTECT_WHITELIST: without the variable the service answers "active": false, and framing
 *  is allowed; lib/configuration/validators.js: which hosts it accepts.
 *  Impact: nothing by itself, the X-Frame-Options header of the approuter may still forbid framing; a host that the approuter rejects is a fault of
 *  operation. */
export const clickjackingAllowlistWide: Rule = defineRule({
  id: 'approuter/clickjacking-allowlist-wide',
  impact: 'defence',
  reach: 'anyone',
  grades: { invalid: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#allowlist-service',
  on: 'approuter',

  *check(approuter) {
    const { environment, root, file } = approuter
    const settings = environment.settings('CJ_PROTECT_WHITELIST')
    for (const setting of settings) {
      for (const { host, node } of readOrigins(setting.value)) {
        const verdict = judgeOrigin(host)
        if (verdict === 'own') continue
        const found = { at: setting.placeOf(node), args: { host }, key: host }
        // a wildcard without a dot and a domain is no valid host: the approuter does not start
        yield verdict === 'shared' ? { ...found, ...usageOf(setting) } : { ...found, variant: 'invalid' }
      }
    }
    const service = at(root, 'whitelistService')
    if (service !== undefined && settings.length === 0 && environment.deployments.length > 0)
      yield { at: placeOf(file, service), args: { host: '*' }, confidence: 'medium', variant: 'off' }
  },

  text: () => ({
    en: {
      title: 'Clickjacking allowlist too wide',
      message:
        'CJ_PROTECT_WHITELIST lists "{host}": if "whitelistService" is configured, every matching host may embed the app in a frame.',
      why: 'An attacker who controls such a host can load the app in an invisible frame there and trick users into clicking on it, unless X-Frame-Options forbids framing, as it does by default.',
      fix: 'Replace "{host}" in CJ_PROTECT_WHITELIST with the full names of the hosts that embed the app, such as "shop.launchpad.cfapps.eu10.hana.ondemand.com".',
      variants: {
        invalid: {
          title: 'Invalid host in the clickjacking allowlist',
          message:
            'CJ_PROTECT_WHITELIST lists "{host}", which the approuter rejects: it accepts a wildcard only as "*." at the start of a host name.',
          why: 'The approuter does not start with this value: the app is not available until the entry is corrected.',
        },
        off: {
          title: 'Clickjacking: allowlist service without an allowlist',
          message:
            '"whitelistService" is configured, but no descriptor of the project sets CJ_PROTECT_WHITELIST: the service returns "active": false.',
          why: 'Any site can then frame the UI5 pages that ask this service whether framing is allowed, unless X-Frame-Options forbids it.',
          fix: 'Set the environment variable CJ_PROTECT_WHITELIST of the approuter to the hosts that embed the app: [{ "host": "portal.example.com", "protocol": "https" }].',
        },
      },
    },
    fr: {
      title: 'Liste d’autorisation trop large contre le détournement de clic',
      message:
        'CJ_PROTECT_WHITELIST contient "{host}" : si "whitelistService" est configuré, tout hôte correspondant à cette entrée peut intégrer l’application dans une iframe.',
      why: 'Un attaquant qui contrôle un tel hôte peut y charger l’application dans une iframe invisible et détourner les clics des utilisateurs, sauf si X-Frame-Options l’interdit, ce qui est le cas par défaut.',
      fix: 'Remplacez "{host}" dans CJ_PROTECT_WHITELIST par les noms complets des hôtes qui intègrent l’application, par exemple "shop.launchpad.cfapps.eu10.hana.ondemand.com".',
      variants: {
        invalid: {
          title: 'Hôte non valide dans la liste d’autorisation contre le détournement de clic',
          message:
            'CJ_PROTECT_WHITELIST contient "{host}", que l’approuter rejette : il n’accepte un caractère générique que sous la forme "*." au début d’un nom d’hôte.',
          why: 'L’approuter ne démarre pas avec cette valeur : l’application reste indisponible tant que l’entrée n’est pas corrigée.',
        },
        off: {
          title: 'Détournement de clic : whitelistService sans liste d’autorisation',
          message:
            '"whitelistService" est configuré, mais aucun descripteur du projet ne définit CJ_PROTECT_WHITELIST : le service répond "active": false.',
          why: 'N’importe quel site peut alors intégrer dans une iframe les pages UI5 qui demandent à ce service si cette intégration est autorisée, sauf si X-Frame-Options l’interdit.',
          fix: 'Indiquez dans la variable d’environnement CJ_PROTECT_WHITELIST de l’approuter les hôtes qui intègrent l’application : [{ "host": "portal.example.com", "protocol": "https" }].',
        },
      },
    },
  }),
})
