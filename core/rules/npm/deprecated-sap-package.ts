import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import { type Dependency, type NpmPackage, type NpmProject } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Localized, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const SECURITY: Localized<string> = {
  en: 'The package handles untrusted input, and vulnerabilities found in {package} {version} from now on will not be fixed.',
  fr: 'Le paquet traite des entrées non fiables, et les vulnérabilités qui seront découvertes dans {package} {version} ne seront pas corrigées.',
}

/**
 * A dependency that no longer gets fixes: a superseded package of SAP, a well-known unmaintained one, or one that the lock file marks as
 * deprecated by its publisher.
 * Impact: it gets no fixes.
 */
export const deprecatedSapPackage: Rule = defineRule({
  id: 'npm/deprecated-sap-package',
  impact: 'hygiene',
  circumstance: 'unfixed',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://owasp.org/Top10/A06_2021-Vulnerable_and_Outdated_Components/',
  docsByVariant: { told: 'https://docs.npmjs.com/deprecating-and-undeprecating-packages-or-package-versions' },
  on: 'project',

  *check({ npm }): Generator<Match> {
    const direct = createDirect(npm)
    for (const it of npm.packages) {
      for (const dependency of it.dependencies) {
        const { name, member, range, nameSpan } = dependency
        if (member === 'peerDependencies' || /^(?:file|link|workspace|portal):/.test(range)) continue
        const locked = findLocked(dependency, it, direct)
        const known = SUPERSEDED.get(name)
        const version = locked?.version ?? range
        const at = { file: it.file, span: { start: nameSpan.start, end: nameSpan.end } }
        if (known !== undefined && (known.versions === undefined || isWithin(version, known.versions))) {
          const isProduction = member !== 'devDependencies'
          yield {
            at,
            args: { ...it.manager, package: name, version, by: known.by, major: known.major ?? '' },
            ...(known.major !== undefined && { variant: 'major' }),
            ...(known.isSecurity && isProduction && { variant: known.major === undefined ? 'security' : 'majorSecurity' }),
            groupKey: name,
          }
        } else if (locked?.deprecated !== undefined && member === 'dependencies')
          yield {
            at,
            args: { ...it.manager, package: name, version, notice: locked.deprecated },
            variant: 'told',
            groupKey: name,
          }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Deprecated package without security fixes',
      message: '{package} {version} is no longer maintained. Replacement: {by:and}.',
      why: 'Vulnerabilities found in this package from now on will not be fixed.',
      fix: 'Replace {package} with {by:and} in package.json, adapt the code or the build, and run "{install}".',
      variants: {
        major: {
          message: '{package} {version} is no longer maintained; version {major} is.',
          fix: 'Set "{package}": "^{major}" in package.json, adapt the code that uses it, and run "{install}".',
        },
        majorSecurity: {
          title: 'Deprecated security-relevant package',
          message: '{package} {version} is no longer maintained; version {major} is.',
          why: SECURITY.en,
          fix: 'Set "{package}": "^{major}" in package.json, adapt the code that uses it, and run "{install}".',
        },
        told: {
          title: 'Package deprecated by its publisher',
          message: 'The publisher deprecated {package} {version} with the message "{notice}".',
          why: 'Deprecated packages usually get no more fixes: vulnerabilities found in this one from now on may remain unfixed.',
          fix: 'Follow this message: update or replace {package} in package.json, adapt the code that uses it, and run "{install}".',
        },
        security: {
          title: 'Deprecated security-relevant package',
          why: SECURITY.en,
        },
      },
    },
    fr: {
      title: 'Paquet obsolète sans correctifs de sécurité',
      message: '{package} {version} n’est plus maintenu. Remplacement : {by:et}.',
      why: 'Les vulnérabilités qui seront découvertes dans ce paquet ne seront pas corrigées.',
      fix: 'Remplacez {package} par {by:et} dans package.json, adaptez le code ou le build, puis exécutez "{install}".',
      variants: {
        major: {
          message: '{package} {version} n’est plus maintenu, contrairement à la version {major}.',
          fix: 'Définissez "{package}": "^{major}" dans package.json, adaptez le code qui l’utilise, puis exécutez "{install}".',
        },
        majorSecurity: {
          title: 'Paquet obsolète critique pour la sécurité',
          message: '{package} {version} n’est plus maintenu, contrairement à la version {major}.',
          why: SECURITY.fr,
          fix: 'Définissez "{package}": "^{major}" dans package.json, adaptez le code qui l’utilise, puis exécutez "{install}".',
        },
        told: {
          title: 'Paquet déclaré obsolète par son éditeur',
          message: 'L’éditeur a déclaré {package} {version} obsolète avec le message "{notice}".',
          why: 'Un paquet obsolète ne reçoit en général plus de correctifs : les vulnérabilités qui y seront découvertes pourraient ne pas être corrigées.',
          fix: 'Suivez ce message : mettez à jour ou remplacez {package} dans package.json, adaptez le code qui l’utilise, puis exécutez "{install}".',
        },
        security: {
          title: 'Paquet obsolète critique pour la sécurité',
          why: SECURITY.fr,
        },
      },
    },
  }),
})

type Direct = ReadonlyMap<LockedPackages, ReadonlyMap<string, LockedPackage>>

/** Direct dependencies, by lock file and name. */
function createDirect({ locked }: NpmProject): Direct {
  return new Map(
    locked.map((lock) => [
      lock,
      new Map(lock.packages.flatMap((it): [string, LockedPackage][] => (it.direct ? [[it.name, it]] : []))),
    ]),
  )
}

function findLocked({ name }: Dependency, { locks }: NpmPackage, direct: Direct): LockedPackage | undefined {
  for (const lock of locks) {
    const found = direct.get(lock)?.get(name)
    if (found !== undefined) return found
  }
  return undefined
}

function isWithin(version: string, versions: string): boolean {
  return version.length <= 200 && validRange(version) !== null && subset(version, versions, { includePrerelease: true })
}

/** A package that is no longer maintained, and its successor. */
interface Superseded {
  readonly by: string
  /** Where a later version is the successor: that one, as its range begins. */
  readonly major?: string
  /** The unmaintained versions; all if absent. */
  readonly versions?: string
  /** It checks tokens, parses what attackers send, or isolates code. */
  readonly isSecurity: boolean
}

/**
 * Packages of CAP and UI5 projects that are superseded. Facts: CAP documentation (audit logging, plugins; @sap/cds-mtx is cap/mtx-legacy), change log of @sap/xssec 4,
 * read-me files of SAP Cloud SDK 2, deprecation notices of the packages; versions of vm2 (none from 3.9.19 of 2023 until 3.10.0); 2026-11.
 */
const SUPERSEDED: ReadonlyMap<string, Superseded> = new Map([
  ['@sap/xssec', { by: '@sap/xssec', major: '4', versions: '<4.0.0-0', isSecurity: true }],
  ['@sap/cds-odata-v2-adapter-proxy', { by: '@cap-js-community/odata-v2-adapter', isSecurity: false }],
  ['@sap-cloud-sdk/core', { by: '@sap-cloud-sdk/connectivity, @sap-cloud-sdk/http-client', isSecurity: true }],
  ['@sap/grunt-sapui5-bestpractice-build', { by: '@ui5/cli', isSecurity: false }],
  ['passport-saml', { by: '@node-saml/passport-saml', isSecurity: true }],
  ['xmldom', { by: '@xmldom/xmldom', isSecurity: true }],
  ['vm2', { by: 'vm2', major: '3.12.2', versions: '<3.10.0-0', isSecurity: true }],
  ['csurf', { by: 'csrf-csrf', isSecurity: true }],
  ['request', { by: 'axios', isSecurity: true }],
  ['request-promise', { by: 'axios', isSecurity: true }],
  ['request-promise-native', { by: 'axios', isSecurity: true }],
  ['node-sass', { by: 'sass', isSecurity: false }],
])
