import { placeOf } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A welcome page of another host, or without TLS.
 *  Facts: @sap/approuter 23.0.0 README, "welcomeFile": requests of / are redirected to it. */
export const welcomeFileForeign: Rule = defineRule({
  id: 'approuter/welcome-file-foreign',
  severity: 'LOW',
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#welcomefile-property',
  on: 'approuter',

  *check(approuter) {
    const node = at(approuter.root, 'welcomeFile')
    const page = stringOf(node)?.trim()
    if (node === undefined || page === undefined || !/^(?:https?:)?\/\/[^$~{/]/i.test(page)) return
    if (!/^http:\/\/(?:localhost|127\.)/i.test(page)) yield { at: placeOf(approuter.file, node), args: { page } }
  },

  text: {
    en: {
      title: 'The welcome page is at another host',
      message: '"welcomeFile" is {page}.',
      why: 'Who opens the app is sent there: whoever owns the host, or stands in between, shows him a page of his own.',
      fix: 'Name a page of the approuter, such as "/index.html".',
    },
    fr: {
      title: 'La page d’accueil se trouve sur un autre hôte',
      message: '« welcomeFile » vaut {page}.',
      why: 'Qui ouvre l’application y est envoyé : le propriétaire de l’hôte, ou qui se place entre les deux, lui montre sa propre page.',
      fix: 'Indiquez une page de l’approuter, comme « /index.html ».',
    },
  },
})
