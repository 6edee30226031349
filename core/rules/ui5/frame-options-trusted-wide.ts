import { settingOf } from '../../model/ui5/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Domains under which any customer can register a host, as a name or with a dot in front. Facts: RFC 2606 and RFC 6762, appendix G (domains of private networks);
 * entries with `*`, a scheme or a path match no host.
 */
const SHARED =
  /^(?:\.?(?:(?:[a-z]{2}\d{2}\.)?(?:hana\.)?ondemand\.com|(?:cfapps|dispatcher)\.[a-z0-9.-]{1,60}ondemand\.com|com|net|org|co\.[a-z]{2}|com\.[a-z]{2}|github\.io|azurewebsites\.net|herokuapp\.com|cloudfront\.net|amazonaws\.com|netlify\.app|vercel\.app)|\.(?!(?:corp|example|home|internal|intranet|invalid|lan|local|localhost|private|test)$)[a-z]{2,12})$/iu

/**
 * Protection against framing whose list of trusted hosts, or whose settings, leave it open.
 * Facts: documentation of SAPUI5, "Frame Options": an entry ".example.com" matches every host below, wildcards are not supported; `blockEvents` and
 * `showBlockLayer` are true by default; `sap/ui/security/FrameOptions` of 1.120.0 and 1.152.0 compares the end of the host's name with the entry.
 * Impact: defence in depth that is weakened.
 */
export const frameOptionsTrustedWide: Rule = defineRule({
  id: 'ui5/frame-options-trusted-wide',
  impact: 'defence',
  confidence: 'medium',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/62d9c4d8f5ad49aa914624af9551beb7',
  on: 'ui5-app',

  *check(app): Generator<Match> {
    for (const { test, bootstrap } of app.pages) {
      const mode = settingOf(bootstrap, 'frameoptions')
      if (test || mode?.value?.toLowerCase() !== 'trusted') continue
      for (const name of ['allowlist', 'whitelist']) {
        const list = settingOf(bootstrap, `frameoptionsconfig/${name}`)
        const entry = list?.value?.split(',').find((entry) => SHARED.test(entry.trim()))
        if (list !== undefined && entry !== undefined)
          yield {
            at: list.at,
            args: { entry: entry.trim(), list: name },
            groupKey: `${list.at.file}:${list.at.span?.start}`,
          }
      }
      for (const name of ['blockEvents', 'showBlockLayer']) {
        const setting = settingOf(bootstrap, `frameoptionsconfig/${name.toLowerCase()}`)
        if (setting?.value === 'false')
          yield {
            at: setting.at,
            args: { entry: name },
            variant: name === 'blockEvents' ? 'passive' : 'visible',
            groupKey: `${setting.at.file}:${setting.at.span?.start}`,
          }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Clickjacking: overly broad framing allowlist',
      message: 'The {list} of frameOptionsConfig contains "{entry}", a domain under which anyone can register hosts.',
      why: 'A page on a host that an attacker registers there can load the app invisibly above its own buttons: a logged-in user who clicks them triggers actions in the app.',
      fix: 'Replace "{entry}" with the full names of the hosts that embed the app, such as "shell.example.com".',
      variants: {
        passive: {
          title: 'Clickjacking: framing protection without event blocking',
          message: 'frameOptions is "trusted", but {entry} is false in frameOptionsConfig.',
          why: 'In a frame on an untrusted page, only an invisible layer then protects the app from clicks, and keyboard input still reaches it.',
          fix: 'Remove {entry} from frameOptionsConfig: true is the default.',
        },
        visible: {
          title: 'Clickjacking: framing protection without a block layer',
          message: 'frameOptions is "trusted", but {entry} is false in frameOptionsConfig.',
          why: 'In a frame on an untrusted page, UI5 then only stops mouse, touch and keyboard events: others, such as pointer and drag events, still reach the app.',
          fix: 'Remove {entry} from frameOptionsConfig: true is the default.',
        },
      },
    },
    fr: {
      title: 'Détournement de clic : liste d’hôtes autorisés trop large',
      message:
        'La liste {list} de frameOptionsConfig contient "{entry}", un domaine sous lequel des tiers peuvent enregistrer des hôtes.',
      why: 'Un attaquant peut enregistrer un hôte sous ce domaine, y créer une page et superposer l’application, rendue invisible, aux boutons de cette page : un utilisateur connecté qui clique dessus déclenche des actions dans l’application.',
      fix: 'Remplacez "{entry}" par les noms complets des hôtes qui intègrent l’application, comme "shell.example.com".',
      variants: {
        passive: {
          title: 'Détournement de clic : protection sans blocage des événements',
          message: 'frameOptions vaut "trusted", mais {entry} vaut false dans frameOptionsConfig.',
          why: 'Dans une iframe d’une page non approuvée, seule une couche invisible protège alors l’application des clics, et la saisie au clavier lui parvient toujours.',
          fix: 'Supprimez {entry} de frameOptionsConfig : true est la valeur par défaut.',
        },
        visible: {
          title: 'Détournement de clic : protection sans couche de blocage',
          message: 'frameOptions vaut "trusted", mais {entry} vaut false dans frameOptionsConfig.',
          why: 'Dans une iframe d’une page non approuvée, UI5 n’arrête alors que les événements de souris, de clavier et tactiles : d’autres, comme les événements de pointeur ou de glisser-déposer, parviennent toujours à l’application.',
          fix: 'Supprimez {entry} de frameOptionsConfig : true est la valeur par défaut.',
        },
      },
    },
  }),
})
