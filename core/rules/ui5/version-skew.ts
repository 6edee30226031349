import { minorOf, patchOf, runningVersions, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app that asks for a newer UI5 than the one that it runs with, or whose pages boot different lines.
 * Facts: SAPUI5, "Descriptor for Applications": `minUI5Version` may be a list, one per major version.
 */
export const versionSkew: Rule = defineRule({
  id: 'ui5/version-skew',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app) {
    const running = runningVersions(app.versions)
    const [first] = running
    if (first === undefined) return
    const wanted = lowerBound(app)
    // the version of a launchpad is not that of the tools
    const counts = first.kind === 'bootstrap' || app.served !== 'host'
    if (wanted !== undefined && counts && isOlder(first, wanted.version))
      yield {
        at: { file: wanted.file, span: wanted.node },
        args: { wanted: wanted.version, version: first.version, file: first.at.file },
      }
    const other = running.find(({ version, kind }) => kind === 'bootstrap' && minorOf(version) !== minorOf(first.version))
    if (other !== undefined && first.kind === 'bootstrap')
      yield { at: other.at, variant: 'pages', args: { wanted: first.version, version: other.version, file: first.at.file } }
  },

  text: {
    en: {
      title: 'The app runs with an older UI5 than it asks for',
      message: 'minUI5Version is {wanted}, {file} says {version}.',
      why: 'What was written for the newer version behaves otherwise in the older one: checks and encodings that it relies on may not be there yet.',
      fix: 'Raise the version in {file} to {wanted} at least.',
      variants: {
        pages: {
          title: 'Pages of one app boot different UI5 versions',
          message: 'This page boots UI5 {version}, {file} boots {wanted}.',
          why: 'Corrections reach one page and not the other, and only one of them is what was tested.',
          fix: 'Let all pages of the app boot one version.',
        },
      },
    },
    fr: {
      title: 'L’application s’exécute avec un UI5 plus ancien que demandé',
      message: 'minUI5Version vaut {wanted}, {file} dit {version}.',
      why: 'Ce qui a été écrit pour la version plus récente se comporte autrement dans l’ancienne : des vérifications et encodages sur lesquels elle compte peuvent y manquer.',
      fix: 'Relevez la version dans {file} à {wanted} au moins.',
      variants: {
        pages: {
          title: 'Des pages d’une même application démarrent des versions d’UI5 différentes',
          message: 'Cette page démarre UI5 {version}, {file} démarre {wanted}.',
          why: 'Les corrections atteignent une page et non l’autre, et une seule des deux a été testée.',
          fix: 'Faites démarrer une seule version par toutes les pages de l’application.',
        },
      },
    },
  },
})

function lowerBound({ manifest }: Ui5App): { file: string; node: DataNode; version: string } | undefined {
  const written = at(manifest?.root, 'sap.ui5', 'dependencies', 'minUI5Version')
  if (manifest === undefined || written === undefined) return undefined
  for (const node of [written, ...itemsOf(written)]) {
    const version = stringOf(node)?.trim()
    if (version !== undefined && minorOf(version) !== undefined) return { file: manifest.file, node, version }
  }
  return undefined
}

function isOlder({ version }: VersionSource, wanted: string): boolean {
  const [have, need] = [minorOf(version), minorOf(wanted)]
  if (have === undefined || need === undefined) return false
  // a line alone is its newest patch
  return have < need || (have === need && (patchOf(version) ?? Infinity) < (patchOf(wanted) ?? 0))
}
