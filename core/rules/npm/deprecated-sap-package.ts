import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { Dependency, NpmPackage, NpmProject } from '../../model/npm/index.ts'
import type { LockedPackage, LockedPackages } from '../../parse/lock/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A dependency that gets no fixes any more: one of SAP’s that another took the place of, one of the well-known ones that were given up, or one whose
 * publisher says so in the lock file.
 */
export const deprecatedSapPackage: Rule = defineRule({
  id: 'npm/deprecated-sap-package',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#managing-dependencies',
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
            args: { package: name, version, by: known.by },
            ...(known.isSecurity && isProduction && { severity: 'MEDIUM', variant: 'security' }),
            sameAs: name,
          }
        } else if (locked?.deprecated !== undefined && member === 'dependencies')
          yield { at, args: { package: name, version, notice: locked.deprecated }, variant: 'told', sameAs: name }
      }
    }
  },

  text: {
    en: {
      title: 'Package that is no longer maintained',
      message: '{package} {version} is superseded by {by}.',
      why: 'Weaknesses that are found in it from now on stay open.',
      fix: 'Move to {by}.',
      variants: {
        told: {
          message: 'The publisher of {package} {version} says: {notice}',
          fix: 'Do what the notice says, or replace the package.',
        },
        security: {
          why: 'It stands between attackers and the application (tokens, input, isolation); weaknesses that are found in it from now on stay open.',
        },
      },
    },
    fr: {
      title: 'Paquet qui n’est plus maintenu',
      message: '{package} {version} est remplacé par {by}.',
      why: 'Les failles que l’on y trouvera désormais resteront ouvertes.',
      fix: 'Passez à {by}.',
      variants: {
        told: {
          message: 'L’éditeur de {package} {version} indique : {notice}',
          fix: 'Suivez cette indication, ou remplacez le paquet.',
        },
        security: {
          why: 'Il se tient entre les attaquants et l’application (jetons, entrées, isolation) ; les failles que l’on y trouvera désormais resteront ouvertes.',
        },
      },
    },
  },
})

type Direct = ReadonlyMap<LockedPackages, ReadonlyMap<string, LockedPackage>>

/** What the project names itself, by lock file and name. */
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

/** A package that its publisher has given up, and what takes its place. */
interface Superseded {
  readonly by: string
  /** Versions that are meant; without: all. */
  readonly versions?: string
  /** It checks tokens, parses what attackers send, or isolates code. */
  readonly isSecurity: boolean
}

/**
 * Packages of CAP and UI5 projects that are superseded. Facts: CAP documentation (audit logging, plugins; @sap/cds-mtx is cap/mtx-legacy), change log of @sap/xssec 4,
 * read-me files of SAP Cloud SDK 2, deprecation notices of the packages; 2026-11.
 */
const SUPERSEDED: ReadonlyMap<string, Superseded> = new Map([
  ['@sap/xssec', { by: '@sap/xssec 4', versions: '<4.0.0-0', isSecurity: true }],
  ['@sap/cds-odata-v2-adapter-proxy', { by: '@cap-js-community/odata-v2-adapter', isSecurity: false }],
  ['@sap-cloud-sdk/core', { by: '@sap-cloud-sdk/connectivity, @sap-cloud-sdk/http-client', isSecurity: true }],
  ['@sap/grunt-sapui5-bestpractice-build', { by: '@ui5/cli', isSecurity: false }],
  ['passport-saml', { by: '@node-saml/passport-saml', isSecurity: true }],
  ['xmldom', { by: '@xmldom/xmldom', isSecurity: true }],
  ['vm2', { by: 'isolated-vm', isSecurity: true }],
  ['csurf', { by: 'csrf-csrf', isSecurity: true }],
  ['request', { by: 'axios, fetch', isSecurity: true }],
  ['request-promise', { by: 'axios, fetch', isSecurity: true }],
  ['request-promise-native', { by: 'axios, fetch', isSecurity: true }],
  ['node-sass', { by: 'sass', isSecurity: false }],
])
