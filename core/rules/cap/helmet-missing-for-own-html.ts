import { packageOf } from '../../model/cap/index.ts'
import { servedMarkup } from './_routes/served-markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A CAP server that sends pages of its own without headers that limit what these may do.
 * Facts: capire, "Securing Your Application" (helmet, content security policy); approuter documentation, "httpHeaders" (an approuter in front may set them).
 * Impact: a missing defence against injected scripts and frames.
 */
export const helmetMissingForOwnHtml: Rule = defineRule({
  id: 'cap/helmet-missing-for-own-html',
  impact: 'defence',
  confidence: 'medium',
  cwe: [693],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#securing-your-application',
  on: 'cap-root',
  extracts: [servedMarkup],

  *check(root, { approuters, npm }) {
    if (root.test || root.runtime !== 'node' || approuters.length > 0) return
    const found = root.scripts.get(servedMarkup)
    const page = found.find(({ value }) => value.kind === 'page')
    if (page === undefined || found.some(({ value }) => value.kind === 'protection')) return
    const { start, end, call } = page.value
    yield {
      at: { file: page.file, span: { start, end } },
      args: { call, add: (packageOf(root, npm)?.manager ?? npm.manager).add },
    }
  },

  text: () => ({
    en: {
      title: 'Missing security headers on pages served by CAP',
      message:
        'The server sends pages ({call}(…)); the project has no approuter, and neither its code nor a middleware such as helmet sets a Content-Security-Policy header.',
      why: 'Browsers run any script that an attacker injects into such a page (XSS), and other sites can embed it in a frame (clickjacking).',
      fix: 'Run "{add} helmet" and begin cds.on("bootstrap", app => …) with app.use(require("helmet")()); list the sources that the pages need in its contentSecurityPolicy option. Or serve the pages through an approuter that sets the header (httpHeaders).',
    },
    fr: {
      title: 'En-têtes de sécurité manquants sur les pages servies par CAP',
      message:
        'Le serveur envoie des pages ({call}(…)) ; le projet n’a pas d’approuter, et ni son code ni un middleware tel que helmet ne définit d’en-tête Content-Security-Policy.',
      why: 'Le navigateur exécute tout script qu’un attaquant injecte dans une telle page (XSS), et d’autres sites peuvent afficher la page dans une iframe (détournement de clic).',
      fix: 'Exécutez "{add} helmet" et commencez cds.on("bootstrap", app => …) par app.use(require("helmet")()) ; indiquez dans l’option contentSecurityPolicy de helmet les sources dont les pages ont besoin. Ou servez les pages via un approuter qui définit l’en-tête (httpHeaders).',
    },
  }),
})
