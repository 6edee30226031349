import { createRepairFinder, groupAdvisories } from '../../advisories/repair.ts'
import { isExactVersion } from '../../parse/lock/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { advisoryArgs, listAffected } from './_advisories.ts'

/**
 * An override that forces a vulnerable version: often one that was once the fix of another vulnerability. Facts: npm documentation,
 * "overrides"; yarn, "resolutions"; pnpm, "overrides".
 * Impact: the level of the worst advisory stands in its place, one lower: an override installs nothing by itself.
 */
export const unusedSecurityOverride: Rule = defineRule({
  id: 'npm/unused-security-override',
  impact: 'hygiene',
  advisory: 'CRITICAL',
  // what is installed by it has findings of its own
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#overrides',
  on: 'project',

  *check({ npm, advisories }) {
    const known = groupAdvisories(advisories)
    const findRepaired = createRepairFinder()
    for (const it of npm.packages) {
      const { file, overrides } = it
      for (const { name, member, range, start, end } of overrides) {
        const version = range.replace(/^[=v]{1,2}/, '')
        const found = isExactVersion(version) ? (known.get(`${name}@${version}`) ?? []) : []
        const [advisory] = found
        // malicious versions have a rule of their own
        if (advisory === undefined || found.some(({ malware }) => malware)) continue
        const fixed = findRepaired(version, found, advisories.others?.get(name))
        yield {
          at: { file, span: { start, end } },
          args: {
            ...it.manager,
            package: name,
            member,
            version,
            ...advisoryArgs(advisory),
            fixed: fixed ?? '',
          },
          affected: listAffected(name, version, found),
          ...(fixed === undefined && { variant: 'unfixed' }),
          advisory: advisory.severity,
        }
      }
    }
  },

  text: {
    en: {
      title: 'Override pinning a vulnerable version',
      message: 'The entry for {package} in "{member}" pins version {version}, which is vulnerable: {title} ({id}).',
      why: 'This entry keeps the vulnerable version installed, whatever versions the packages that depend on {package} accept.',
      fix: 'Set the entry for {package} in "{member}" to "{fixed}" or later, and run "{install}".',
      variants: {
        unfixed: {
          fix: 'Remove the entry from "{member}", replace the packages that require {package} (affected: {affected}), and run "{install}": no version with all fixes is known.',
        },
      },
    },
    fr: {
      title: 'Surcharge imposant une version vulnérable',
      message: 'L’entrée de "{member}" pour {package} impose la version {version}, qui est vulnérable : {titre} ({id}).',
      why: 'Cette entrée maintient la version vulnérable installée, quelles que soient les versions acceptées par les paquets qui dépendent de {package}.',
      fix: 'Passez l’entrée de "{member}" pour {package} à "{fixed}" ou à une version plus récente, puis exécutez "{install}".',
      variants: {
        unfixed: {
          fix: 'Supprimez l’entrée de "{member}", remplacez les paquets qui exigent {package}, puis exécutez "{install}" : aucune version connue ne corrige toutes ces vulnérabilités (versions concernées : {affected}).',
        },
      },
    },
  },
})
