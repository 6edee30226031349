import { createRepairFinder, groupAdvisories } from '../../advisories/repair.ts'
import { scriptLoads } from '../../model/ui5/index.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { listAffected } from '../npm/_advisories.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { factsOf, listIds, rankOf } from './_library-advisories.ts'
import { createCallReader, libraryCalls } from './_library-calls.ts'

/** Where no script calls what the most severe advisory is about. */
const UNCALLED: Localized<string> = {
  en: 'The vulnerabilities are public. No script of the app calls what the most severe advisory is about, but a later change may; npm audit does not see libraries that pages load by their address.',
  fr: 'Les vulnérabilités sont publiques. Aucun script de l’application n’appelle ce que vise l’avis de sécurité le plus grave, mais une modification pourrait le faire ; npm audit ne voit pas les bibliothèques chargées par leur adresse.',
}

/** By what is known of fixed versions. Facts: documentation of SheetJS, "Standalone Browser Scripts": the package at npm ends with 0.18.5. */
const FIXES: Localized<Readonly<Record<'sheetjs' | 'unfixed', string>>> = {
  en: {
    sheetjs:
      'Load {package} {fixed} or later from https://cdn.sheetjs.com: SheetJS no longer publishes its versions to npm, so other networks end with 0.18.5. Better still, add a copy of it to the app.',
    unfixed: 'Replace {package} with another library: no single version is known to fix all of these vulnerabilities.',
  },
  fr: {
    sheetjs:
      'Chargez {package} {fixed} ou une version plus récente depuis https://cdn.sheetjs.com : SheetJS ne publie plus ses versions sur npm, les autres réseaux s’arrêtent donc à 0.18.5. Mieux encore : ajoutez une copie à l’application.',
    unfixed: 'Remplacez {package} par une autre bibliothèque : aucune version connue ne corrige toutes ces vulnérabilités.',
  },
}

/**
 * A library that a page loads from a network by an address with its version, which has published advisories: no package manager knows of it.
 * Pages are those of the whole project, with UI5 or without; tests, tools and pages that developers alone open (documentation, demonstrations) are none.
 * Facts: the advisories of the library’s package at npm (OSV.dev, GitHub Advisory Database; the bundled snapshot); addresses of cdnjs, jsDelivr, UNPKG and others.
 * Impact: as that of a copied library: HIGH at most, less where no script calls what the advisories are about.
 */
export const networkLibraryVulnerable: Rule = defineRule({
  id: 'ui5/network-library-vulnerable',
  impact: 'session',
  advisory: 'HIGH',
  confidence: 'high',
  cwe: [1395],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Third_Party_Javascript_Management_Cheat_Sheet.html#keeping-javascript-libraries-updated',
  on: 'project',
  extracts: [scriptLoads, libraryCalls],

  *check(project): Generator<Match> {
    const judge = createJudge(project)
    const judged = new Map<string, Judgement | undefined>()
    for (const { package: name, version, host, at } of project.networkLibraries) {
      project.step()
      const key = `${name}@${version}`
      if (!judged.has(key)) judged.set(key, judge(name, version))
      const { args, ...judgement } = judged.get(key) ?? {}
      if (args !== undefined) yield { at, args: { file: at.file, host, ...args }, ...judgement, groupKey: key }
    }
  },

  text: () => ({
    en: {
      title: 'Vulnerable library loaded from a CDN',
      message:
        '{file} loads {package} {version} from {host}, which has published advisories ({ids}); the most severe: "{title}".',
      why: 'The vulnerabilities are public, and the app may use the affected code; npm audit does not see libraries that pages load by their address.',
      fix: 'Load {package} {fixed} or later, with its hash in "integrity". Better still, add {package} to "dependencies" in package.json and bundle it, for example with ui5-tooling-modules, so that audits cover it.',
      variants: variantsOf('en'),
    },
    fr: {
      title: 'Bibliothèque vulnérable chargée depuis un CDN',
      message:
        '{file} charge {package} {version} depuis {host}, version visée par des avis de sécurité publiés ({ids}) ; le plus grave : "{titre}".',
      why: 'Les vulnérabilités sont publiques, et l’application utilise peut-être le code concerné ; npm audit ne voit pas les bibliothèques chargées par leur adresse.',
      fix: 'Chargez {package} {fixed} ou une version plus récente, avec son empreinte dans "integrity". Mieux encore : ajoutez {package} à "dependencies" dans package.json et intégrez-le au build, par exemple avec ui5-tooling-modules.',
      variants: variantsOf('fr'),
    },
  }),
})

type Judgement = Omit<Match, 'at' | 'args'> & Required<Pick<Match, 'args'>>

/** What the advisories say of one version, wherever pages load it. */
function createJudge({ files, advisories, scripts }: Project): (name: string, version: string) => Judgement | undefined {
  const useOf = createCallReader({ files, scripts })
  const known = groupAdvisories(advisories)
  const findRepaired = createRepairFinder()
  return (name, version) => {
    const found = known.get(`${name}@${version}`) ?? []
    const graded = found.map((advisory) => ({ advisory, facts: factsOf(advisory, useOf(advisory)) }))
    const [first] = graded.toSorted((one, other) => rankOf(one) - rankOf(other))
    if (first === undefined) return undefined
    const { advisory: worst, facts } = first
    const fixed = findRepaired(version, found, advisories.others?.get(name))
    const kind = fixed === undefined ? 'unfixed' : name === 'xlsx' ? 'sheetjs' : ''
    const variant = [facts.circumstance === undefined ? '' : 'uncalled', kind].filter((part) => part !== '').join('-')
    return {
      args: {
        package: name,
        version,
        title: worst.title.en,
        titre: worst.title.fr,
        ids: listIds(found),
        fixed: fixed ?? '',
      },
      affected: listAffected(name, version, found),
      ...facts,
      ...(variant !== '' && { variant }),
    }
  }
}

function variantsOf(language: 'en' | 'fr'): Readonly<Record<string, Partial<RuleText>>> {
  const { sheetjs, unfixed } = FIXES[language]
  const why = UNCALLED[language]
  return {
    sheetjs: { fix: sheetjs },
    unfixed: { fix: unfixed },
    uncalled: { why },
    'uncalled-sheetjs': { why, fix: sheetjs },
    'uncalled-unfixed': { why, fix: unfixed },
  }
}
