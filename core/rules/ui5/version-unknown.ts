import { dayArgument } from '../../arguments.ts'
import { findTarget, lineOf, minorOf, patchOf, runningVersions } from '../../model/ui5/index.ts'
import type { CatalogueAnswer } from '../../catalogue/types.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A version that the UI5 catalogue does not list: never released, or newer than the catalogue.
 * Facts: versionoverview.json of the UI5 catalogue; lines that were skipped (1.83, 1.137) exist nowhere.
 * Impact: worth knowing.
 */
export const versionUnknown: Rule = defineRule({
  id: 'ui5/version-unknown',
  impact: 'hygiene',
  confidence: 'medium',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/versionoverview.html',
  on: 'ui5-app',

  *check(app, project) {
    const newest = project.catalogue.lines[0]?.minor
    if (newest === undefined) return
    for (const { version, at } of runningVersions(app.versions)) {
      const state = judge(version, newest, project.catalogue)
      if (state === undefined) continue
      yield {
        at,
        args: {
          version,
          date: dayArgument(project.catalogue.date),
          newest,
          file: at.file,
          target: targetFor(version, newest, project),
        },
        ...(state === 'newer' && { variant: 'newer' }),
        groupKey: `${state} ${version}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unknown UI5 version',
      message: 'The app requests UI5 {version}, which the UI5 catalogue of {date} does not list.',
      why: 'The app fails to load UI5, or runs with whatever its server or build delivers under that number, so it is unknown which security fixes it contains.',
      fix: 'Replace {version} with {target} in {file}.',
      variants: {
        newer: {
          title: 'UI5 version missing from the version catalogue',
          message: 'The app requests UI5 {version}, but the version catalogue that Parapet uses ({date}) ends with {newest}.',
          why: 'Parapet could not check whether this version is still in maintenance.',
          fix: 'Scan again with internet access or a newer version of Parapet, so that it uses the current list of UI5 versions. If {version} is not in that list, replace it with {target} in {file}.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 inconnue',
      message: 'L’application demande UI5 {version}, une version absente du catalogue UI5 du {date}.',
      why: 'L’application ne peut pas charger UI5, ou s’exécute avec ce que son serveur ou son build fournit sous ce numéro : il est impossible de savoir quels correctifs de sécurité sont inclus.',
      fix: 'Remplacez {version} par {target} dans {file}.',
      variants: {
        newer: {
          title: 'Version d’UI5 absente du catalogue des versions',
          message:
            'L’application demande UI5 {version}, mais le catalogue des versions utilisé par Parapet ({date}) s’arrête à {newest}.',
          why: 'Il n’a pas été possible de vérifier si cette version est encore maintenue.',
          fix: 'Relancez l’analyse avec un accès à internet ou une version plus récente de Parapet, pour utiliser la liste actuelle des versions d’UI5. Si {version} n’y figure pas, remplacez cette version par {target} dans {file}.',
        },
      },
    },
  }),
})

/** A line that was never released has no newer ones. */
function targetFor(version: string, newest: string, { catalogue, date }: Pick<Project, 'catalogue' | 'date'>): string {
  const isBeyond = (minorOf(version) ?? 0) > (minorOf(newest) ?? 0)
  const lowest = patchOf(version) === undefined ? '1.0' : '1.0.0'
  return findTarget(isBeyond ? lowest : version, catalogue, date)
}

/** Suffixes name builds and editions of their own; a newer patch of a known line is nothing special. */
function judge(version: string, newest: string, catalogue: CatalogueAnswer): 'unknown' | 'newer' | undefined {
  const minor = minorOf(version)
  if (minor === undefined || version.includes('-')) return undefined
  const line = lineOf(version, catalogue)
  if (line === undefined)
    return minor > (minorOf(newest) ?? 0) ? (minor > (minorOf(newest) ?? 0) + 50 ? 'unknown' : 'newer') : 'unknown'
  if (line.support === 'skipped') return 'unknown'
  const patch = patchOf(version)
  const last = Math.max(-1, ...line.patches.flatMap((listed) => patchOf(listed) ?? []))
  return patch !== undefined && patch < last && !line.patches.includes(version) ? 'unknown' : undefined
}
