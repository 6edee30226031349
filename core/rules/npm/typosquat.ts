import { isOneEditApart, SAP_PACKAGES, SAP_SCOPES, type Dependency } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Ranges that no registry answers. */
const LOCAL = /^(?:file|link|workspace|portal|patch|git|github|https?|git\+\w{3,5}):/

/**
 * A dependency whose name is one slip away from a package of SAP, in a scope that anybody may own. Within the scopes of SAP a slip finds nothing:
 * nobody else can publish there. Facts: package lists of the scopes @sap, @cap-js, @ui5 and @sap-cloud-sdk, 2026.
 */
export const typosquat: Rule = defineRule({
  id: 'npm/typosquat',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://github.com/ossf/malicious-packages',
  on: 'project',

  *check({ npm }) {
    const own = new Set(npm.packages.map(({ name }) => name))
    for (const { file, dependencies } of npm.packages) {
      for (const dependency of dependencies) {
        const { name, range, nameSpan } = dependency
        if (own.has(name) || LOCAL.test(range)) continue
        const found = meantBy(dependency)
        if (found === undefined) continue
        const { meant, ...grade } = found
        const span = { start: nameSpan.start, end: nameSpan.end }
        yield { at: { file, span }, args: { package: name, meant }, ...grade, sameAs: name }
      }
    }
  },

  text: {
    en: {
      title: 'Package name one slip away from one of SAP',
      message: '{package} is not {meant}: anybody may publish under this name.',
      why: 'Attackers publish under misspelt names and wait; the package’s scripts run with the rights of who installs it.',
      fix: 'Write "{meant}", install again, and if {package} was ever installed, look at what it ran.',
      variants: {
        unscoped: {
          title: 'Package of SAP under a name without its scope',
          message: '{package} has no scope, the package of SAP is {meant}. Anybody may publish under the name without the scope.',
        },
      },
    },
    fr: {
      title: 'Nom de paquet à une faute de frappe d’un paquet de SAP',
      message: '{package} n’est pas {meant} : n’importe qui peut publier sous ce nom.',
      why: 'Des attaquants publient sous des noms mal orthographiés et attendent ; les scripts du paquet s’exécutent avec les droits de qui l’installe.',
      fix: 'Écrivez « "{meant}" », réinstallez, et si {package} a déjà été installé, examinez ce qu’il a exécuté.',
      variants: {
        unscoped: {
          title: 'Paquet de SAP sous un nom sans sa portée',
          message:
            '{package} n’a pas de portée, le paquet de SAP est {meant}. N’importe qui peut publier sous le nom sans portée.',
        },
      },
    },
  },
})

function meantBy({ name }: Dependency): (Pick<Match, 'severity' | 'variant'> & { meant: string }) | undefined {
  const slash = name.indexOf('/')
  if (slash === -1) return meantByUnscoped(name)
  const [scope, base] = [name.slice(0, slash), name.slice(slash + 1)]
  if (SAP_SCOPES.has(scope)) return undefined
  for (const [wanted, packages] of Object.entries(SAP_PACKAGES))
    if (isOneEditApart(scope, wanted) && packages.has(base)) return { meant: `${wanted}/${base}` }
  return undefined
}

/** Names that nobody uses but SAP: without their scope they are somebody else's. */
const BARE_NAMES: ReadonlySet<string> = new Set([
  'approuter',
  'xssec',
  'xsenv',
  'hdbext',
  'hdi-deploy',
  'hana-client',
  'cds-dk',
  'cds-mtxs',
  'html5-app-deployer',
  'site-content-deployer',
])

/** `sap-xssec` for `@sap/xssec`: the form that old guides and copies of them use; `xssec`: what is left where a scope was forgotten. */
function meantByUnscoped(name: string): ReturnType<typeof meantBy> {
  if (BARE_NAMES.has(name)) return { meant: `@sap/${name}`, severity: 'MEDIUM', variant: 'unscoped' }
  for (const [scope, packages] of Object.entries(SAP_PACKAGES)) {
    const prefix = `${scope.slice(1)}-`
    if (name.startsWith(prefix) && packages.has(name.slice(prefix.length)))
      return { meant: `${scope}/${name.slice(prefix.length)}`, severity: 'MEDIUM', variant: 'unscoped' }
  }
  return undefined
}
