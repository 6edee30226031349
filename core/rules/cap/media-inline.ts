import {
  exposedMembers,
  wordOf,
  type CapElement,
  type CapMember,
  type CapRoot,
  type CapService,
  type ExposedMember,
} from '../../model/cap/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { memberName, ofUsers, worstAtPlaces } from './_matches.ts'
import { entityHandlers, handlersFor } from './_handlers/write-handlers.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { acceptedTypes, enforcesMediaLimits } from './_model/media-limits.ts'

/**
 * Uploaded files that browsers render in the origin of the application, with a media type that the uploader chose: stored XSS.
 * Facts: capire, "Serving Media Data"; @sap/cds 10.1.1, generic/media.js (the request's Content-Type becomes the stored type), stream.js.
 * @Core.AcceptableMediaTypes restricts uploads with @cap-js/attachments alone.
 * Impact: a script of whoever may upload runs in the session of those who open the address of the file; where clients cannot write it here, who does is not
 * known.
 */
export const mediaInline: Rule = defineRule({
  id: 'cap/media-inline',
  impact: 'session',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/media-data#annotating-media-elements',
  on: 'cap-root',
  extracts: [entityHandlers],

  *check(root, { files, reach }) {
    const matches: Match[] = []
    const isLimited = enforcesMediaLimits(root, files)
    const isPublic = ({ service, entity, member }: ExposedMember): boolean =>
      exposureOf(service, entity, reach, ['READ']).reach === 'anyone' && !isTypeAsked(service, entity, member, root)
    for (const exposed of exposedMembers(root)) {
      const { isWritten, member, service, entity } = exposed
      const disposition = member.annotations.get('Core.ContentDisposition.Type')
      const isPlain = disposition === undefined && isWritten && isSentPlainly(member, root)
      const said = isPlain ? member.annotations.get('Core.MediaType') : disposition
      if (said === undefined || (!isPlain && wordOf(said.value)?.trim().toLowerCase() !== 'inline')) continue
      const type = mediaTypeOf(member)
      // a redirect leads to another origin
      if (type === undefined || isSafe(type, isLimited ? acceptedTypes(member) : []) || member.annotations.has('Core.IsURL'))
        continue
      matches.push({
        at: said.place,
        args: { element: memberName(exposed), type: quoteWord(type.text), file: said.place.file },
        // what is read-only in one service may be uploaded through another one; of what is not meant to be shown, who opens the address is not known, unless callers need no login for it
        evidence: isPlain && !isPublic(exposed) ? 'assumed' : isWritten ? 'shown' : 'guessed',
        // that callers need no login is a finding of the service
        exposure: ofUsers(exposureOf(service, entity, reach, isWritten ? ['CREATE', 'UPDATE'] : ['READ'])),
        ...(isPlain ? { variant: 'plain' } : type.isConstant ? { variant: 'constant' } : !isWritten && { variant: 'readonly' }),
      })
    }
    yield* worstAtPlaces(matches)
  },

  text: () => ({
    en: {
      title: 'Stored XSS through files displayed inline',
      message:
        "{element} is annotated with @Core.ContentDisposition.Type: 'inline', and its media type is stored in {type}, which the uploader chooses.",
      why: 'An attacker who can upload files can store an HTML or SVG file with a script, which runs in the session of every user who opens that file.',
      fix: "Set @Core.ContentDisposition.Type: 'attachment' in {file}, with @Core.ContentDisposition.Filename (without it, CAP Node.js sends no Content-Disposition). Or keep 'inline' with a constant @Core.MediaType without scripts, such as 'image/png'.",
      variants: {
        readonly: {
          message:
            "{element} is annotated with @Core.ContentDisposition.Type: 'inline', and its media type is stored in {type}; this service exposes it as read-only.",
          why: 'If an attacker can store an HTML or SVG file there in another way, a script in it runs in the session of every user who opens the file.',
        },
        plain: {
          message:
            '{element} has no @Core.ContentDisposition.Filename, so CAP sends it without Content-Disposition; its media type is stored in {type}, which the uploader chooses.',
          why: 'An attacker who can upload files can store an HTML or SVG file with a script, which runs in the session of every user who opens the address of that file.',
          fix: "Add @Core.ContentDisposition.Filename to {element} in {file}: CAP then sends Content-Disposition: attachment. Or use a constant @Core.MediaType without scripts, such as 'image/png'.",
        },
        constant: {
          message:
            "{element} is annotated with @Core.ContentDisposition.Type: 'inline', and its media type is {type}, in which browsers execute scripts.",
          why: 'An attacker who can upload files can store one that contains a script, which runs in the session of every user who opens the file.',
          fix: "Set @Core.ContentDisposition.Type: 'attachment' in {file}, with @Core.ContentDisposition.Filename (without it, CAP Node.js sends no Content-Disposition). Or serve a type without scripts, such as image/png.",
        },
      },
    },
    fr: {
      title: 'XSS stocké via des fichiers affichés dans le navigateur',
      message:
        "{element} est annoté avec @Core.ContentDisposition.Type: 'inline', et son type de média, que choisit la personne qui dépose le fichier, est enregistré dans {type}.",
      why: 'Un attaquant autorisé à déposer des fichiers peut stocker un fichier HTML ou SVG contenant un script, qui s’exécute dans la session de chaque utilisateur qui ouvre ce fichier.',
      fix: "Définissez @Core.ContentDisposition.Type: 'attachment' dans {file}, avec @Core.ContentDisposition.Filename (sans lequel CAP Node.js n’envoie pas l’en-tête Content-Disposition). Ou gardez 'inline' avec un @Core.MediaType constant, d’un format sans script comme 'image/png'.",
      variants: {
        readonly: {
          message:
            "{element} est annoté avec @Core.ContentDisposition.Type: 'inline', et son type de média est enregistré dans {type} ; ce service ne l’expose qu’en lecture.",
          why: 'Si un attaquant peut stocker par un autre moyen un fichier HTML ou SVG dans cet élément, le script que contient ce fichier s’exécute dans la session de chaque utilisateur qui l’ouvre.',
        },
        plain: {
          message:
            '{element} n’a pas de @Core.ContentDisposition.Filename : CAP l’envoie donc sans Content-Disposition ; son type de média, que choisit la personne qui dépose le fichier, est enregistré dans {type}.',
          why: 'Un attaquant autorisé à déposer des fichiers peut stocker un fichier HTML ou SVG contenant un script, qui s’exécute dans la session de chaque utilisateur qui ouvre l’adresse de ce fichier.',
          fix: "Ajoutez @Core.ContentDisposition.Filename à {element} dans {file} : CAP envoie alors Content-Disposition: attachment. Ou utilisez un @Core.MediaType constant, d’un format sans script comme 'image/png'.",
        },
        constant: {
          message:
            "{element} est annoté avec @Core.ContentDisposition.Type: 'inline', et son type de média est {type}, un format dont les navigateurs exécutent les scripts.",
          why: 'Un attaquant autorisé à déposer des fichiers peut en stocker un qui contient un script, lequel s’exécute dans la session de chaque utilisateur qui ouvre le fichier.',
          fix: "Définissez @Core.ContentDisposition.Type: 'attachment' dans {file}, avec @Core.ContentDisposition.Filename (sans lequel CAP Node.js n’envoie pas l’en-tête Content-Disposition). Ou servez un type sans script, comme image/png.",
        },
      },
    },
  }),
})

/**
 * Node.js sends no Content-Disposition of an element without a file name, so that browsers show it. Fact: @sap/cds 8.9.10, 9.9.3 and 10.1.1, libx, collectStreamMetadata
 * and odata-v4/utils/result.js.
 */
function isSentPlainly({ annotations }: CapMember, { runtime }: CapRoot): boolean {
  return (
    runtime !== 'java' &&
    !annotations.has('Core.ContentDisposition.Filename') &&
    annotations.get('Core.MediaType')?.value.kind === 'path'
  )
}

/** The model or a handler limits what is stored as the media type. */
function isTypeAsked(service: CapService, entity: CapElement, { annotations }: CapMember, root: CapRoot): boolean {
  const type = annotations.get('Core.MediaType')?.value
  const name = type?.kind === 'path' ? type.text : ''
  const stored = entity.members().find((one) => one.name === name)
  return (
    (stored !== undefined && LIMITS.some((one) => stored.annotations.has(one))) ||
    handlersFor(root, service, entity).some(({ refuses, looksAt }) => refuses && looksAt.includes(name))
  )
}

const LIMITS = ['assert.range', 'assert.format', 'assert', 'readonly', 'Core.Computed', 'Core.Immutable']

interface MediaType {
  readonly text: string
  /** Fixed in the model; else an element of the row holds it. */
  readonly isConstant: boolean
}

function mediaTypeOf({ annotations }: CapMember): MediaType | undefined {
  const value = annotations.get('Core.MediaType')?.value
  if (value?.kind === 'string') return { text: String(value.value), isConstant: true }
  if (value?.kind === 'path') return { text: value.text, isConstant: false }
  return value?.kind === 'expression' ? { text: value.expression.text, isConstant: false } : undefined
}

/** Types in which browsers execute scripts. */
const ACTIVE =
  /^(?:text\/(?:html|xml|xsl)|application\/xml|application\/(?:xhtml|rdf|mathml)\+xml|image\/svg(?:\+xml)?|[\w.-]{1,60}\/[\w.-]{1,60}\+xml|[\w.-]{1,60}\/\*|\*(?:\/\*)?)$/i

function isSafe({ text, isConstant }: MediaType, accepted: readonly string[]): boolean {
  if (isConstant) return !ACTIVE.test(text.replace(/;.*$/s, '').trim())
  return accepted.length > 0 && !accepted.some((type) => ACTIVE.test(type.trim()))
}
