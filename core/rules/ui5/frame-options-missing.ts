import { settingOf, type Ui5App, type Ui5Page } from '../../model/ui5/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app with a page of its own that any site may show in a frame, since nothing in the project says otherwise.
 * Facts: documentation of SAPUI5, "Frame Options": the default is `allow`; @sap/approuter sends X-Frame-Options by itself, and a launchpad, an ABAP
 * system or the managed approuter decides for the apps that it serves.
 */
export const frameOptionsMissing: Rule = defineRule({
  id: 'ui5/frame-options-missing',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/62d9c4d8f5ad49aa914624af9551beb7',
  on: 'ui5-app',

  *check(app, project) {
    if (!isServedAlone(app)) return
    for (const page of app.pages) {
      if (page.test || isDefended(page)) continue
      yield {
        at: page.bootstrap.at,
        args: { page: page.file },
        // a CAP server shows its apps for development; what serves them in production may stand elsewhere
        ...(project.capRoots.length > 0 && { severity: 'LOW', confidence: 'medium' }),
        sameAs: app.root,
      }
    }
  },

  text: {
    en: {
      title: 'Nothing says who may show this app in a frame',
      message:
        '{page} does not set frame-options, whose default is "allow", and nothing in the project sends a header against framing.',
      why: 'A foreign page can lay the app invisibly over its own buttons: your user clicks there and releases, orders or deletes something here.',
      fix: 'Set data-sap-ui-frame-options="deny" in the bootstrap, or "trusted" with an allowlist; better still, send "Content-Security-Policy: frame-ancestors \'self\'" from the server.',
    },
    fr: {
      title: 'Rien ne dit qui peut afficher cette application dans un cadre',
      message:
        '{page} ne règle pas frame-options, dont la valeur par défaut est « allow », et rien dans le projet n’envoie d’en-tête contre l’affichage dans un cadre.',
      why: 'Une page étrangère peut superposer l’application, invisible, à ses propres boutons : votre utilisateur clique là-bas et valide, commande ou supprime quelque chose ici.',
      fix: 'Indiquez data-sap-ui-frame-options="deny" dans l’amorçage, ou « trusted » avec une liste autorisée ; mieux encore, envoyez « Content-Security-Policy: frame-ancestors \'self\' » depuis le serveur.',
    },
  },
})

function isServedAlone({ served, isLibrary }: Ui5App): boolean {
  return served === 'unknown' && !isLibrary
}

function isDefended({ bootstrap, document }: Ui5Page): boolean {
  if (
    ['frameoptions', 'frameoptionsconfig', 'allowlistservice', 'whitelistservice'].some(
      (name) => settingOf(bootstrap, name) !== undefined,
    )
  )
    return true
  for (const element of elementsOf(document)) {
    const name = element.name === 'meta' ? attributeOf(element, 'name')?.value : undefined
    if (name === 'sap-allowlist-service' || name === 'sap-whitelist-service') return true
  }
  return false
}
