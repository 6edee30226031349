import { createRepairFinder, groupAdvisories } from '../../advisories/repair.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { isExactVersion, type LockedPackages } from '../../parse/lock/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { advisoryArgs, listAffected } from './_advisories.ts'

/**
 * An override that forces a vulnerable version: often one that was once the fix of another vulnerability. Facts: npm documentation,
 * "overrides"; yarn, "resolutions"; pnpm, "overrides".
 * Impact: the level of the worst advisory stands in its place, one lower: an override installs nothing by itself; worth knowing alone, where the lock file has no such package.
 */
export const unusedSecurityOverride: Rule = defineRule({
  id: 'npm/unused-security-override',
  impact: 'hygiene',
  // what is installed by it has findings of its own
  evidence: 'assumed',
  // of the others each match tells its own: what no package of the lock file matches installs nothing
  grades: { unfixed: { advisory: 'CRITICAL' } },
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
        const unmatched = lockWithout(it, name)
        yield {
          at: { file, span: { start, end } },
          args: {
            ...it.manager,
            package: name,
            member,
            version,
            ...advisoryArgs(advisory),
            fixed: fixed ?? '',
            lock: unmatched?.file ?? '',
          },
          affected: listAffected(name, version, found),
          ...(unmatched !== undefined
            ? { variant: 'unmatched' }
            : { ...(fixed === undefined && { variant: 'unfixed' }), advisory: advisory.severity }),
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Override pinning a vulnerable version',
      message: 'The entry for {package} in "{member}" pins version {version}, which is vulnerable: {title} ({id}).',
      why: 'This entry keeps the vulnerable version installed, whatever versions the packages that depend on {package} accept.',
      fix: 'Set the entry for {package} in "{member}" to "{fixed}" or later, and run "{install}".',
      variants: {
        unmatched: {
          message:
            'The entry for {package} in "{member}" pins version {version}, which is vulnerable: {title} ({id}). {lock} does not contain this package.',
          why: 'The entry has no effect at present. It installs the vulnerable version as soon as a package to which it applies depends on {package}.',
          fix: 'Remove the entry for {package} from "{member}", since the lock file does not contain this package, and run "{install}".',
        },
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
        unmatched: {
          message:
            'L’entrée de "{member}" pour {package} impose la version {version}, qui est vulnérable : {titre} ({id}). {lock} ne contient pas ce paquet.',
          why: 'L’entrée est actuellement sans effet. Elle installera la version vulnérable dès qu’un paquet auquel elle s’applique dépendra de {package}.',
          fix: 'Supprimez l’entrée pour {package} de "{member}", car le fichier de verrouillage ne contient pas ce paquet, puis exécutez "{install}".',
        },
        unfixed: {
          fix: 'Supprimez l’entrée de "{member}", remplacez les paquets qui exigent {package}, puis exécutez "{install}" : aucune version connue ne corrige toutes ces vulnérabilités (versions concernées : {affected}).',
        },
      },
    },
  }),
})

/** The lock file, where none of those of a package.json has the package of an override. One that is older than the override may have it in another version. */
function lockWithout({ locks }: NpmPackage, name: string): LockedPackages | undefined {
  const told = locks.filter(({ lock }) => lock !== undefined)
  return told.some(({ packages }) => packages.some((one) => one.name === name)) ? undefined : told[0]
}
