import { settingOf } from '../../model/ui5/index.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'

/**
 * A page that switches UI5’s protection against framing off. Where several settings meet, the effective one is judged.
 * Facts: documentation of SAPUI5, "Frame Options": `allow`, `deny`, `trusted`; as attribute, as member of `window["sap-ui-config"]` and as meta tag.
 * Names with hyphens have no effect before 1.120 (core/model/ui5/pages.ts); `data-sap-ui-frameOptions` works in all lines.
 * Impact: the default of UI5: clickjacking needs a click that the user is led to.
 */
export const frameOptionsAllow: Rule = defineRule({
  id: 'ui5/frame-options-allow',
  impact: 'defence',
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/62d9c4d8f5ad49aa914624af9551beb7',
  on: 'ui5-app',

  *check(app) {
    for (const { file, test, bootstrap } of app.pages) {
      if (test) continue
      const setting = settingOf(bootstrap, 'frameoptions')
      if (setting?.value?.toLowerCase() !== 'allow') continue
      yield {
        at: setting.at,
        args: { page: file, file: setting.at.file },
        // several pages may share the script that sets it
        groupKey: `${setting.at.file}:${setting.at.span?.start ?? 0}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Clickjacking: framing allowed for any origin',
      message: 'frameOptions is "allow" for {page}: UI5 lets any site embed the app in a frame.',
      why: 'A malicious page can load the app invisibly above its own buttons: a logged-in user who clicks there triggers actions in the app.',
      fix: 'Change frameOptions from "allow" to "deny" in {file}, or to "trusted", with frameOptionsConfig.allowlist (whitelist before UI5 1.85) set to the hosts that embed the app. Also send Content-Security-Policy: frame-ancestors \'none\' (or these hosts).',
    },
    fr: {
      title: 'Détournement de clic : affichage en iframe ouvert à toute origine',
      message: 'frameOptions vaut "allow" pour {page} : UI5 laisse n’importe quel site intégrer l’application dans une iframe.',
      why: 'Une page malveillante peut superposer l’application, rendue invisible, à ses propres boutons : un utilisateur connecté qui clique dessus déclenche des actions dans l’application.',
      fix: 'Remplacez la valeur "allow" de frameOptions par "deny" dans {file}, ou par "trusted" en indiquant dans frameOptionsConfig.allowlist (whitelist avant UI5 1.85) les hôtes qui intègrent l’application. Configurez aussi le serveur pour qu’il envoie Content-Security-Policy: frame-ancestors avec \'none\' ou ces hôtes.',
    },
  }),
})
