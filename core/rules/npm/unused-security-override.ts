import type { Advisory } from '../../advisories/types.ts'
import { isExactVersion } from '../../parse/lock/index.ts'
import type { Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const SEVERITIES: readonly Severity[] = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']

/**
 * An override that forces a version that an advisory names: often one that was once the fix of another weakness. Facts: npm documentation,
 * "overrides"; yarn, "resolutions"; pnpm, "overrides".
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
    // the worst of a version's advisories
    const known = new Map<string, Advisory>()
    for (const { name, version, advisory } of advisories.matches) {
      const there = known.get(`${name}@${version}`)
      if (there === undefined || SEVERITIES.indexOf(advisory.severity) > SEVERITIES.indexOf(there.severity))
        known.set(`${name}@${version}`, advisory)
    }
    for (const { file, overrides } of npm.packages) {
      for (const { name, range, start, end } of overrides) {
        const version = range.replace(/^[=v]{1,2}/, '')
        const advisory = isExactVersion(version) ? known.get(`${name}@${version}`) : undefined
        // of a malicious one another rule says what is worse
        if (advisory === undefined || advisory.malware) continue
        const { id, title, affected, severity } = advisory
        yield {
          at: { file, span: { start, end } },
          args: { package: name, version, id, title: title.en, titre: title.fr, affected },
          ...(severity === 'LOW' && { severity: 'LOW' }),
        }
      }
    }
  },

  text: {
    en: {
      title: 'An override forces a version with a published weakness',
      message: 'The override holds {package} at {version}: {title} ({id}).',
      why: 'No update of any other package brings the fix in: the override stands in its way.',
      fix: 'Raise the override to a version outside {affected}, or remove it and install again.',
    },
    fr: {
      title: 'Une surcharge impose une version avec une faille publiée',
      message: 'La surcharge maintient {package} en {version} : {titre} ({id}).',
      why: 'Aucune mise à jour d’un autre paquet n’apporte la correction : la surcharge s’y oppose.',
      fix: 'Portez la surcharge à une version hors de {affected}, ou supprimez-la et réinstallez.',
    },
  },
})
