import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import { controlsOf, readRemote, toHyphens, viewsOf, type Ui5Control } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { fileTypeChecks, openedFiles } from './_opened-uploads.ts'

/** Properties that limit the kind of file, by control; its address property. */
const UPLOADERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['sap.ui.unified.FileUploader', ['fileType', 'mimeType']],
  ['sap.m.UploadCollection', ['fileType', 'mimeType']],
  ['sap.m.upload.UploadSet', ['fileTypes', 'mediaTypes']],
  ['sap.m.upload.UploadSetwithTable', ['fileTypes', 'mediaTypes']],
  ['sap.m.plugins.UploadSetwithTable', ['fileTypes', 'mediaTypes']],
])

/** A module, a global name, a type or a tag of one of these: scripts speak of `UploadCollectionItem` and the like as well. */
const NAMES_UPLOADER = /(?:[/.<:]|\bnew\s{1,20})(?:FileUploader|UploadCollection|UploadSet|UploadSetwithTable)\b(?![.-])/

/**
 * An upload that accepts files of any kind, or sends them to another host.
 * Facts: API of sap.ui.unified.FileUploader (`fileType`, `mimeType`, `maximumFileSize`), sap.m.upload.UploadSet (`fileTypes`, `mediaTypes`, `maxFileSize`).
 * Impact: the filter of a browser is no security control, and the server must check again; an upload to another host lacks what the own server adds. Where the app
 * opens uploaded files by itself, HTML and SVG run scripts in its origin unless the server says that they are downloads (RFC 6266).
 */
export const uploadUnrestricted: Rule = defineRule({
  id: 'ui5/upload-unrestricted',
  impact: 'hygiene',
  grades: { foreign: { impact: 'defence' }, opened: { impact: 'session', reach: 'user', evidence: 'assumed' } },
  confidence: 'high',
  cwe: [434],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ui.unified.FileUploader',
  docsByVariant: {
    UploadCollection: 'https://ui5.sap.com/#/api/sap.m.UploadCollection',
    UploadSet: 'https://ui5.sap.com/#/api/sap.m.upload.UploadSet',
    UploadSetwithTable: 'https://ui5.sap.com/#/api/sap.m.plugins.UploadSetwithTable',
  },
  extracts: [openedFiles, fileTypeChecks],
  keywords: ['FileUploader', 'UploadCollection', 'UploadSet'],
  prefilter: (text) => NAMES_UPLOADER.test(text),

  checks: {
    xml: judgeViews,
    html: judgeViews,
    data: judgeViews,
    *'ui5-app'({ root, scripts }) {
      if (scripts.get(openedFiles).length === 0) return
      for (const { file, value } of scripts.get(fileTypeChecks))
        yield { at: { file, span: value }, args: NO_CONTROL, variant: 'opened', groupKey: `${root} opened` }
    },
    script: ({ path, content: { facts } }) => judgeControls(path, controlsOf(facts), settersIn(facts)),
  },

  text: () => ({
    en: {
      title: 'Unrestricted file upload',
      message: 'This {control} does not restrict file types.',
      why: 'Unless the server checks the type, an attacker can upload executables or HTML with scripts, which other users open because they trust the app.',
      fix: 'Set the allowed types and the maximum size in MB on this {control}: {example}. Check both on the server as well.',
      variants: {
        // with a page of their own
        UploadCollection: {},
        UploadSet: {},
        UploadSetwithTable: {},
        opened: {
          title: 'Uploaded files opened in the app, type checked in the browser only',
          message:
            'Only this condition in the page limits the types of uploaded files, and the app opens such files with /$value in its own origin.',
          why: 'An attacker can send any file to the service without the page. An HTML or SVG file then runs scripts in the session of the users who open it, unless the service checks types or makes browsers download files.',
          fix: 'Remove the call that opens the file, and download it, such as by a link with the attribute "download". In the service, check type and content of each file, and send it with Content-Disposition: attachment.',
        },
        foreign: {
          title: 'File upload to another host',
          message: 'This {control} sends files to {host}.',
          why: 'Your users’ files bypass your own server: its authentication, checks, logging and CSRF protection do not apply to them.',
          fix: 'Set uploadUrl to a path on your own server; in xs-app.json, route that path to a destination for {host}.',
        },
      },
    },
    fr: {
      title: 'Téléversement de fichiers sans restriction',
      message: 'Ce contrôle {control} ne restreint pas les types de fichiers.',
      why: 'Si le serveur ne vérifie pas le type, un attaquant peut téléverser des exécutables ou du HTML contenant des scripts, que d’autres utilisateurs ouvrent parce qu’ils font confiance à l’application.',
      fix: 'Indiquez sur ce contrôle {control} les types autorisés et la taille maximale en Mo : {example}. Vérifiez les deux aussi sur le serveur.',
      variants: {
        // with a page of their own
        UploadCollection: {},
        UploadSet: {},
        UploadSetwithTable: {},
        opened: {
          title: 'Fichiers téléversés ouverts dans l’application, type vérifié dans le navigateur seul',
          message:
            'Seule cette condition dans la page limite les types de fichiers téléversés, et l’application ouvre ces fichiers avec /$value dans sa propre origine.',
          why: 'Un attaquant peut envoyer tout fichier au service sans passer par la page. Un fichier HTML ou SVG exécute alors des scripts dans la session des utilisateurs qui l’ouvrent, sauf si le service vérifie les types ou impose le téléchargement.',
          fix: 'Supprimez l’appel qui ouvre le fichier et téléchargez-le, par exemple par un lien avec l’attribut "download". Dans le service, vérifiez le type et le contenu de chaque fichier et envoyez-le avec Content-Disposition: attachment.',
        },
        foreign: {
          title: 'Téléversement de fichiers vers un autre hôte',
          message: 'Ce contrôle {control} envoie des fichiers à {host}.',
          why: 'Les fichiers de vos utilisateurs contournent votre propre serveur : son authentification, ses vérifications, sa journalisation et sa protection CSRF ne s’y appliquent pas.',
          fix: 'Donnez à uploadUrl un chemin de votre propre serveur ; dans xs-app.json, ajoutez une route de ce chemin vers une destination pour {host}.',
        },
      },
    },
  }),
})

const NO_CONTROL = { control: '', host: '', example: '' }

/** What a script calls on whatever control, in lower case: `setfiletype`. */
function settersIn({ calls }: ScriptFacts): ReadonlySet<string> {
  return new Set(calls.map(({ callee }) => (callee.kind === 'member' ? (callee.name ?? '').toLowerCase() : '')))
}

/** The two properties as a script or a view in JSON, HTML or XML writes them. */
function exampleOf([limit = '']: readonly string[], file: string): string {
  const size = limit === 'fileType' ? 'maximumFileSize' : 'maxFileSize'
  if (/\.[cm]?[jt]sx?$/.test(file)) return `${limit}: ["pdf", "png"], ${size}: 10`
  if (file.endsWith('.json')) return `"${limit}": ["pdf", "png"], "${size}": 10`
  if (!/\.(?:view|fragment)\.html$/.test(file)) return `${limit}="pdf,png" ${size}="10"`
  return `${dataAttribute(limit)}="pdf,png" ${dataAttribute(size)}="10"`
}

function dataAttribute(property: string): string {
  return `data-${toHyphens(property)}`
}

/** Values that let any file pass: `mimeType` alone knows wildcards, the other lists are compared as they are written. */
const UNLIMITED = { mimeType: ['', '*/*'], list: [''] }

function isLimited({ properties }: Ui5Control, limits: readonly string[]): boolean {
  return limits.some((limit) => {
    const property = properties.get(limit)
    return (
      property?.binding.kind === 'computed' ||
      !UNLIMITED[limit === 'mimeType' ? 'mimeType' : 'list'].includes(property?.value.trim() ?? '')
    )
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
      yield { at: { file, span: address.at }, args: { control: name, host: remote.host, example: '' }, variant: 'foreign' }
    else if (control.isWhole && !isLimited(control, limits) && !isSetLater)
      yield {
        at: { file, span: control.at },
        args: { control: name, host: '', example: exampleOf(limits, file) },
        ...(name !== 'FileUploader' && { variant: name }),
      }
  }
}
