import { judgeOrigin, placeOf, readOrigins } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { gradeSetting } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Hosts that may show the app in a frame, and that somebody else can be at.
 *  Facts: @sap/approuter 23.0.0 README, "Allowlist service" and CJ_PROTECT_WHITELIST: without the variable the service answers "active": false, and framing is allowed. */
export const clickjackingAllowlistWide: Rule = defineRule({
  id: 'approuter/clickjacking-allowlist-wide',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#whitelistservice-property',
  on: 'approuter',

  *check(approuter) {
    const { environment, root, file } = approuter
    const settings = environment.settings('CJ_PROTECT_WHITELIST')
    for (const setting of settings) {
      for (const { host, node } of readOrigins(setting.value)) {
        if (judgeOrigin(host) === 'own') continue
        yield { at: setting.placeOf(node), args: { host }, severity: gradeSetting(setting, 'MEDIUM'), key: host }
      }
    }
    const service = at(root, 'whitelistService')
    if (service !== undefined && settings.length === 0 && environment.deployments.length > 0)
      yield { at: placeOf(file, service), args: { host: '*' }, confidence: 'medium', variant: 'off' }
  },

  text: {
    en: {
      title: 'Foreign pages may show the app in a frame',
      message: 'CJ_PROTECT_WHITELIST allows {host}.',
      why: 'A page at such a host shows the app in an invisible frame, and the clicks of a user do there what he never wanted.',
      fix: 'Name the hosts that embed the app, such as the one of the launchpad.',
      variants: {
        off: {
          title: 'The allowlist service lets every page frame the app',
          message:
            '"whitelistService" is there, and no descriptor of the project sets CJ_PROTECT_WHITELIST: the service answers "active": false.',
          why: 'Pages that ask this service whether they may be framed take its answer for a yes, whoever frames them.',
          fix: 'Set CJ_PROTECT_WHITELIST to the hosts that embed the app.',
        },
      },
    },
    fr: {
      title: 'Des pages étrangères peuvent afficher l’application dans un cadre',
      message: 'CJ_PROTECT_WHITELIST autorise {host}.',
      why: 'Une page placée sur un tel hôte affiche l’application dans un cadre invisible, et les clics de l’utilisateur y font ce qu’il n’a jamais voulu.',
      fix: 'Indiquez les hôtes qui intègrent l’application, comme celui du launchpad.',
      variants: {
        off: {
          title: 'Le service de liste d’autorisation laisse toute page encadrer l’application',
          message:
            '« whitelistService » est présent, et aucun descripteur du projet ne définit CJ_PROTECT_WHITELIST : le service répond « "active": false ».',
          why: 'Les pages qui demandent à ce service si elles peuvent être encadrées prennent sa réponse pour un oui, quel que soit celui qui les encadre.',
          fix: 'Définissez CJ_PROTECT_WHITELIST avec les hôtes qui intègrent l’application.',
        },
      },
    },
  },
})
