import { isOneEditApart, SAP_PACKAGES, SAP_SCOPES, type Dependency } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Ranges that are not resolved by a registry. */
const LOCAL = /^(?:file|link|workspace|portal|patch|git|github|https?|git\+\w{3,5}):/

/**
 * A dependency whose name is one edit away from a package of SAP, in a scope open to any publisher. Within SAP's scopes a misspelling is harmless:
 * only SAP can publish there. Facts: package lists of the scopes @sap, @cap-js, @ui5 and @sap-cloud-sdk, 2026.
 * Impact: code of another publisher runs on every machine that installs.
 */
export const typosquat: Rule = defineRule({
  id: 'npm/typosquat',
  impact: 'takeover',
  reach: 'anyone',
  // it runs wherever it is installed, for tests too
  usage: 'deployed',
  // that the other publisher is hostile is not shown
  evidence: 'assumed',
  // such names are taken: by their publishers alone
  grades: { unscoped: { reach: 'privileged', evidence: 'shown' } },
  confidence: 'medium',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://github.com/ossf/malicious-packages',
  on: 'project',

  *check({ npm }) {
    const own = new Set(npm.packages.map(({ name }) => name))
    for (const it of npm.packages) {
      const { file, dependencies } = it
      for (const dependency of dependencies) {
        const { name, range, nameSpan } = dependency
        if (own.has(name) || LOCAL.test(range)) continue
        const found = meantBy(dependency)
        if (found === undefined) continue
        const { meant, ...grade } = found
        const span = { start: nameSpan.start, end: nameSpan.end }
        yield { at: { file, span }, args: { ...it.manager, package: name, meant }, ...grade, groupKey: name }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Possible typosquatting of an SAP package',
      message: 'The scope of {package} is one typo away from that of {meant}, an SAP package.',
      why: 'Attackers publish packages to npm under misspelled names; their install scripts run with the permissions of the user or pipeline that installs them.',
      fix: 'Remove {package} from package.json, run "{add} {meant}", and import {meant} in the code instead. If {package} was ever installed on a machine, revoke the credentials stored there.',
      variants: {
        unscoped: {
          title: 'SAP package name without its scope',
          message: 'The {package} package is outside the scopes of SAP; the SAP package is {meant}.',
          why: 'Names without a scope are open to any publisher; the install scripts of such a package run with the permissions of the user or pipeline that installs it.',
        },
      },
    },
    fr: {
      title: 'Typosquatting possible d’un paquet SAP',
      message: 'À une faute de frappe près, le scope de {package} est celui de {meant}, un paquet SAP.',
      why: 'Des attaquants publient sur npm des paquets aux noms mal orthographiés ; leurs scripts d’installation s’exécutent avec les droits de l’utilisateur ou du pipeline qui les installe.',
      fix: 'Supprimez {package} de package.json, exécutez "{add} {meant}" et importez {meant} dans le code à la place. Si {package} a déjà été installé sur une machine, révoquez les identifiants qui s’y trouvent.',
      variants: {
        unscoped: {
          title: 'Nom de paquet SAP sans son scope',
          message: 'Le paquet {package} n’appartient à aucun scope de SAP ; le paquet de SAP est {meant}.',
          why: 'N’importe qui peut publier un paquet sous un nom sans scope ; les scripts d’installation de ce paquet s’exécutent avec les droits de l’utilisateur ou du pipeline qui l’installe.',
        },
      },
    },
  }),
})

function meantBy({ name }: Dependency): (Pick<Match, 'variant'> & { meant: string }) | undefined {
  const slash = name.indexOf('/')
  if (slash === -1) return meantByUnscoped(name)
  const [scope, base] = [name.slice(0, slash), name.slice(slash + 1)]
  if (SAP_SCOPES.has(scope)) return undefined
  for (const [wanted, packages] of Object.entries(SAP_PACKAGES))
    if (isOneEditApart(scope, wanted) && packages.has(base)) return { meant: `${wanted}/${base}` }
  return undefined
}

/** Names that nobody uses but SAP: without their scope they have another publisher. */
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
  if (BARE_NAMES.has(name)) return { meant: `@sap/${name}`, variant: 'unscoped' }
  for (const [scope, packages] of Object.entries(SAP_PACKAGES)) {
    const prefix = `${scope.slice(1)}-`
    if (name.startsWith(prefix) && packages.has(name.slice(prefix.length)))
      return { meant: `${scope}/${name.slice(prefix.length)}`, variant: 'unscoped' }
  }
  return undefined
}
