import { createRepairFinder, groupAdvisories } from '../../advisories/repair.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { listAffected } from '../npm/_advisories.ts'
import { copyMentions, createMentionReader } from './_copy-mentions.ts'
import { factsOf, listIds, rankOf } from './_library-advisories.ts'
import { createCallReader, libraryCalls } from './_library-calls.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Facts: documentation of SheetJS, "Standalone Browser Scripts": the package at npm ends with 0.18.5. */
const SHEETJS: Localized<string> = {
  en: 'Replace {file} with {package} {fixed} or later from https://cdn.sheetjs.com: SheetJS no longer publishes its versions to npm, where the last one is 0.18.5.',
  fr: 'Remplacez {file} par {package} {fixed} ou une version plus récente, à télécharger depuis https://cdn.sheetjs.com : SheetJS ne publie plus ses versions sur npm, où la dernière est 0.18.5.',
}

/** Of a single advisory. */
const ONE: Localized<string> = {
  en: 'The vulnerability is public, and the app may use the affected code; npm audit does not see copied files, so it will not report later advisories either.',
  fr: 'La vulnérabilité est publique, et l’application utilise peut-être le code concerné ; npm audit ne voit pas les fichiers copiés et ne signalera pas non plus les avis de sécurité ultérieurs.',
}

/** Where no script calls what the most severe advisory is about: of several, and of a single one. */
const UNCALLED: readonly Localized<string>[] = [
  {
    en: 'The vulnerabilities are public. No script of the app calls what the most severe advisory is about, but a later change may; npm audit does not see copied files, so it will not report later advisories either.',
    fr: 'Les vulnérabilités sont publiques. Aucun script de l’application n’appelle ce que vise l’avis de sécurité le plus grave, mais une modification pourrait le faire ; npm audit ne voit pas les fichiers copiés et ne signalera pas les avis de sécurité ultérieurs.',
  },
  {
    en: 'The vulnerability is public. No script of the app calls what the advisory is about, but a later change may; npm audit does not see copied files, so it will not report later advisories either.',
    fr: 'La vulnérabilité est publique. Aucun script de l’application n’appelle ce que vise l’avis de sécurité, mais une modification pourrait le faire ; npm audit ne voit pas les fichiers copiés et ne signalera pas les avis de sécurité ultérieurs.',
  },
]

/** Where nothing of the project names the copy. */
const UNLOADED: Readonly<Record<'en' | 'fr', Partial<RuleText>>> = {
  en: {
    why: 'No page, script or descriptor of the project names the copy, so the app does not run it. The file is delivered with the app, a later change may load it, and npm audit does not see copied files.',
    fix: 'Delete {file}: nothing in the project names it. If the app loads it in another way, replace it with a version of {package} without published advisories.',
  },
  fr: {
    why: 'Aucune page, aucun script ni descripteur du projet ne nomme cette copie : l’application ne l’exécute pas. Le fichier est livré avec elle, une modification pourrait le charger, et npm audit ne voit pas les fichiers copiés.',
    fix: 'Supprimez {file} : rien dans le projet ne nomme ce fichier. Si l’application le charge autrement, remplacez-le par une version de {package} sans avis de sécurité publié.',
  },
}

/**
 * A library that was copied into the project, in a version with published advisories: no package manager knows of it.
 * Facts: the advisories of the library’s package at npm (OSV.dev, GitHub Advisory Database; the bundled snapshot). Known by its banner or its file’s
 * name. What UI5 itself ships is the business of its version.
 * Impact: that of the worst advisory (CVSS); the copy is part of what is deployed. It runs in a browser, where an attack gets no further than the session
 * of the user: HIGH at most, less where no script calls what the advisories are about, and LOW where only a server could do that, or nothing of the project names the copy.
 */
export const vendoredLibraryVulnerable: Rule = defineRule({
  id: 'ui5/vendored-library-vulnerable',
  impact: 'session',
  advisory: 'HIGH',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Vulnerable_Dependency_Management_Cheat_Sheet.html',
  on: 'project',
  extracts: [libraryCalls, copyMentions],

  *check({ files, advisories, scripts }): Generator<Match> {
    const useOf = createCallReader({ files, scripts })
    const isMentioned = createMentionReader({ files, scripts })
    const known = groupAdvisories(advisories)
    const findRepaired = createRepairFinder()
    for (const { path: file, library } of files.values()) {
      if (library === undefined || isOfUi5(file)) continue
      const { package: name, version, span } = library
      const found = known.get(`${name}@${version}`)
      if (found === undefined) continue
      const isLoaded = isMentioned(file) !== false
      const graded = found.map((advisory) => ({ advisory, facts: factsOf(advisory, isLoaded ? useOf(advisory) : 'absent') }))
      const [first] = graded.toSorted((one, other) => rankOf(one) - rankOf(other))
      if (first === undefined) continue
      const { advisory: worst, facts } = first
      const fixed = findRepaired(version, found, advisories.others?.get(name))
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
        affected: listAffected(name, version, found),
        ...(span === undefined && { confidence: 'medium' }),
        ...facts,
        ...(!isLoaded && { circumstance: 'unloaded' }),
        variant: variantOf(
          name,
          found.length === 1,
          fixed !== undefined,
          !isLoaded ? 'unloaded' : facts.circumstance !== undefined && 'uncalled',
        ),
        groupKey: `${name}@${version}${isLoaded ? '' : ' unloaded'}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Vulnerable library copied into the app',
      message:
        '{file} is a copy of {package} {version}, which has {count} published advisories ({ids}); the most severe: "{title}".',
      why: 'The vulnerabilities are public, and the app may use the affected code; npm audit does not see copied files, so it will not report later advisories either.',
      fix: 'Replace {file} with {package} {fixed} or later. Better still, delete the file, add {package} to "dependencies" in package.json and bundle the package, for example with ui5-tooling-modules, so that audits cover it.',
      variants: withUncalled('en', {
        unfixed: {
          fix: 'Replace {package} with another library or remove {file}: no single version is known to fix all of these vulnerabilities.',
        },
        single: {
          message: '{file} is a copy of {package} {version}, which has 1 published advisory ({ids}): "{title}".',
          why: ONE.en,
        },
        // the provider publishes later versions on its own host alone
        sheetjs: { fix: SHEETJS.en },
        'single-sheetjs': {
          message: '{file} is a copy of {package} {version}, which has 1 published advisory ({ids}): "{title}".',
          why: ONE.en,
          fix: SHEETJS.en,
        },
        'single-unfixed': {
          message: '{file} is a copy of {package} {version}, which has 1 published advisory ({ids}): "{title}".',
          why: ONE.en,
          fix: 'Replace {package} with another library or remove {file}: the advisory names no fixed version.',
        },
      }),
    },
    fr: {
      title: 'Bibliothèque vulnérable copiée dans l’application',
      message:
        '{file} est une copie de {package} {version}, visée par {count} avis de sécurité publiés ({ids}) ; le plus grave : "{titre}".',
      why: 'Les vulnérabilités sont publiques, et l’application utilise peut-être le code concerné ; npm audit ne voit pas les fichiers copiés et ne signalera pas non plus les avis de sécurité ultérieurs.',
      fix: 'Remplacez {file} par {package} {fixed} ou une version plus récente. Mieux encore : supprimez ce fichier, ajoutez {package} à "dependencies" dans package.json et intégrez le paquet au build, par exemple avec ui5-tooling-modules, pour que les audits le couvrent.',
      variants: withUncalled('fr', {
        unfixed: {
          fix: 'Remplacez {package} par une autre bibliothèque ou supprimez {file} : aucune version connue ne corrige toutes ces vulnérabilités.',
        },
        single: {
          message: '{file} est une copie de {package} {version}, visée par un avis de sécurité publié ({ids}) : "{titre}".',
          why: ONE.fr,
        },
        sheetjs: { fix: SHEETJS.fr },
        'single-sheetjs': {
          message: '{file} est une copie de {package} {version}, visée par un avis de sécurité publié ({ids}) : "{titre}".',
          why: ONE.fr,
          fix: SHEETJS.fr,
        },
        'single-unfixed': {
          message: '{file} est une copie de {package} {version}, visée par un avis de sécurité publié ({ids}) : "{titre}".',
          why: ONE.fr,
          fix: 'Remplacez {package} par une autre bibliothèque ou supprimez {file} : l’avis de sécurité n’indique aucune version corrigée.',
        },
      }),
    },
  }),
})

/** The runtime, and what it brings along. */
function isOfUi5(path: string): boolean {
  return /(?:^|\/)(?:test-)?resources\/sap\/|(?:^|\/)webapp\/resources\/|(?:^|\/)sap\/ui\/thirdparty\//.test(path)
}

/** Each variant, and the text without one, in the words for what no script calls, and for what nothing names. */
function withUncalled(
  language: 'en' | 'fr',
  variants: Readonly<Record<string, Partial<RuleText>>>,
): Readonly<Record<string, Partial<RuleText>>> {
  const all = Object.entries({ '': {}, ...variants }).flatMap(([name, text]) => {
    const why = UNCALLED[name.startsWith('single') ? 1 : 0]?.[language]
    return [
      [below('uncalled', name), { ...text, ...(why !== undefined && { why }) }],
      [below('unloaded', name), { ...text, ...UNLOADED[language] }],
    ] as const
  })
  return { ...variants, ...Object.fromEntries(all) }
}

type Idle = 'uncalled' | 'unloaded'

function below(idle: Idle, variant: string): string {
  return variant === '' ? idle : `${idle}-${variant}`
}

function variantOf(name: string, isSingle: boolean, isFixed: boolean, idle: Idle | false): string | undefined {
  const variant = textOf(name, isSingle, isFixed)
  return idle !== false ? below(idle, variant) : variant === '' ? undefined : variant
}

function textOf(name: string, isSingle: boolean, isFixed: boolean): string {
  if (name === 'xlsx' && isFixed) return isSingle ? 'single-sheetjs' : 'sheetjs'
  if (isSingle) return isFixed ? 'single' : 'single-unfixed'
  return isFixed ? '' : 'unfixed'
}
