import { lineOf, minorOf, patchOf, runningVersions } from '../../model/ui5/index.ts'
import type { CatalogueAnswer } from '../../catalogue/types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A version that the UI5 catalogue does not list: never released, or younger than the catalogue.
 * Facts: versionoverview.json of the UI5 catalogue; lines that were skipped (1.83, 1.137) exist nowhere.
 */
export const versionUnknown: Rule = defineRule({
  id: 'ui5/version-unknown',
  severity: 'LOW',
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
        args: { version, date: project.catalogue.date, newest },
        ...(state === 'newer' && { variant: 'newer', severity: 'INFO' }),
        sameAs: `${state} ${version}`,
      }
    }
  },

  text: {
    en: {
      title: 'UI5 version that was never released',
      message: 'The app names UI5 {version}, which the catalogue of {date} does not list.',
      why: 'What the app really loads is whatever that address, or a build, makes of it: nobody can say which corrections are in it.',
      fix: 'Name a version of the version overview.',
      variants: {
        newer: {
          title: 'UI5 version newer than the catalogue',
          message: 'The app names UI5 {version}; the catalogue at hand is of {date} and ends with {newest}.',
          why: 'Whether this version is in maintenance was not checked.',
          fix: 'Scan again with access to the UI5 catalogue, or with a newer Parapet.',
        },
      },
    },
    fr: {
      title: 'Version d’UI5 qui n’a jamais paru',
      message: 'L’application nomme UI5 {version}, que le catalogue du {date} ne connaît pas.',
      why: 'Ce que l’application charge vraiment est ce que cette adresse, ou une construction, en fait : personne ne peut dire quelles corrections y sont.',
      fix: 'Nommez une version de l’aperçu des versions.',
      variants: {
        newer: {
          title: 'Version d’UI5 plus récente que le catalogue',
          message: 'L’application nomme UI5 {version} ; le catalogue disponible date du {date} et finit par {newest}.',
          why: 'Rien n’a été vérifié sur la maintenance de cette version.',
          fix: 'Relancez l’analyse avec un accès au catalogue d’UI5, ou avec un Parapet plus récent.',
        },
      },
    },
  },
})

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
