import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import { controlsOf, readRemote, viewsOf, type Ui5Control } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Properties that limit the kind of file, by control; its address property. */
const UPLOADERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sap.ui.unified.FileUploader', ['fileType', 'mimeType']],
  ['sap.m.UploadCollection', ['fileType', 'mimeType']],
  ['sap.m.upload.UploadSet', ['fileTypes', 'mediaTypes']],
  ['sap.m.upload.UploadSetwithTable', ['fileTypes', 'mediaTypes']],
  ['sap.m.plugins.UploadSetwithTable', ['fileTypes', 'mediaTypes']],
])

/**
 * An upload that takes files of any kind, or sends them to another host.
 * Facts: API of sap.ui.unified.FileUploader (`fileType`, `mimeType`), sap.m.upload.UploadSet (`fileTypes`, `mediaTypes`). It is a first hurdle alone:
 * the server must check again.
 */
export const uploadUnrestricted: Rule = defineRule({
  id: 'ui5/upload-unrestricted',
  severity: 'LOW',
  confidence: 'high',
  cwe: [434],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.unified.FileUploader',
  keywords: ['FileUploader', 'UploadCollection', 'UploadSet'],

  checks: {
    xml: judgeViews,
    html: judgeViews,
    data: judgeViews,
    script: ({ path, content: { facts } }) => judgeControls(path, controlsOf(facts), settersIn(facts)),
  },

  text: {
    en: {
      title: 'An upload takes files of any kind',
      message: '{control} names no kinds of files.',
      why: 'Users upload pages with script and programs as well as documents, and whoever opens such a file from here trusts it; where the server does not check either, nothing does.',
      fix: 'Name the kinds: {properties}, and a maximum size. Check both on the server again.',
      variants: {
        foreign: {
          title: 'An upload sends files to another host',
          message: '{control} sends files to {host}.',
          why: 'What users upload leaves the system without passing its checks, its logging and its protection against forged requests.',
          fix: 'Upload to a path of the own server, which a route leads to its target.',
        },
      },
    },
    fr: {
      title: 'Un téléversement accepte des fichiers de toute sorte',
      message: '{control} ne nomme pas de types de fichiers.',
      why: 'Des utilisateurs téléversent des pages avec script et des programmes aussi bien que des documents, et qui ouvre un tel fichier d’ici lui fait confiance ; si le serveur ne vérifie pas non plus, rien ne le fait.',
      fix: 'Nommez les types : {properties}, et une taille maximale. Vérifiez les deux à nouveau sur le serveur.',
      variants: {
        foreign: {
          title: 'Un téléversement envoie des fichiers à un autre hôte',
          message: '{control} envoie des fichiers à {host}.',
          why: 'Ce que des utilisateurs téléversent quitte le système sans passer par ses vérifications, sa journalisation et sa protection contre les requêtes forgées.',
          fix: 'Téléversez vers un chemin du propre serveur, qu’une route mène à sa cible.',
        },
      },
    },
  },
})

/** What a script calls on whatever control, in lower case: `setfiletype`. */
function settersIn({ calls }: ScriptFacts): ReadonlySet<string> {
  return new Set(calls.map(({ callee }) => (callee.kind === 'member' ? (callee.name ?? '').toLowerCase() : '')))
}

function isLimited({ properties }: Ui5Control, limits: readonly string[]): boolean {
  return limits.some((limit) => {
    const property = properties.get(limit)
    return property?.binding.kind === 'computed' || !['', '*', '*/*'].includes(property?.value.trim() ?? '')
  })
}

function judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  return judgeControls(
    file.path,
    viewsOf(file).flatMap(({ controls }) => controls),
    new Set(),
  )
}

function* judgeControls(file: string, controls: readonly Ui5Control[], setters: ReadonlySet<string>): Generator<Match> {
  for (const control of controls) {
    const limits = UPLOADERS.get(control.type)
    if (limits === undefined) continue
    const name = control.type.slice(control.type.lastIndexOf('.') + 1)
    const address = control.properties.get('uploadUrl')
    const remote = readRemote(address?.value ?? '')
    const isSetLater = limits.some((limit) => setters.has(`set${limit}`.toLowerCase()))
    if (address !== undefined && remote !== undefined)
      yield { at: { file, span: address.at }, args: { control: name, host: remote.host, properties: '' }, variant: 'foreign' }
    else if (control.isWhole && !isLimited(control, limits) && !isSetLater)
      yield { at: { file, span: control.at }, args: { control: name, host: '', properties: limits.join(', ') } }
  }
}
