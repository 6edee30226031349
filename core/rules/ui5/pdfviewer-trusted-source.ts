import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import { constantOf, findPart, isConstant, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { constructionsOf, fieldOf, readSetting, viewsOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A PDF viewer that is told to trust whatever document data names.
 * Facts: API of sap.m.PDFViewer: `isTrustedSource` is false by default; then a document opens in a tab of its own instead of in the page.
 */
export const pdfviewerTrustedSource: Rule = defineRule({
  id: 'ui5/pdfviewer-trusted-source',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [79],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.m.PDFViewer',
  keywords: ['isTrustedSource', 'data-is-trusted-source'],

  checks: {
    xml: judgeViews,
    html: judgeViews,
    data: judgeViews,
    *script({ path, content: { facts } }) {
      // a source that is set later, on whatever viewer of the file
      const set = facts.calls.flatMap(({ callee, args }) =>
        callee.kind === 'member' && callee.name === 'setSource' ? args.slice(0, 1) : [],
      )
      for (const { settings } of constructionsOf(facts, 'sap/m/PDFViewer')) {
        const trusted = fieldOf(settings, 'isTrustedSource')
        if (trusted === undefined || constantOf(trusted) !== true) continue
        const source = fieldOf(settings, 'source')
        if (![...(source === undefined ? [] : [source]), ...set].some(isOfData)) continue
        yield { at: { file: path, span: { start: trusted.start, end: trusted.end } } }
      }
    },
  },

  text: {
    en: {
      title: 'A PDF viewer trusts any document',
      message: 'isTrustedSource is true, and data decides which document the viewer shows.',
      why: 'The document is shown inside the app: whoever can write its address, or the file behind it, shows active content there, in the session of your user.',
      fix: 'Remove isTrustedSource, or check the address against a fixed list before it is set.',
    },
    fr: {
      title: 'Un lecteur PDF fait confiance à n’importe quel document',
      message: 'isTrustedSource vaut true, et ce sont des données qui décident quel document le lecteur affiche.',
      why: 'Le document s’affiche dans l’application : quiconque peut écrire son adresse, ou le fichier derrière elle, y affiche un contenu actif, dans la session de votre utilisateur.',
      fix: 'Supprimez isTrustedSource, ou comparez l’adresse à une liste fixe avant de la définir.',
    },
  },
})

/** Files of the app, and documents that it makes itself. */
const OWN = /^(?:toUrl|getModulePath|getResourcePath|createObjectURL)$/u

function isOfData(source: Value): boolean {
  if (readSetting(source) !== undefined) return true
  const isOwn = (part: Value): boolean => part.kind === 'call' && OWN.test(lastNameOf(part.callee) ?? '')
  return !isConstant(source, (part) => isOwn(part) || undefined) && findPart(source, isOwn) === undefined
}

function* judgeViews(file: OpenFile<FileContent>): Generator<Match> {
  for (const { type, properties } of viewsOf(file).flatMap(({ controls }) => controls)) {
    const trusted = type === 'sap.m.PDFViewer' ? properties.get('isTrustedSource') : undefined
    if (trusted?.value.trim() !== 'true' || properties.get('source')?.binding.kind !== 'bound') continue
    yield { at: { file: file.path, span: trusted.at } }
  }
}
