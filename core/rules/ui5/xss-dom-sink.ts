import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { absentWrites, isWrittenNowhere } from './_absent-elements.ts'
import { chosenRequests, isOfChosenRequest } from './_chosen-answers.ts'
import { encodedAddressTexts, gradeEncodedAddress } from './_encoded-addresses.ts'
import { HANDLER_TEXTS, QUOTES_TEXTS } from './_handler-texts.ts'
import { gradeMarkup, isAnswered, isOfMachine, isOfRefused, isOwnAnswer, secondHandOf, variantOf } from './_flow-grade.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'
import { operationHandlers } from '../../model/cap/index.ts'
import { ROW_EXTRACTS } from './_posted-rows.ts'
import { isAnsweredFromCode } from './_row-writers.ts'
import { outsideArgs } from './_attack-ways.ts'

const ENCODED_ADDRESS = encodedAddressTexts('part')

/**
 * Data of others that becomes markup of the page: innerHTML, document.write, jQuery.html and the like.
 * Facts: HTML standard, "innerHTML" and "document.write"; jQuery 3.7, "html", "append" (a text with a tag is parsed as markup).
 * Impact: an attacker who sends a link or writes data of the backend runs code in the session of another user.
 */
export const xssDomSink: Rule = defineRule({
  id: 'ui5/xss-dom-sink',
  impact: 'session',
  confidence: 'high',
  cwe: [79],
  since: '0.2.0',
  docs: 'https://ui5.sap.com/#/topic/91f0bd316f4d1014b6dd926db0e91070',
  yieldsTo: ['ui5/webcomponents-raw-html'],
  on: 'flow',
  extracts: [...ROW_EXTRACTS, absentWrites, operationHandlers, chosenRequests],

  *check(hit, project) {
    if (isWrittenNowhere(hit, project) || isAnsweredFromCode(hit, project)) return
    const variant = variantOf(hit)
    const args = { part: hit.quotedPart, sink: hit.sink, ...outsideArgs(hit) }
    // a link to the app names the host that answers
    if (isOfChosenRequest(hit, project))
      return yield { ...gradeMarkup(hit, project), reach: 'anyone', evidence: 'shown', args, variant: 'chosen' }
    if (hit.marks.has('handler')) return yield { ...gradeMarkup(hit, project), args, variant: 'handler' }
    // one encoder is at fault for all places of a page
    if (hit.marks.has('quotes'))
      return yield { ...gradeMarkup(hit, project), args, variant: 'quotes', groupKey: `${hit.at.file} ${variant ?? ''} quotes` }
    if (hit.marks.has('encoded-address')) return yield { ...gradeEncodedAddress(hit, project), args }
    yield {
      ...gradeMarkup(hit, project),
      args,
      ...(variant !== undefined && {
        variant: variant === 'indirect' ? secondHandOf(hit) : (answerOf(hit) ?? variant),
      }),
    }
  },

  text: () => ({
    en: {
      title: 'DOM-based cross-site scripting (XSS)',
      message: 'A value from {part} is written to the page as markup by {sink}, without encoding.',
      why: MARKUP_BY_ORIGIN.en.link.why,
      fix: 'Display text with textContent or a control such as sap.m.Text, encode the value with sap/base/security/encodeXML, or sanitize markup with DOMPurify.sanitize(value) (npm package dompurify).',
      variants: {
        address: ENCODED_ADDRESS.en,
        handler: {
          ...HANDLER_TEXTS.en,
          message:
            'A value from {part} becomes part of the JavaScript of an event attribute such as onclick, in markup written by {sink}.',
        },
        quotes: {
          ...QUOTES_TEXTS.en,
          message: 'A value from {part} is written into an attribute of the markup that {sink} gets; its encoding leaves quotes.',
        },
        stored: {
          ...MARKUP_BY_ORIGIN.en.stored,
          title: 'Stored cross-site scripting (XSS) through the DOM',
          message: 'A value from {part}, which comes from a backend, is written to the page as markup by {sink}.',
        },
        chosen: {
          title: 'XSS: answer of a server that a link chooses written as markup',
          message:
            'A value from {part}, whose address a startup parameter of the app chooses, is written to the page as markup by {sink}.',
          why: 'An attacker can send a link to the app that names a server of their own: the markup that it answers, with its scripts, runs in the session of the user who opens the link.',
          fix: 'Load it from a fixed address of the app’s own server. If the parameter is needed, accept only addresses of a list of known ones before the request.',
        },
        account: {
          ...MARKUP_BY_ORIGIN.en.own,
          title: 'Data of the signed-in user written to the page as markup',
          message: 'A value from {part}, which is the account of the signed-in user, is written to the page as markup by {sink}.',
        },
        answered: {
          ...MARKUP_BY_ORIGIN.en.unknown,
          title: 'Answer to a change written to the page as markup',
          message:
            'A value from {part}, with which a service answers a change that this page asks for, is written to the page as markup by {sink}.',
        },
        machine: {
          title: 'Answer of localhost written to the page as markup',
          message:
            'A value from {part}, which asks a server on the user’s own computer or in a developer’s workspace, is written to the page as markup by {sink}.',
          why: 'As soon as the page asks a server that several users share, an attacker who can write that data can store a script in it, which runs in the session of every user who opens the page.',
        },
        refused: {
          ...MARKUP_BY_ORIGIN.en.unknown,
          title: 'Error message of a service written to the page as markup',
          message:
            'A value from {part}, with which a service answers a request that it refuses, is written to the page as markup by {sink}.',
        },
        own: {
          ...MARKUP_BY_ORIGIN.en.own,
          title: 'User input written to the page as markup',
          message: '{part}, which the user enters, is written to the page as markup by {sink}.',
        },
        property: {
          ...MARKUP_BY_ORIGIN.en.indirect,
          title: 'XSS: control property written as markup',
          message: 'The control property {part} is written to the page as markup by {sink}, without encoding.',
        },
        storage: {
          ...MARKUP_BY_ORIGIN.en.indirect,
          title: 'XSS: value from the browser storage written as markup',
          message: '{part}, which is read from the browser storage, is written to the page as markup by {sink}.',
        },
        imported: {
          ...MARKUP_BY_ORIGIN.en.indirect,
          title: 'XSS: imported value written as markup',
          message: '{part}, which comes from a file or the clipboard, is written to the page as markup by {sink}.',
        },
        unknown: {
          ...MARKUP_BY_ORIGIN.en.unknown,
          title: 'Value of unknown origin written as markup',
          message:
            'A value from {part} is written to the page as markup by {sink}; nothing in the project shows where it comes from.',
        },
      },
    },
    fr: {
      title: 'Cross-site scripting (XSS) par le DOM',
      message: '{sink} écrit dans la page, comme du balisage et sans encodage, une valeur issue de {part}.',
      why: MARKUP_BY_ORIGIN.fr.link.why,
      fix: 'Affichez le texte avec textContent ou un contrôle comme sap.m.Text, encodez la valeur avec sap/base/security/encodeXML, ou assainissez le balisage avec DOMPurify.sanitize(valeur) (paquet npm dompurify).',
      variants: {
        address: ENCODED_ADDRESS.fr,
        handler: {
          ...HANDLER_TEXTS.fr,
          message:
            'Une valeur issue de {part} entre dans le JavaScript d’un attribut d’événement comme onclick, dans le balisage écrit par {sink}.',
        },
        quotes: {
          ...QUOTES_TEXTS.fr,
          message:
            'Une valeur issue de {part} se trouve dans un attribut du balisage écrit par {sink}, encodée sans ses guillemets.',
        },
        stored: {
          ...MARKUP_BY_ORIGIN.fr.stored,
          title: 'Cross-site scripting (XSS) persistant par le DOM',
          message: '{sink} écrit dans la page, comme du balisage, une valeur du backend issue de {part}.',
        },
        chosen: {
          title: 'XSS : réponse d’un serveur choisi par un lien, écrite comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur issue de {part}, dont un paramètre de démarrage de l’application choisit l’adresse.',
          why: 'Un attaquant peut envoyer un lien vers l’application qui désigne son propre serveur : le balisage que celui-ci renvoie, avec ses scripts, s’exécute dans la session de l’utilisateur qui ouvre le lien.',
          fix: 'Chargez-la depuis une adresse fixe du serveur de l’application. Si le paramètre est nécessaire, n’acceptez avant la requête que les adresses d’une liste connue.',
        },
        account: {
          ...MARKUP_BY_ORIGIN.fr.own,
          title: 'Données de l’utilisateur connecté écrites comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur du compte de l’utilisateur connecté, issue de {part}.',
        },
        answered: {
          ...MARKUP_BY_ORIGIN.fr.unknown,
          title: 'Réponse à une modification écrite comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur issue de {part}, par laquelle un service répond à une modification demandée par cette page.',
        },
        machine: {
          title: 'Réponse de localhost écrite comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur issue de {part}, qui interroge un serveur sur l’ordinateur de l’utilisateur ou dans l’espace de travail d’un développeur.',
          why: 'Dès que la page interroge un serveur commun à plusieurs utilisateurs, un attaquant qui peut écrire ces données peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui ouvre la page.',
        },
        refused: {
          ...MARKUP_BY_ORIGIN.fr.unknown,
          title: 'Message d’erreur d’un service écrit comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur issue de {part}, par laquelle un service répond à une requête qu’il refuse.',
        },
        own: {
          ...MARKUP_BY_ORIGIN.fr.own,
          title: 'Saisie de l’utilisateur écrite comme du balisage',
          message: '{sink} écrit dans la page, comme du balisage, une saisie de l’utilisateur ({part}).',
        },
        property: {
          ...MARKUP_BY_ORIGIN.fr.indirect,
          title: 'XSS : propriété de contrôle écrite comme du balisage',
          message: '{sink} écrit dans la page, comme du balisage et sans encodage, la propriété de contrôle {part}.',
        },
        storage: {
          ...MARKUP_BY_ORIGIN.fr.indirect,
          title: 'XSS : valeur du stockage du navigateur écrite comme du balisage',
          message: '{sink} écrit dans la page, comme du balisage, une valeur lue dans le stockage du navigateur ({part}).',
        },
        imported: {
          ...MARKUP_BY_ORIGIN.fr.indirect,
          title: 'XSS : valeur importée écrite comme du balisage',
          message: '{sink} écrit dans la page, comme du balisage, une valeur issue d’un fichier ou du presse-papiers ({part}).',
        },
        unknown: {
          ...MARKUP_BY_ORIGIN.fr.unknown,
          title: 'Valeur d’origine inconnue écrite comme du balisage',
          message:
            '{sink} écrit dans la page, comme du balisage, une valeur issue de {part} ; rien dans le projet n’indique d’où elle vient.',
        },
      },
    },
  }),
})

/** What an answer of a service is about, where that is not known to be of others. */
function answerOf(hit: FlowHit): 'account' | 'machine' | 'answered' | 'refused' | undefined {
  if (isOfMachine(hit)) return 'machine'
  return isOwnAnswer(hit) ? 'account' : isAnswered(hit) ? 'answered' : isOfRefused(hit) ? 'refused' : undefined
}
