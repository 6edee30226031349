import { quoteWord } from '../../quote.ts'
import { excerptOf, findPart, isConstant, resolveValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { findCallbacks } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { openedBlobs, runsScripts, typeOfBlob } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What people upload, and nobody generates. */
const UPLOADED = /attach|upload|adjunto|anhang|allegat|piece_?jointe|anexo/i
/** Where what came in is handed on. */
const RECEIVES = /^(?:then|done|success|always|onload|read(?:ed)?)$/

/**
 * A file of other users that is opened as a document of the page's own origin: a `blob:` URL has the origin of the page that made it, and the type that whoever uploaded the file
 * chose.
 * Facts: File API, "Origin of Blob URLs", `Blob.type`; HTML standard, "Navigating"; a link with `download` saves.
 * Impact: scripts of the file act as the user who opens it; whether the server lets such types in is not in the page.
 */
export const blobUrlNavigation: Rule = defineRule({
  id: 'ui5/blob-url-navigation',
  impact: 'session',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [79, 434],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/File_Upload_Cheat_Sheet.html',
  keywords: ['createObjectURL'],
  on: 'browser-script',

  *check({ path, text, content: { facts }, budget }) {
    const callbacks = findCallbacks(facts)
    const isOfUploads = UPLOADED.test(path) || UPLOADED.test(text)
    for (const { value, blob } of openedBlobs(facts, (steps) => void budget.step(steps))) {
      const made = resolveValue(blob)
      const said = typeOfBlob(made)
      const type = said !== undefined && runsScripts(said) ? said : undefined
      if (type === undefined ? !isOfUploads || !isReceived(made, callbacks) || asksType(facts, blob, text) : isConstant(type))
        continue
      yield {
        at: { file: path, span: { start: value.start, end: value.end } },
        args: { blob: quoteWord(excerptOf(text, type ?? blob)) },
        ...(type !== undefined && { variant: 'type' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Uploaded file opened in the origin of the app',
      message: '{blob} is opened as a blob URL with the media type that the server sends.',
      why: 'If another user has uploaded an HTML or SVG file, its scripts run in the origin of the app, with the session of the user who opens it.',
      fix: 'Save the file instead of opening it: set the "download" attribute of a link to the file name. To show PDF files and images, first check {blob}.type against a list that contains neither HTML nor SVG nor XML.',
      variants: {
        type: {
          message: 'A blob URL is opened with the media type {blob}, which the data chooses.',
          fix: 'Save the file instead of opening it: set the "download" attribute of a link to the file name. To show PDF files and images, first check {blob} against a list that contains neither HTML nor SVG nor XML.',
        },
      },
    },
    fr: {
      title: 'Fichier téléversé ouvert dans l’origine de l’application',
      message: '{blob} est ouvert par une URL blob avec le type de média que le serveur envoie.',
      why: 'Si un autre utilisateur a téléversé un fichier HTML ou SVG, ses scripts s’exécutent dans l’origine de l’application, avec la session de la personne qui ouvre le fichier.',
      fix: 'Enregistrez le fichier au lieu de l’ouvrir : définissez l’attribut "download" d’un lien avec le nom du fichier. Pour afficher des PDF et des images, comparez d’abord {blob}.type à une liste qui ne contient ni HTML, ni SVG, ni XML.',
      variants: {
        type: {
          message: 'Une URL blob est ouverte avec le type de média {blob}, que les données choisissent.',
          fix: 'Enregistrez le fichier au lieu de l’ouvrir : définissez l’attribut "download" d’un lien avec le nom du fichier. Pour afficher des PDF et des images, comparez d’abord {blob} à une liste qui ne contient ni HTML, ni SVG, ni XML.',
        },
      },
    },
  }),
})

/** The answer of a request as it is: `await response.blob()`, `request.response`, what `then` is given. */
function isReceived(made: Value, callbacks: ReturnType<typeof findCallbacks>): boolean {
  if (made.kind === 'new') return false
  const given = made.kind === 'await' ? resolveValue(made.value) : made
  const name = lastNameOf(given.kind === 'call' ? given.callee : given)
  if (name === 'blob' || name === 'response') return true
  const binding = made.kind === 'reference' ? made.binding : undefined
  const callback = binding?.kind === 'parameter' ? callbacks.get(binding.function) : undefined
  return callback !== undefined && RECEIVES.test(lastNameOf(callback.call.callee) ?? '')
}

/** Whether a condition looks at the type of what is opened. */
function asksType({ guards }: ScriptFacts, blob: Value, text: string): boolean {
  const asked = `${excerptOf(text, blob)}.type`
  return guards.some(({ test }) => findPart(test, (part) => excerptOf(text, part) === asked) !== undefined)
}
