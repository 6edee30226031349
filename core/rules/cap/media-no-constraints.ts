import { exposedMembers, isGuarded, keyIn, productionSettings, wordsOf, type CapMember } from '../../model/cap/index.ts'
import { booleanOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { memberName, worstAtPlaces } from './_matches.ts'

/** Files of any type and size may be uploaded, or nobody looks for malware in them.
 *  Facts: capire, "Serving Media Data"; @cap-js/attachments 3.10.0 (README; `scan` is true by default, srv/malwareScanner-mocked.js finds nothing). */
export const mediaNoConstraints: Rule = defineRule({
  id: 'cap/media-no-constraints',
  severity: 'LOW',
  confidence: 'high',
  cwe: [434],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  on: 'cap-root',

  *check(root) {
    const matches: Match[] = []
    for (const exposed of exposedMembers(root)) {
      const { isWritten, member } = exposed
      if (member.type !== 'LargeBinary' || member.key || !isWritten || isGuarded(member)) continue
      if (isConstrained(member)) continue
      matches.push({ at: member.place, args: { element: memberName(exposed) }, severity: 'LOW' })
    }
    yield* worstAtPlaces(matches)
    for (const [path, isOff] of SCANNER) {
      for (const setting of productionSettings(root, 'requires', ...path)) {
        const value = String(booleanOf(setting.node) ?? stringOf(setting.node) ?? '')
        if (!isOff.test(value)) continue
        const args = { key: keyIn(setting, 'requires', ...path), value, file: setting.place.file }
        yield { at: setting.place, args, variant: 'scan' }
      }
    }
  },

  text: {
    en: {
      title: 'Files of any type and size may be uploaded',
      message: 'Clients write {element}, and nothing in the model says which types or how large.',
      why: 'The storage becomes a place to put malware and pages for phishing, which colleagues then open from a host that they trust.',
      fix: 'Add @Core.AcceptableMediaTypes with the types that are meant, and @Validation.Maximum.',
      variants: {
        scan: {
          title: 'Uploaded files are not scanned for malware',
          message: '{key} is {value} in {file}, and that holds in production: no uploaded file is scanned.',
          why: 'Whoever may upload a file hands malware to everybody who opens it, as an attachment of a system that they trust.',
          fix: 'Remove {key}, or move it into "[development]"; bind the SAP Malware Scanning Service in production.',
        },
      },
    },
    fr: {
      title: 'On peut déposer des fichiers de tout type et de toute taille',
      message: 'Les clients écrivent {element}, et rien dans le modèle n’en limite le type ni la taille.',
      why: 'Le stockage devient un dépôt de logiciels malveillants et de pages d’hameçonnage, que les collègues ouvrent depuis un hôte de confiance.',
      fix: 'Ajoutez @Core.AcceptableMediaTypes avec les types prévus, et @Validation.Maximum.',
      variants: {
        scan: {
          title: 'Les fichiers déposés ne passent pas par l’antivirus',
          message: '{key} vaut {value} dans {file}, et cela vaut en production : aucun fichier déposé n’est analysé.',
          why: 'Quiconque peut déposer un fichier transmet un logiciel malveillant à tous ceux qui l’ouvrent, en pièce jointe d’un système de confiance.',
          fix: 'Supprimez {key}, ou déplacez-le dans « [development] » ; liez SAP Malware Scanning Service en production.',
        },
      },
    },
  },
})

const SCANNER: readonly (readonly [readonly string[], RegExp])[] = [
  [['attachments', 'scan'], /^false$/],
  [['malwareScanner', 'kind'], /mock/],
]

/** A type in the model, a list of types, or a largest size. What a row holds as its type is the uploader's choice. */
function isConstrained({ annotations }: CapMember): boolean {
  if (annotations.get('Core.MediaType')?.value.kind === 'string') return true
  if (['Validation.Maximum', 'Validation.MaxLength', 'Core.IsURL'].some((name) => annotations.has(name))) return true
  const accepted = wordsOf(annotations.get('Core.AcceptableMediaTypes')?.value)
  return accepted.length > 0 && !accepted.includes('*/*')
}
