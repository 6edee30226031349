import { settingOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Domains under which anybody may get a host. */
const SHARED =
  /^(?:https?:\/\/)?(?:\*{0,2}\.)?(?:(?:[a-z]{2}\d{2}\.)?(?:hana\.)?ondemand\.com|(?:cfapps|dispatcher)\.[a-z0-9.-]{1,60}ondemand\.com|[a-z]{2,12}|co\.[a-z]{2}|com\.[a-z]{2}|github\.io|azurewebsites\.net|herokuapp\.com|cloudfront\.net|amazonaws\.com|netlify\.app|vercel\.app|\*)$/iu

/**
 * Protection against framing whose list of trusted sites, or whose manner, leaves it open.
 * Facts: documentation of SAPUI5, "Frame Options": an entry ".example.com" fits every host below; `blockEvents` and `showBlockLayer` are true by default.
 */
export const frameOptionsTrustedWide: Rule = defineRule({
  id: 'ui5/frame-options-trusted-wide',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [1021],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/62d9c4d8f5ad49aa914624af9551beb7',
  on: 'ui5-app',

  *check(app) {
    for (const { test, bootstrap } of app.pages) {
      const mode = settingOf(bootstrap, 'frameoptions')
      if (test || mode?.value?.toLowerCase() !== 'trusted') continue
      for (const name of ['allowlist', 'whitelist']) {
        const list = settingOf(bootstrap, `frameoptionsconfig/${name}`)
        const entry = list?.value?.split(',').find((entry) => SHARED.test(entry.trim()))
        if (list !== undefined && entry !== undefined)
          yield { at: list.at, args: { entry: entry.trim() }, sameAs: `${list.at.file}:${list.at.span?.start}` }
      }
      for (const name of ['blockEvents', 'showBlockLayer']) {
        const setting = settingOf(bootstrap, `frameoptionsconfig/${name.toLowerCase()}`)
        if (setting?.value === 'false')
          yield {
            at: setting.at,
            args: { entry: name },
            variant: 'passive',
            sameAs: `${setting.at.file}:${setting.at.span?.start}`,
          }
      }
    }
  },

  text: {
    en: {
      title: 'Too many sites may show this app in a frame',
      message: 'The allowlist of frame-options has {entry}, under which anybody can get a host.',
      why: 'An attacker puts a page on such a host and lays the app invisibly over its own buttons: your user clicks there and releases, orders or deletes something here.',
      fix: 'Name the hosts that embed the app in full, such as "shell.example.com".',
      variants: {
        passive: {
          title: 'The protection against framing does not block',
          message: 'frame-options names trusted sites, but {entry} is false.',
          why: 'In the frame of a foreign page the app still takes clicks and keys: the protection sees the attack and lets it happen.',
          fix: 'Remove {entry}: true is the default.',
        },
      },
    },
    fr: {
      title: 'Trop de sites peuvent afficher cette application dans un cadre',
      message: 'La liste autorisée de frame-options contient {entry}, sous lequel n’importe qui peut obtenir un hôte.',
      why: 'Un attaquant place une page sur un tel hôte et superpose l’application, invisible, à ses propres boutons : votre utilisateur clique là-bas et valide, commande ou supprime quelque chose ici.',
      fix: 'Nommez en entier les hôtes qui intègrent l’application, comme « shell.example.com ».',
      variants: {
        passive: {
          title: 'La protection contre l’affichage dans un cadre ne bloque pas',
          message: 'frame-options nomme des sites de confiance, mais {entry} vaut false.',
          why: 'Dans le cadre d’une page étrangère, l’application accepte encore clics et touches : la protection voit l’attaque et la laisse faire.',
          fix: 'Supprimez {entry} : true est la valeur par défaut.',
        },
      },
    },
  },
})
