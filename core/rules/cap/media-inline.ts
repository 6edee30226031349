import { exposedMembers, wordOf, wordsOf, type CapMember } from '../../model/cap/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { memberName, worstAtPlaces } from './_matches.ts'

/** Uploaded files that a browser shows in the application's origin instead of saving them, with a type that the uploader chose.
 *  Facts: capire, "Serving Media Data"; @sap/cds 10.1.1, generic/media.js (the request's Content-Type becomes the stored type), stream.js. */
export const mediaInline: Rule = defineRule({
  id: 'cap/media-inline',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/media-data',
  on: 'cap-root',

  *check(root) {
    const matches: Match[] = []
    for (const exposed of exposedMembers(root)) {
      const { isWritten, member } = exposed
      const disposition = member.annotations.get('Core.ContentDisposition.Type')
      if (disposition === undefined || wordOf(disposition.value)?.trim().toLowerCase() !== 'inline') continue
      const type = mediaTypeOf(member)
      // a redirect leads to another origin
      if (type === undefined || isSafe(type, member) || member.annotations.has('Core.IsURL')) continue
      matches.push({
        at: disposition.place,
        args: { element: memberName(exposed), type: type.text },
        // who can't upload through one service may do so through another one
        severity: isWritten ? 'MEDIUM' : 'LOW',
        ...(type.isConstant && { variant: 'constant' }),
      })
    }
    yield* worstAtPlaces(matches)
  },

  text: {
    en: {
      title: 'Uploaded files are shown in the application’s own origin',
      message:
        "{element} is sent with Content-Disposition 'inline' and the media type that is stored in the element {type}: whoever uploads chooses it.",
      why: 'An uploaded HTML or SVG file runs its script as the user who opens the link, with that user’s session.',
      fix: 'Remove @Core.ContentDisposition.Type (the default is attachment), or make @Core.MediaType a constant image type other than SVG.',
      variants: {
        constant: {
          message: "{element} is sent with Content-Disposition 'inline' and the type {type}, which may hold script.",
          fix: 'Remove @Core.ContentDisposition.Type (the default is attachment), or serve a type that holds no script.',
        },
      },
    },
    fr: {
      title: 'Les fichiers déposés s’affichent dans l’origine de l’application',
      message:
        '{element} est envoyé avec Content-Disposition « inline » et le type enregistré dans l’élément {type} : celui qui dépose le fichier le choisit.',
      why: 'Un fichier HTML ou SVG déposé exécute son script au nom de l’utilisateur qui ouvre le lien, avec sa session.',
      fix: 'Supprimez @Core.ContentDisposition.Type (attachment par défaut), ou donnez à @Core.MediaType un type d’image constant autre que SVG.',
      variants: {
        constant: {
          message: '{element} est envoyé avec Content-Disposition « inline » et le type {type}, qui peut contenir du script.',
          fix: 'Supprimez @Core.ContentDisposition.Type (attachment par défaut), ou servez un type qui ne contient pas de script.',
        },
      },
    },
  },
})

interface MediaType {
  readonly text: string
  /** It stands in the model; else an element of the row holds it. */
  readonly isConstant: boolean
}

function mediaTypeOf({ annotations }: CapMember): MediaType | undefined {
  const value = annotations.get('Core.MediaType')?.value
  if (value?.kind === 'string') return { text: String(value.value), isConstant: true }
  if (value?.kind === 'path') return { text: value.text, isConstant: false }
  return value?.kind === 'expression' ? { text: value.expression.text, isConstant: false } : undefined
}

/** Types that browsers run script of. */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl)|application\/xml|application\/(?:xhtml|rdf|mathml)\+xml|image\/svg(?:\+xml)?|[\w.-]{1,60}\/[\w.-]{1,60}\+xml|[\w.-]{1,60}\/\*|\*(?:\/\*)?)$/i

function isSafe({ text, isConstant }: MediaType, { annotations }: CapMember): boolean {
  if (isConstant) return !ACTIVE.test(text.replace(/;.*$/s, '').trim())
  const accepted = wordsOf(annotations.get('Core.AcceptableMediaTypes')?.value)
  return accepted.length > 0 && !accepted.some((type) => ACTIVE.test(type.trim()))
}
