import type { Scripts } from '../../extracts/scripts.ts'
import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit, isRowKept, ofStored, wordStore } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'
import { closedBrowsers } from './_routes/closed-browsers.ts'
import { fileRoutes } from './_routes/upload-routes.ts'
import { unrenderedAnswers } from './_routes/unrendered-answers.ts'
import { isWithin } from '../../facts/span-index.ts'

/** Parts of a request of HTTP that are texts: what else is sent may be an object, which becomes JSON. */
const IS_TEXT = /\.(?:query|params)[.[]|\.(?:url|originalUrl|path)$|\.param\(/
/** One value of a row: the row itself becomes JSON. */
const IS_FIELD = /\w\.\w+$/
/** What a link or a form of another site can't choose in the browser of a victim. */
const OF_BROWSER = /\.(?:headers|cookies|hostname)\b|(?<!\.parameters)\.(?:get|header)\(/

/** Of files whose type is not the choice of the code. */
const CHOSEN_TYPE = {
  en: {
    title: 'Content type of a response chosen by a user',
    message: '{sink} gives the response a content type that users choose ({part}), and browsers display the content inline.',
    why: 'An attacker who can upload a file as text/html or image/svg+xml can run its script in the browser of every user who opens it, with that user’s permissions.',
    fix: 'Have browsers save the content: res.attachment(name). Or allow only types without scripts, such as image/png and application/pdf, and send all others as application/octet-stream.',
  },
  fr: {
    title: 'Réponse avec un type de contenu choisi par un utilisateur',
    message:
      '{sink} donne à la réponse un type de contenu que choisissent les utilisateurs ({part}), et les navigateurs affichent le contenu.',
    why: 'Un attaquant qui peut déposer un fichier de type text/html ou image/svg+xml peut exécuter le script de ce fichier dans le navigateur de chaque utilisateur qui l’ouvre, avec les droits de cet utilisateur.',
    fix: 'Faites enregistrer le contenu par le navigateur : res.attachment(name). Ou n’acceptez que des types sans script, comme image/png et application/pdf, et envoyez les autres en application/octet-stream.',
  },
}

/**
 * A response of HTML with data of the request in it.
 * Facts: Express 5, res.send (a text is sent as text/html, an object as JSON), res.type; WHATWG MIME Sniffing; @sap/xsjs 6.7.9, lib/xsjs/web/WebResponse.js
 * (`adjustContentType`: without a type, what is no object is sent as text/html).
 * Impact: runs scripts in the session of a victim who follows a link; without tags or a content type in sight the fact is less sure, not less bad. No link
 * and no form sends PUT, PATCH or DELETE. Where the value was stored before, those who may write it are often few, and some are meant to write markup; where
 * the type of the content is chosen, a file with scripts has to get there first, unless a route beside it takes files of any type. Mail programs run no scripts: in a mail the attacker chooses texts and links.
 * A browser of the server that makes a PDF or a picture of the markup runs scripts and fetches frames there: what only the server reaches ends up in the document.
 */
export const reflectedXss: Rule = defineRule({
  id: 'cap/reflected-xss',
  impact: 'session',
  grades: {
    stored: { evidence: 'assumed' },
    type: { evidence: 'assumed' },
    relayed: { evidence: 'assumed' },
    mail: { impact: 'bounded' },
    rendered: { impact: 'data' },
  },
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html',
  on: 'flow',
  extracts: [unrenderedAnswers, closedBrowsers, fileRoutes],

  *check(hit, { scripts, reach }) {
    // HANA sends what a script gives no type as a plain text, the server of XS advanced as HTML
    if (hit.detail === 'untyped' && !reach.isRunByXsAdvanced(hit.at.file)) return
    if (hit.detail === 'plain' || OF_BROWSER.test(hit.part)) return
    if (hit.detail === 'rendered') {
      if (scripts.get(closedBrowsers).some(({ file }) => file === hit.at.file) || isWholeRow(hit)) return
      const facts = hit.origin === 'stored' ? ofStored(hit) : {}
      yield { ...gradeHit(hit, facts), args: { part: hit.quotedPart, sink: hit.quotedSink }, variant: 'rendered' }
      return
    }
    if (hit.detail === 'mail') {
      const args = { part: hit.quotedPart, sink: hit.quotedSink }
      const [source] = hit.steps
      // a function of the project that is called like the one of a package, and hands the same on to it, is told with it
      const groupKey = `mail ${source?.at.file} ${source?.at.span?.start}`
      if (hit.origin !== 'stored') yield { ...gradeHit(hit), args, variant: 'mail', groupKey }
      return
    }
    const { span } = hit.at
    const answers = scripts
      .get(unrenderedAnswers)
      .filter(({ file, value }) => file === hit.at.file && span !== undefined && isWithin(span, value))
    if (answers.some(({ value }) => value.kind === 'saved')) return
    if (hit.detail === 'type' || hit.detail === 'shown-type') {
      if (hit.concatenated || (hit.origin !== 'stored' && wordStore(hit) === '' && !IS_TEXT.test(hit.part))) return
      yield {
        ...gradeHit(hit, isUploadedBeside(hit, scripts) ? { evidence: 'shown' } : {}),
        confidence: 'medium',
        args: { part: wordPart(hit.quotedPart), sink: hit.quotedSink },
        variant: hit.origin === 'stored' && hit.weak ? 'relayed' : 'type',
      }
      return
    }
    if (hit.origin === 'stored') {
      if (hit.detail === undefined || isWholeRow(hit)) return
      const args = { part: wordPart(hit.quotedPart), sink: hit.quotedSink }
      yield { ...gradeHit(hit, ofStored(hit)), confidence: 'medium', args, variant: 'stored' }
      return
    }
    const isText = hit.concatenated || (hit.entry === 'http-request' && IS_TEXT.test(hit.part))
    // without a type in sight `send` makes HTML of a text, and JSON of an object
    if (hit.detail === undefined && (!isText || !hit.api.effects.has('send'))) return
    const isKept = isRowKept(hit)
    yield {
      // a link or a form reaches every user
      ...gradeHit(hit, isKept ? {} : { reach: answers.length > 0 ? 'self' : 'anyone' }),
      args: { part: hit.quotedPart, sink: hit.quotedSink },
      ...(hit.detail === undefined && { confidence: 'medium' }),
      // for a body, the approuter in front of XS advanced asks other sites for a token, unless a route says otherwise
      ...(hit.detail === 'untyped' && hit.part.includes('request.body') && { evidence: 'assumed' as const }),
      ...(isKept ? { variant: 'kept' } : hit.api.effects.has('xsjs') && { variant: 'xsjs' }),
    }
  },

  text: () => ({
    en: {
      title: 'Reflected cross-site scripting (XSS) in a response',
      message: '{sink} returns request data ({part}) as HTML without encoding it.',
      why: 'An attacker who gets a user to open a crafted link or page can run a script in that user’s browser, with the user’s permissions.',
      fix: 'Send JSON with res.json(…), or encode the value: in HTML text and attributes, with a library such as escape-html; in a script, with JSON.stringify(value).replace(/</g, "\\\\u003c").',
      variants: {
        stored: {
          title: 'Stored cross-site scripting (XSS) in a response',
          message: '{sink} sends {part} as HTML without encoding it. Clients of the service can write this data.',
          why: 'An attacker who can write such a value can run scripts in the browser of every user who opens the page, with that user’s permissions.',
          fix: 'Encode the value with a library such as escape-html before you insert it into the markup. If users may enter markup, sanitize it with a library such as sanitize-html.',
        },
        kept: {
          title: 'Stored cross-site scripting (XSS) in a response',
          message: '{sink} sends request data ({part}), which was stored in the database, as HTML without encoding it.',
          why: 'An attacker who can write such a value can run scripts in the browser of every user who opens the page, with that user’s permissions.',
          fix: 'Encode the value with a library such as escape-html before you insert it into the markup. If users may enter markup, sanitize it with a library such as sanitize-html.',
        },
        type: CHOSEN_TYPE.en,
        relayed: {
          ...CHOSEN_TYPE.en,
          title: 'Content type of a response chosen by another system',
          message:
            '{sink} gives the response the content type that another system answered with ({part}), and browsers display the content inline.',
        },
        mail: {
          title: 'HTML injection in a mail',
          message: '{sink} sends a mail whose HTML contains request data ({part}) without encoding it.',
          why: 'An attacker can put texts and links of their own into mails that the application sends in its name, for example for phishing.',
          fix: 'Encode the value with a library such as escape-html before you insert it into the markup, or send the mail as plain text, with the field text.',
        },
        rendered: {
          title: 'HTML injection in a document rendered on the server',
          message: '{sink} renders HTML on the server that contains {part} without encoding it.',
          why: 'A script, frame or image in the value runs or is fetched on the server: an attacker can read internal addresses, such as metadata services and localhost, and sees the answers in the document (SSRF).',
          fix: 'Encode each value with a library such as escape-html before you insert it into the markup. In addition, block requests of the page: page.setOfflineMode(true) in Puppeteer.',
        },
        xsjs: {
          fix: 'Send JSON: $.response.contentType = "application/json" and $.response.setBody(JSON.stringify({ value: value })). Insert the value into the page on the client, with textContent.',
        },
      },
    },
    fr: {
      title: 'XSS réfléchi dans une réponse',
      message: '{sink} renvoie en HTML des données de la requête ({part}) sans les encoder.',
      why: 'Un attaquant qui amène un utilisateur à ouvrir un lien ou une page piégés peut exécuter un script dans le navigateur de cet utilisateur, avec ses droits.',
      fix: 'Envoyez du JSON avec res.json(…), ou encodez la valeur : dans le texte et les attributs HTML, avec une bibliothèque comme escape-html ; dans un script, avec JSON.stringify(valeur).replace(/</g, "\\\\u003c").',
      variants: {
        stored: {
          title: 'XSS stocké dans une réponse',
          message: '{sink} envoie {part} en HTML, sans encodage. Les clients du service peuvent écrire ces données.',
          why: 'Un attaquant qui peut écrire une telle valeur peut exécuter des scripts dans le navigateur de chaque utilisateur qui ouvre la page, avec les droits de cet utilisateur.',
          fix: 'Encodez la valeur avec une bibliothèque comme escape-html avant de l’insérer dans le balisage. Si les utilisateurs peuvent saisir du balisage, assainissez-le avec une bibliothèque comme sanitize-html.',
        },
        kept: {
          title: 'XSS stocké dans une réponse',
          message: '{sink} envoie en HTML, sans encodage, des données de la requête ({part}) stockées dans la base.',
          why: 'Un attaquant qui peut écrire une telle valeur peut exécuter des scripts dans le navigateur de chaque utilisateur qui ouvre la page, avec les droits de cet utilisateur.',
          fix: 'Encodez la valeur avec une bibliothèque comme escape-html avant de l’insérer dans le balisage. Si les utilisateurs peuvent saisir du balisage, assainissez-le avec une bibliothèque comme sanitize-html.',
        },
        type: CHOSEN_TYPE.fr,
        relayed: {
          ...CHOSEN_TYPE.fr,
          title: 'Réponse avec un type de contenu choisi par un autre système',
          message:
            '{sink} donne à la réponse le type de contenu reçu d’un autre système ({part}), et les navigateurs affichent le contenu.',
        },
        mail: {
          title: 'Injection HTML dans un e-mail',
          message: '{sink} envoie un e-mail dont le HTML contient des données de la requête ({part}) non encodées.',
          why: 'Un attaquant peut insérer ses propres textes et liens dans des e-mails que l’application envoie en son nom, par exemple pour de l’hameçonnage.',
          fix: 'Encodez la valeur avec une bibliothèque comme escape-html avant de l’insérer dans le balisage, ou envoyez l’e-mail en texte brut, avec le champ text.',
        },
        rendered: {
          title: 'Injection HTML dans un document produit sur le serveur',
          message: '{sink} produit sur le serveur un document à partir de HTML qui contient {part} sans encodage.',
          why: 'Un script, un cadre ou une image dans la valeur est exécuté ou chargé par le serveur : un attaquant peut lire des adresses internes, comme des services de métadonnées et localhost, et voit les réponses dans le document (SSRF).',
          fix: 'Encodez chaque valeur avec une bibliothèque comme escape-html avant de l’insérer dans le balisage. Bloquez aussi les requêtes de la page : page.setOfflineMode(true) avec Puppeteer.',
        },
        xsjs: {
          fix: 'Envoyez du JSON : $.response.contentType = "application/json" et $.response.setBody(JSON.stringify({ value: value })). Insérez la valeur dans la page côté client, avec textContent.',
        },
      },
    },
  }),
})

/** Rows as they were read become JSON. */
function isWholeRow({ origin, concatenated, part }: FlowHit): boolean {
  return origin === 'stored' && !concatenated && !IS_FIELD.test(part)
}

/** `post('/claims/:id/files', …)` beside `get('/claims/:id/files/:file', …)`: what a user sends there as it is, others open here. */
function isUploadedBeside({ at: { file, span } }: FlowHit, scripts: Scripts): boolean {
  const routes = scripts.of(file, fileRoutes)
  const uploads = routes.filter(({ kind }) => kind === 'takes')
  return routes.some(
    (route) =>
      route.kind === 'answers' &&
      span !== undefined &&
      isWithin(span, route) &&
      uploads.some(({ path }) => route.path === path || route.path.startsWith(`${path}/`)),
  )
}
