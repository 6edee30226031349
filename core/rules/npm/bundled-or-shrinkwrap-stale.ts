import type { LockedPackage } from '../../parse/lock/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { affectedIn } from './_advisories.ts'

/**
 * A package that fixes the versions of others, or ships them, and fixed weak ones: only updating that package helps, which the findings about the
 * weak ones can't say. Facts: npm documentation, "package-lock.json" (inBundle, hasShrinkwrap); @sap/approuter names exact versions.
 */
export const bundledOrShrinkwrapStale: Rule = defineRule({
  id: 'npm/bundled-or-shrinkwrap-stale',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-lock-json',
  on: 'packages',

  *check(subject, { advisories }) {
    const held = new Map<string, Set<string>>()
    const holderOf = new Map<string, string>()
    for (const { name, heldBy } of subject.packages) if (heldBy !== undefined) holderOf.set(name, heldBy)
    for (const { found, advisory } of affectedIn(subject, advisories)) {
      if (found.heldBy === undefined || found.scope === 'development' || advisory.malware) continue
      const top = climb(found.heldBy, holderOf)
      held.set(top, (held.get(top) ?? new Set()).add(`${found.name} ${found.version}`))
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
        args: { package: name, version: holder.version, names },
      }
    }
  },

  text: {
    en: {
      title: 'A package holds others at versions with published weaknesses',
      message: '{package} {version} holds {names}, which have published weaknesses.',
      why: 'An update of the weak packages does not get past {package}: the weaknesses stay until it is updated itself.',
      fix: 'Update {package} to a version that brings newer ones; until then, force them in "overrides" and test.',
    },
    fr: {
      title: 'Un paquet maintient d’autres paquets à des versions avec des failles publiées',
      message: '{package} {version} fixe les versions de {names}, qui ont des failles publiées.',
      why: 'Une mise à jour des paquets faibles ne passe pas {package} : les failles restent tant que lui-même n’est pas mis à jour.',
      fix: 'Passez {package} à une version qui en fixe de plus récentes ; d’ici là, imposez-les dans « overrides » et testez.',
    },
  },
})

const MAX_CHAIN = 20

/** Who holds the holder: only an update of the last one helps. */
function climb(name: string, holderOf: ReadonlyMap<string, string>): string {
  let top = name
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    const next = holderOf.get(top)
    if (next === undefined || next === name) return top
    top = next
  }
  return top
}
