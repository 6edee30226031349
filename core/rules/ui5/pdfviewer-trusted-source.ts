import type { FileContent, OpenFile } from '../../files.ts'
import type { Match } from '../../types.ts'
import { constantOf, findPart, isConstant, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { constructionsOf, fieldOf, readSetting, viewsOf } from '../../model/ui5/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A PDF viewer that trusts any document that data names.
 * Facts: API of sap.m.PDFViewer: `isTrustedSource` is false by default; then a document opens in a tab of its own instead of in the page.
 * Severity: a second fault is needed, a document or address that an attacker can write (MEDIUM).
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
      title: 'PDFViewer trusts an untrusted document source',
      message: 'isTrustedSource is true, and the document of this PDFViewer comes from data.',
      why: 'The document is embedded in the app: an attacker who can write its address, or upload the file, shows active content inside the session of the user.',
      fix: 'Remove isTrustedSource (the default false opens the document outside the app), or set source to a fixed path of the app.',
    },
    fr: {
      title: 'PDFViewer : source de document non fiable approuvée',
      message: 'isTrustedSource vaut true, et le document de ce PDFViewer provient de données.',
      why: 'Le document est intégré à l’application : un attaquant qui peut écrire son adresse, ou déposer le fichier, affiche un contenu actif dans la session de l’utilisateur.',
      fix: 'Supprimez isTrustedSource (la valeur par défaut false ouvre le document hors de l’application), ou donnez à source un chemin fixe de l’application.',
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
