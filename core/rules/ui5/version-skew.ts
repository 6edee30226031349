import { findTarget, minorOf, patchOf, runningVersions, type Ui5App, type VersionSource } from '../../model/ui5/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app that requires a newer UI5 than the one that it runs with, or whose pages load different lines.
 * Facts: SAPUI5, "Descriptor for Applications": `minUI5Version` may be a list, one per major version.
 * Impact: worth knowing.
 */
export const versionSkew: Rule = defineRule({
  id: 'ui5/version-skew',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/be0cf40f61184b358b5faedaec98b2da',
  docsByVariant: { pages: 'https://ui5.sap.com/versionoverview.html' },
  on: 'ui5-app',

  *check(app, project) {
    const running = runningVersions(app.versions)
    const [first] = running
    if (first === undefined) return
    const wanted = lowerBound(app)
    const targetFrom = (version: string): string => {
      const line = `1.${minorOf(version) ?? 0}`
      return findTarget(patchOf(first.version) === undefined ? line : `${line}.0`, project.catalogue, project.date)
    }
    // the version of a launchpad is not that of the tools
    const counts = first.kind === 'bootstrap' || app.served !== 'host'
    if (wanted !== undefined && counts && isOlder(first, wanted.version))
      yield {
        at: { file: wanted.file, span: wanted.node },
        args: { wanted: wanted.version, version: first.version, file: first.at.file, target: targetFrom(wanted.version) },
      }
    const other = running.find(({ version, kind }) => kind === 'bootstrap' && minorOf(version) !== minorOf(first.version))
    if (other !== undefined && first.kind === 'bootstrap')
      yield {
        at: other.at,
        variant: 'pages',
        args: { wanted: first.version, version: other.version, file: first.at.file, target: targetFrom(first.version) },
      }
  },

  text: () => ({
    en: {
      title: 'UI5 version older than minUI5Version',
      message: 'minUI5Version is {wanted}, but {file} specifies UI5 {version}.',
      why: 'Functions that the app relies on, such as validation and encoding in newer controls, may be missing in the older version without an error.',
      fix: 'Replace {version} with {target} in {file}, or lower minUI5Version in manifest.json if the app does not need {wanted}.',
      variants: {
        pages: {
          title: 'Different UI5 versions in pages of one app',
          message: 'This page loads UI5 {version}, while {file} loads {wanted}.',
          why: 'Security fixes can reach one page but not the other, and often only one of the versions is tested.',
          fix: 'Use the same version in the src URL of the bootstrap script in both pages: {target}.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 antérieure à minUI5Version',
      message: 'minUI5Version vaut {wanted}, mais {file} indique UI5 {version}.',
      why: 'Des fonctions dont dépend l’application, comme la validation ou l’encodage dans des contrôles plus récents, peuvent être absentes de l’ancienne version sans qu’aucune erreur ne le signale.',
      fix: 'Remplacez {version} par {target} dans {file}, ou abaissez minUI5Version dans manifest.json si l’application n’a pas besoin de {wanted}.',
      variants: {
        pages: {
          title: 'Versions d’UI5 différentes dans les pages d’une application',
          message: 'Cette page charge UI5 {version}, alors que {file} charge {wanted}.',
          why: 'Un correctif de sécurité peut ne parvenir qu’à l’une des deux pages, et souvent une seule des deux versions est testée.',
          fix: 'Utilisez la même version dans l’URL src du script d’amorçage des deux pages : {target}.',
        },
      },
    },
  }),
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
