import { settingOf, type Ui5App, type Ui5Page } from '../../model/ui5/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app with a page of its own that any site may show in a frame, since nothing in the project says otherwise.
 * Facts: documentation of SAPUI5, "Frame Options": the default is `allow`; sap/ui/security/Security (@openui5/sap.ui.core 1.120.0) and Configuration.js
 * (1.71.0 to 1.119.0): `frameOptionsConfig` and `allowlistService` change nothing while it is `allow`; the meta tag `sap-allowlist-service` makes it `trusted`.
 * Names with hyphens have no effect before 1.120 (core/model/ui5/pages.ts). @sap/approuter sends X-Frame-Options by itself, and a launchpad, an ABAP
 * system or the managed approuter decides for the apps that it serves.
 * Impact: the default of UI5: clickjacking needs a click that the user is led to.
 */
export const frameOptionsMissing: Rule = defineRule({
  id: 'ui5/frame-options-missing',
  impact: 'defence',
  confidence: 'high',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/62d9c4d8f5ad49aa914624af9551beb7',
  on: 'ui5-app',

  *check(app, project) {
    if (!isServedAlone(app)) return
    const isCap = project.capRoots.length > 0
    for (const page of app.pages) {
      if (page.test || isDefended(page)) continue
      const ignored = page.bootstrap.ignored.find(({ name }) => name === 'frameoptions')
      const isListed = ['allowlist', 'whitelist'].some((list) => settingOf(page.bootstrap, `frameoptionsconfig/${list}`))
      yield {
        at: page.bootstrap.at,
        args: { page: page.file, value: ignored?.value ?? '' },
        ...(ignored !== undefined ? { variant: 'hyphenated' } : isListed && { variant: 'listed' }),
        // a CAP server serves its apps for development; what serves them in production may be configured elsewhere
        ...(isCap && { confidence: 'medium' }),
        groupKey: app.root,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Clickjacking: no framing protection',
      message:
        '{page} does not set frameOptions, whose default is "allow", and nothing in the project sends a header that restricts framing.',
      why: 'A malicious page can load the app invisibly above its own buttons: a logged-in user who clicks there unknowingly triggers actions in the app.',
      fix: 'Set data-sap-ui-frameOptions="deny" on the bootstrap script: UI5 then blocks all interaction in a frame (with "trusted", only in frames of other origins). To prevent framing itself, send Content-Security-Policy: frame-ancestors \'none\' (or \'self\').',
      variants: {
        listed: {
          message:
            '{page} sets frameOptionsConfig, but not frameOptions, whose default "allow" makes the list ineffective; nothing in the project sends a header that restricts framing.',
          fix: 'Set data-sap-ui-frameOptions="trusted" on the bootstrap script: UI5 then blocks all interaction in frames of hosts that are not in the list. To prevent framing itself, have the server send Content-Security-Policy: frame-ancestors with the same hosts.',
        },
        hyphenated: {
          message:
            '{page} sets data-sap-ui-frame-options="{value}", but UI5 before 1.120 ignores this spelling, so the default "allow" applies; nothing in the project sends a header that restricts framing.',
          fix: 'Set data-sap-ui-frameOptions="{value}" on the bootstrap script in {page}. UI5 then blocks all interaction in a frame; to prevent framing itself, have the server send Content-Security-Policy with frame-ancestors.',
        },
      },
    },
    fr: {
      title: 'Détournement de clic : affichage en iframe non restreint',
      message:
        '{page} ne définit pas frameOptions, dont la valeur par défaut est "allow", et rien dans le projet n’envoie d’en-tête qui limite l’affichage dans une iframe.',
      why: 'Une page malveillante peut superposer l’application, rendue invisible, à ses propres boutons : un utilisateur connecté qui clique dessus déclenche, sans le savoir, des actions dans l’application.',
      fix: 'Définissez data-sap-ui-frameOptions="deny" sur le script d’amorçage : UI5 bloque alors toute interaction dans une iframe (avec "trusted", seulement dans les pages d’une autre origine). Pour empêcher l’affichage lui-même, envoyez l’en-tête Content-Security-Policy: frame-ancestors \'none\' (ou \'self\').',
      variants: {
        listed: {
          message:
            '{page} définit frameOptionsConfig, mais pas frameOptions, dont la valeur par défaut "allow" rend la liste sans effet ; rien dans le projet n’envoie d’en-tête qui limite l’affichage dans une iframe.',
          fix: 'Définissez data-sap-ui-frameOptions="trusted" sur le script d’amorçage : UI5 bloque alors toute interaction dans les iframes des hôtes absents de la liste. Pour empêcher l’affichage lui-même, configurez le serveur pour qu’il envoie Content-Security-Policy: frame-ancestors avec les mêmes hôtes.',
        },
        hyphenated: {
          message:
            '{page} indique data-sap-ui-frame-options="{value}", mais UI5 ignore cette graphie avant la version 1.120 : la valeur par défaut "allow" s’applique, et rien dans le projet n’envoie d’en-tête qui limite l’affichage dans une iframe.',
          fix: 'Définissez data-sap-ui-frameOptions="{value}" sur le script d’amorçage de {page}. UI5 bloque alors toute interaction dans une iframe ; pour empêcher l’affichage lui-même, configurez le serveur pour qu’il envoie une Content-Security-Policy avec frame-ancestors.',
        },
      },
    },
  }),
})

function isServedAlone({ served, isLibrary }: Ui5App): boolean {
  return served === 'unknown' && !isLibrary
}

function isDefended({ bootstrap, document }: Ui5Page): boolean {
  const setting = settingOf(bootstrap, 'frameoptions')
  // one that is made at run time may be anything; "allow" is a fault of its own
  if (setting !== undefined && (setting.value === undefined || /^(?:deny|trusted|allow)$/iu.test(setting.value))) return true
  for (const element of elementsOf(document)) {
    const name = element.name === 'meta' ? attributeOf(element, 'name')?.value : undefined
    if (name === 'sap-allowlist-service' || name === 'sap-whitelist-service') return true
  }
  return false
}
