import { isOfNewYarn, managerOfLock } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { affectedIn } from './_advisories.ts'
import { USE_EXTRACTS } from './_package-uses.ts'

const YARN: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Run "{add} {package}@latest" and commit yarn.lock. If that release still pins vulnerable versions, set patched versions in "resolutions" of the root package.json and run "{install}".',
  },
  fr: {
    fix: 'Exécutez "{add} {package}@latest" et versionnez yarn.lock. Si {package} fige encore des versions vulnérables, imposez des versions corrigées dans "resolutions" du package.json racine, puis exécutez "{install}".',
  },
}

/**
 * A package that pins or bundles vulnerable versions of others: only updating that package helps, which the findings about the vulnerable ones
 * can't say. Facts: npm documentation, "package-lock.json" (inBundle, hasShrinkwrap); @sap/approuter names exact versions.
 * Impact: it explains how to repair what the findings about the advisories already grade.
 */
export const bundledOrShrinkwrapStale: Rule = defineRule({
  id: 'npm/bundled-or-shrinkwrap-stale',
  impact: 'hygiene',
  circumstance: 'unfixed',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#overrides',
  docsByVariant: {
    shipped: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#bundledependencies',
    yarn: 'https://classic.yarnpkg.com/en/docs/selective-version-resolutions/',
    'new-yarn': 'https://yarnpkg.com/configuration/manifest#resolutions',
  },
  on: 'packages',
  extracts: USE_EXTRACTS,

  *check(subject, project) {
    const held = new Map<string, Set<string>>()
    const shipping = new Set<string>()
    const holderOf = new Map<string, string>()
    for (const { name, heldBy } of subject.packages) if (heldBy !== undefined) holderOf.set(name, heldBy)
    for (const { found, advisories: known } of affectedIn(subject, project)) {
      if (found.heldBy === undefined || found.scope === 'development' || known.some(({ malware }) => malware)) continue
      const top = climb(found.heldBy, holderOf)
      held.set(top, (held.get(top) ?? new Set()).add(`${found.name} ${found.version}`))
      // what comes in the archive of another, or by its lock file, has no hash of its own
      if (found.integrity === undefined) shipping.add(top)
    }
    if (held.size === 0) return
    const holders = new Map<string, LockedPackage>()
    for (const found of subject.packages) if (held.has(found.name) && !holders.has(found.name)) holders.set(found.name, found)
    for (const [name, weak] of held) {
      const holder = holders.get(name)
      if (holder === undefined) continue
      const names = [...weak].slice(0, 5).join(', ') + (weak.size > 5 ? ', …' : '')
      yield {
        at: { file: subject.file, span: { start: holder.start, end: holder.end } },
        args: { ...managerOfLock(subject, project.npm), package: name, version: holder.version, names },
        ...variantOf(subject, shipping.has(name)),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Vulnerable dependencies pinned by another package',
      message: '{package} {version} brings in exact versions with published advisories: {names:and}.',
      why: 'Updating the vulnerable packages alone has no effect: {package} brings these versions back until {package} itself is updated.',
      fix: 'Run "{add} {package}@latest" and commit the lock file. If that release still pins vulnerable versions, set patched versions in {overrides} and run "{install}".',
      variants: {
        yarn: YARN.en,
        'new-yarn': YARN.en,
        shipped: {
          title: 'Vulnerable dependencies shipped with another package',
          message: '{package} {version} brings its own copies of packages with published advisories: {names:and}.',
          fix: 'Run "{add} {package}@latest" and commit the lock file. If its copies are still vulnerable, report this to the maintainers of {package} or replace {package}: overrides do not apply to them.',
        },
      },
    },
    fr: {
      title: 'Dépendances vulnérables figées par un autre paquet',
      message: '{package} {version} impose des versions exactes visées par des avis de sécurité publiés : {names:et}.',
      why: 'Mettre à jour les seuls paquets vulnérables est sans effet : {package} réinstalle ces versions tant qu’il n’est pas lui-même mis à jour.',
      fix: 'Exécutez "{add} {package}@latest" et versionnez le fichier de verrouillage. Si {package} fige encore des versions vulnérables, imposez des versions corrigées dans {overrides}, puis exécutez "{install}".',
      variants: {
        yarn: YARN.fr,
        'new-yarn': YARN.fr,
        shipped: {
          title: 'Dépendances vulnérables embarquées dans un autre paquet',
          message:
            '{package} {version} embarque ses propres copies de paquets visés par des avis de sécurité publiés : {names:et}.',
          fix: 'Exécutez "{add} {package}@latest" et versionnez le fichier de verrouillage. Si ces copies restent vulnérables, signalez-le aux mainteneurs de {package} ou remplacez {package} : "overrides" n’agit pas sur des copies embarquées.',
        },
      },
    },
  }),
})

const MAX_CHAIN = 20

/** Only npm has packages that ship others: yarn leaves their lock files aside. */
function variantOf({ file, lock }: LockedPackages, isShipped: boolean): { readonly variant?: string } {
  if (/(?:^|\/)yarn\.lock$/.test(file)) return { variant: isOfNewYarn({ file, lock }) ? 'new-yarn' : 'yarn' }
  return isShipped ? { variant: 'shipped' } : {}
}

/** The outermost package that pins the given one: only its update helps. */
function climb(name: string, holderOf: ReadonlyMap<string, string>): string {
  let top = name
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    const next = holderOf.get(top)
    if (next === undefined || next === name) return top
    top = next
  }
  return top
}
