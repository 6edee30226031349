import compare from 'semver/functions/compare.js'
import type { Advisory } from '../../advisories/types.ts'
import type { Match, Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A library that was copied into the project, in a version that published advisories name: no package manager knows of it.
 *  Facts: the advisories of the library's package at npm (OSV.dev, GitHub Advisory Database; the bundled snapshot). Known by its banner or its file's
 *  name. What UI5 itself ships is the business of its version. */
export const vendoredLibraryVulnerable: Rule = defineRule({
  id: 'ui5/vendored-library-vulnerable',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
  on: 'project',

  *check({ files, advisories }): Generator<Match> {
    const known = new Map<string, Advisory[]>()
    for (const { name, version, advisory } of advisories.matches) {
      const there = known.get(`${name}@${version}`)
      if (there === undefined) known.set(`${name}@${version}`, [advisory])
      else there.push(advisory)
    }
    for (const { path: file, library } of files.values()) {
      if (library === undefined || isOfUi5(file)) continue
      const { package: name, version, span } = library
      const found = known.get(`${name}@${version}`)
      if (found === undefined) continue
      const [worst] = found.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity))
      if (worst === undefined) continue
      const fixed = fixOf(found)
      const args = {
        file,
        package: name,
        version,
        title: worst.title.en,
        titre: worst.title.fr,
        count: String(found.length),
        ids: listIds(found),
        fixed: fixed ?? '',
      }
      yield {
        at: { file, ...(span !== undefined && { span }) },
        args,
        ...(span === undefined && { confidence: 'medium' }),
        severity: worst.severity,
        variant: variantOf(found.length === 1, fixed !== undefined),
        sameAs: `${name}@${version}`,
      }
    }
  },

  text: {
    en: {
      title: 'A copied library with a published weakness',
      message: '{file} is a copy of {package} {version}, which {count} published advisories name: {ids}. Among them: {title}.',
      why: 'The weakness is public and runs in the browser of every user; no audit of packages sees a copied file, so nobody is warned.',
      fix: 'Replace it with {package} {fixed} or later, best as a dependency in package.json, so that the next advisory is told.',
      variants: {
        unfixed: {
          fix: 'No advisory names a version with the fix for all of them: replace the library, or take it out.',
        },
        single: { message: '{file} is a copy of {package} {version}: {title} ({ids}).' },
        'single-unfixed': {
          message: '{file} is a copy of {package} {version}: {title} ({ids}).',
          fix: 'The advisory names no version with the fix: replace the library, or take it out.',
        },
      },
    },
    fr: {
      title: 'Une bibliothèque copiée avec une faille publiée',
      message: '{file} est une copie de {package} {version}, que nomment {count} avis publiés : {ids}. Parmi eux : {titre}.',
      why: 'La faille est publique et s’exécute dans le navigateur de chaque utilisateur ; aucun audit de paquets ne voit un fichier copié, et personne n’est averti.',
      fix: 'Remplacez-la par {package} {fixed} ou plus récent, de préférence comme dépendance dans package.json, pour que le prochain avis soit signalé.',
      variants: {
        unfixed: {
          fix: 'Aucun avis ne nomme de version qui les corrige tous : remplacez la bibliothèque, ou retirez-la.',
        },
        single: { message: '{file} est une copie de {package} {version} : {titre} ({ids}).' },
        'single-unfixed': {
          message: '{file} est une copie de {package} {version} : {titre} ({ids}).',
          fix: 'L’avis ne nomme aucune version corrigée : remplacez la bibliothèque, ou retirez-la.',
        },
      },
    },
  },
})

const RANKS: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']

/** The runtime, and what it brings along. */
function isOfUi5(path: string): boolean {
  return /(?:^|\/)(?:test-)?resources\/sap\/|(?:^|\/)webapp\/resources\/|(?:^|\/)sap\/ui\/thirdparty\//.test(path)
}

function variantOf(isSingle: boolean, isFixed: boolean): string | undefined {
  if (isSingle) return isFixed ? 'single' : 'single-unfixed'
  return isFixed ? undefined : 'unfixed'
}

/** The lowest version that has all fixes; undefined: one of them has none. */
function fixOf(advisories: readonly Advisory[]): string | undefined {
  let highest: string | undefined
  for (const { fixed } of advisories) {
    if (fixed === undefined) return undefined
    if (highest === undefined || compare(fixed, highest) > 0) highest = fixed
  }
  return highest
}

const MAX_IDS = 5

/** CVE ids where there are some. */
function listIds(advisories: readonly Advisory[]): string {
  const ids = advisories.map(({ id, aliases }) => aliases.find((alias) => alias.startsWith('CVE-')) ?? id)
  return ids.slice(0, MAX_IDS).join(', ') + (ids.length > MAX_IDS ? ', …' : '')
}
