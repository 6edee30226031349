import { exposedMembers, isGuarded, keyIn, productionSettings, type CapMember } from '../../model/cap/index.ts'
import { booleanOf, stringOf } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { memberName, worstAtPlaces } from './_matches.ts'
import { acceptedTypes, enforcesMediaLimits } from './_model/media-limits.ts'

/**
 * Files of any type and size can be uploaded, or uploaded files are not scanned for malware.
 * Facts: capire, "Serving Media Data"; @cap-js/attachments 3.10.0 (README; `scan` is true by default, srv/malwareScanner-mocked.js finds nothing;
 * @Core.AcceptableMediaTypes and @Validation.Maximum are enforced by it alone).
 * Impact: missing defence in depth behind an upload that a user has to be allowed.
 */
export const mediaNoConstraints: Rule = defineRule({
  id: 'cap/media-no-constraints',
  impact: 'defence',
  confidence: 'high',
  cwe: [434],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#secure-untrusted-input',
  on: 'cap-root',

  *check(root, { files }) {
    const matches: Match[] = []
    const isLimited = enforcesMediaLimits(root, files)
    for (const exposed of exposedMembers(root)) {
      const { isWritten, member } = exposed
      if (member.type !== 'LargeBinary' || member.key || !isWritten || isGuarded(member)) continue
      const isNamed = namesLimit(member)
      if (hasFixedType(member) || (isNamed && isLimited)) continue
      matches.push({
        at: member.place,
        args: { element: memberName(exposed), file: member.place.file },
        ...(isNamed && { variant: 'unenforced' }),
      })
    }
    yield* worstAtPlaces(matches)
    for (const [path, isOff] of SCANNER) {
      for (const setting of productionSettings(root, 'requires', ...path)) {
        const value = String(booleanOf(setting.node) ?? stringOf(setting.node) ?? '')
        if (!isOff.test(value)) continue
        const args = {
          key: keyIn(setting, 'requires', ...path),
          value: booleanOf(setting.node) === undefined ? `"${value}"` : value,
          file: setting.place.file,
        }
        yield { at: setting.place, args, variant: 'scan' }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unrestricted file upload',
      message: 'Clients can write {element}, and the model limits neither the media type nor the size.',
      why: 'An attacker with write access can store malware or phishing pages, which other users open from a host that they trust.',
      fix: "Set a constant type on this element in {file}, such as @Core.MediaType: 'application/pdf'. Or use the aspect Attachments of @cap-js/attachments, with @Core.AcceptableMediaTypes: ['image/png'] and @Validation.Maximum: '5MB' on its \"content\".",
      variants: {
        unenforced: {
          title: 'Unenforced restriction of file uploads',
          message:
            'Clients can write {element}; its annotations restrict type or size, but only @cap-js/attachments enforces them, and the project does not use it.',
          fix: 'Add @cap-js/attachments, model the file as Composition of many Attachments, and set the limits on its "content". Or set a constant type in {file}, for example @Core.MediaType: \'application/pdf\'.',
        },
        scan: {
          title: 'Malware scan of uploaded files disabled',
          message: '{key} is {value} in {file} and applies to production: uploaded files are not scanned.',
          why: 'An attacker who can upload a file can use the application to spread malware to the users who open that file.',
          fix: 'Remove {key} from {file}, or move it under "[development]"; bind an instance of SAP Malware Scanning Service in production.',
        },
      },
    },
    fr: {
      title: 'Dépôt de fichiers sans restriction',
      message: 'Les clients peuvent écrire {element}, et le modèle n’en limite ni le type de média ni la taille.',
      why: 'Un attaquant ayant un accès en écriture peut stocker des logiciels malveillants ou des pages d’hameçonnage, que d’autres utilisateurs ouvrent depuis un hôte de confiance.',
      fix: "Définissez pour cet élément un type constant dans {file}, par exemple @Core.MediaType: 'application/pdf'. Ou utilisez l’aspect Attachments de @cap-js/attachments, avec @Core.AcceptableMediaTypes: ['image/png'] et @Validation.Maximum: '5MB' sur son élément \"content\".",
      variants: {
        unenforced: {
          title: 'Dépôt de fichiers : restriction sans effet',
          message:
            'Les clients peuvent écrire {element} ; ses annotations limitent le type ou la taille des fichiers, mais seul @cap-js/attachments applique ces limites, et le projet ne l’utilise pas.',
          fix: 'Ajoutez @cap-js/attachments, modélisez le fichier par une composition de l’aspect Attachments, et définissez ces limites sur son élément "content". Ou définissez dans {file} un type constant, par exemple @Core.MediaType: \'application/pdf\'.',
        },
        scan: {
          title: 'Analyse antivirus désactivée pour les fichiers déposés',
          message: '{key} vaut {value} dans {file} et s’applique à la production : les fichiers déposés ne sont pas analysés.',
          why: 'Un attaquant autorisé à déposer un fichier peut se servir de l’application pour transmettre un logiciel malveillant aux utilisateurs qui ouvrent ce fichier.',
          fix: 'Supprimez {key} de {file}, ou déplacez-le sous "[development]" ; liez une instance de SAP Malware Scanning Service en production.',
        },
      },
    },
  }),
})

const SCANNER: readonly (readonly [readonly string[], RegExp])[] = [
  [['attachments', 'scan'], /^false$/],
  [['malwareScanner', 'kind'], /mock/],
]

/** A fixed type, or an address. The uploader chooses the type that a row holds. */
function hasFixedType({ annotations }: CapMember): boolean {
  return annotations.get('Core.MediaType')?.value.kind === 'string' || annotations.has('Core.IsURL')
}

/** A list of types, or a maximum size. */
function namesLimit(member: CapMember): boolean {
  const accepted = acceptedTypes(member)
  const isSized = ['Validation.Maximum', 'Validation.MaxLength'].some((name) => member.annotations.has(name))
  return isSized || (accepted.length > 0 && !accepted.includes('*/*'))
}
