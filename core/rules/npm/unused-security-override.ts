import type { Advisory } from '../../advisories/types.ts'
import { isExactVersion } from '../../parse/lock/index.ts'
import type { Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findRepaired } from './_advisories.ts'

const SEVERITIES: readonly Severity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

/**
 * An override that forces a vulnerable version: often one that was once the fix of another vulnerability. Facts: npm documentation,
 * "overrides"; yarn, "resolutions"; pnpm, "overrides".
 * Severity: MEDIUM, what the version puts at risk is graded by its advisory; LOW where that is LOW.
 */
export const unusedSecurityOverride: Rule = defineRule({
  id: 'npm/unused-security-override',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-json#overrides',
  on: 'project',

  *check({ npm, advisories }) {
    const known = new Map<string, Advisory[]>()
    for (const { name, version, advisory } of advisories.matches) {
      const there = known.get(`${name}@${version}`)
      if (there === undefined) known.set(`${name}@${version}`, [advisory])
      else there.push(advisory)
    }
    for (const { file, overrides } of npm.packages) {
      for (const { name, range, start, end } of overrides) {
        const version = range.replace(/^[=v]{1,2}/, '')
        const found = isExactVersion(version) ? (known.get(`${name}@${version}`) ?? []) : []
        const advisory = worstOf(found)
        // malicious versions have a rule of their own
        if (advisory === undefined || advisory.malware) continue
        const { id, title, affected, severity } = advisory
        const fixed = findRepaired(found)
        yield {
          at: { file, span: { start, end } },
          args: { package: name, version, id, title: title.en, titre: title.fr, affected, fixed: fixed ?? '' },
          ...(fixed === undefined && { variant: 'unfixed' }),
          ...(severity === 'LOW' && { severity: 'LOW' }),
        }
      }
    }
  },

  text: {
    en: {
      title: 'Override forces a vulnerable version',
      message: 'The override pins {package} to {version}: {title} ({id}).',
      why: 'The override keeps the vulnerable version installed even when the packages that require it allow the fix.',
      fix: 'Set the override of {package} in this package.json to "{fixed}" or later, or remove it; then run "npm install".',
      variants: {
        unfixed: {
          fix: 'Remove the override or set it to a version outside {affected}, then run "npm install": the advisories name no version that fixes them all.',
        },
      },
    },
    fr: {
      title: 'Surcharge imposant une version vulnérable',
      message: 'La surcharge fixe {package} à {version} : {titre} ({id}).',
      why: 'La surcharge maintient la version vulnérable installée même lorsque les paquets qui l’exigent acceptent le correctif.',
      fix: 'Portez la surcharge de {package} dans ce package.json à "{fixed}" ou plus récent, ou supprimez-la ; exécutez ensuite "npm install".',
      variants: {
        unfixed: {
          fix: 'Supprimez la surcharge ou portez-la à une version hors de {affected}, puis exécutez "npm install" : les avis n’indiquent aucune version qui les corrige tous.',
        },
      },
    },
  },
})

function worstOf(advisories: readonly Advisory[]): Advisory | undefined {
  let worst: Advisory | undefined
  for (const advisory of advisories)
    if (worst === undefined || SEVERITIES.indexOf(advisory.severity) > SEVERITIES.indexOf(worst.severity)) worst = advisory
  return worst
}
