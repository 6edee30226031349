import { settingOf } from '../../model/ui5/index.ts'
import { defineRule } from '../rule.ts'
import type { Rule } from '../rule.ts'

/**
 * A page that switches UI5's protection against framing off. Where several settings meet, the one that counts is judged.
 * Facts: documentation of SAPUI5, "Frame Options": `allow`, `deny`, `trusted`; both spellings, as attribute, as member of
 * `window["sap-ui-config"]` and as meta tag.
 */
export const frameOptionsAllow: Rule = defineRule({
  id: 'ui5/frame-options-allow',
  severity: 'HIGH',
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
      // a script that several pages share is one fault
      yield { at: setting.at, args: { page: file }, sameAs: `${setting.at.file}:${setting.at.span?.start ?? 0}` }
    }
  },

  text: {
    en: {
      title: 'Any site may show this app in a frame',
      message: '{page} sets frame-options to "allow".',
      why: 'A foreign page can lay the app invisibly over its own buttons: your user clicks there and releases, orders or deletes something here.',
      fix: 'Set data-sap-ui-frame-options="trusted" and name the sites that embed the app in the allowlist; "deny" if nobody embeds it.',
    },
    fr: {
      title: 'N’importe quel site peut afficher cette application dans un cadre',
      message: '{page} règle frame-options sur « allow ».',
      why: 'Une page étrangère peut superposer l’application, invisible, à ses propres boutons : votre utilisateur clique là-bas et valide, commande ou supprime quelque chose ici.',
      fix: 'Indiquez data-sap-ui-frame-options="trusted" et inscrivez les sites qui intègrent l’application dans la liste autorisée ; « deny » si personne ne l’intègre.',
    },
  },
})
