import { findForeignHosts, type NpmProject } from '../../model/npm/index.ts'
import { hostOf, type LockedPackage } from '../../parse/lock/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { namesOf } from './_messages.ts'

const UNENCRYPTED = /^(?:http|git|git\+http):\/\//i
const LOOPBACK = /^\w{3,8}:\/\/(?:localhost|127\.\d)/i

/**
 * Addresses in a lock file from which hostile code could come: without encryption, another package’s archive, or a host that nothing in the project
 * names. There is no list of good hosts: the one that most packages come from and those of the settings are the project’s own.
 * Facts: npm documentation, "package-lock.json" (resolved).
 */
export const lockfileResolvedInsecure: Rule = defineRule({
  id: 'npm/lockfile-resolved-insecure',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [494],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-lock-json',
  on: 'packages',

  *check(subject, { npm }) {
    const { file, packages, lock } = subject
    if (lock === undefined) return
    const isNamed = createNamed(npm)
    const open = new Map<string, LockedPackage[]>()
    for (const found of [...packages, ...lock.others]) {
      const { resolved = '', start, end, name } = found
      if (UNENCRYPTED.test(resolved) && !LOOPBACK.test(resolved)) {
        // what a package.json names by address is told there
        if (isNamed(found)) continue
        const host = hostOf(resolved.replace(/^git(?:\+http)?:/i, 'http:')) ?? ''
        const entry = 'version' in found ? found : { ...found, version: '', direct: false, isPrivate: false }
        const known = open.get(host)
        if (known === undefined) open.set(host, [entry])
        else known.push(entry)
      } else if ('version' in found && !isNamed(found) && isOfAnother(found)) {
        yield { at: { file, span: { start, end } }, args: { names: name, address: resolved }, variant: 'name' }
      }
    }
    for (const [host, served] of open) yield* toMatch(file, served, { host }, isHashed(served) ? { severity: 'MEDIUM' } : {})
    for (const { host, packages: served, reason } of findForeignHosts(subject, npm)) {
      // a private scope without a registry is dependency-confusion's
      if (reason === 'private-scope' || open.has(host)) continue
      const grade: Pick<Match, 'severity' | 'variant'> =
        reason === 'sap-scope'
          ? { severity: 'LOW', variant: 'scope' }
          : { severity: reason === 'mirror' ? 'LOW' : 'MEDIUM', variant: 'host' }
      yield* toMatch(file, served, { host, own: lock.ownHost }, grade)
    }
  },

  text: {
    en: {
      title: 'The lock file fetches packages without encryption',
      message: '{names} ({count}) are fetched from {host} over a connection without encryption.',
      why: 'Whoever stands between a build and that host can hand out archives of his own; where the lock file has no strong hash of them, nothing notices.',
      fix: 'Set the registry to https in .npmrc, delete these entries and install again.',
      variants: {
        name: {
          title: 'The lock file fetches another package’s archive',
          message: '{names} is fetched from {address}, which is the archive of another package.',
          why: 'That is how hostile code is smuggled in with a change that nobody reads: the name is familiar, the archive is not.',
          fix: 'Find out who wrote this entry; then delete it and install again.',
        },
        host: {
          title: 'The lock file fetches packages from a foreign host',
          message: '{names} ({count}) are fetched from {host}; everything else comes from {own}.',
          why: 'A few entries from elsewhere are how hostile archives are smuggled into a lock file.',
          fix: 'Where that host is right, name it in .npmrc; else delete these entries and install again.',
        },
        scope: {
          title: 'A scope of SAP comes from a host that the project does not name',
          message: '{names} ({count}) are fetched from {host}; everything else comes from {own}.',
          why: 'Other machines take these packages from another place than the one that wrote the lock file.',
          fix: 'Name the registry of the scope in .npmrc, or delete these entries and install again.',
        },
      },
    },
    fr: {
      title: 'Le fichier de verrouillage charge des paquets sans chiffrement',
      message: '{names} ({count}) sont chargés depuis {host} sur une connexion sans chiffrement.',
      why: 'Quiconque se place entre une construction et cet hôte peut fournir ses propres archives ; sans empreinte forte dans le fichier, rien ne le remarque.',
      fix: 'Indiquez le registre en https dans .npmrc, supprimez ces entrées et réinstallez.',
      variants: {
        name: {
          title: 'Le fichier de verrouillage charge l’archive d’un autre paquet',
          message: '{names} est chargé depuis {address}, qui est l’archive d’un autre paquet.',
          why: 'C’est ainsi que du code hostile est glissé dans une modification que personne ne lit : le nom est familier, l’archive ne l’est pas.',
          fix: 'Cherchez qui a écrit cette entrée ; puis supprimez-la et réinstallez.',
        },
        host: {
          title: 'Le fichier de verrouillage charge des paquets depuis un hôte étranger',
          message: '{names} ({count}) sont chargés depuis {host} ; tout le reste vient de {own}.',
          why: 'Quelques entrées venues d’ailleurs : c’est ainsi que des archives hostiles sont glissées dans un fichier de verrouillage.',
          fix: 'Si cet hôte est voulu, indiquez-le dans .npmrc ; sinon supprimez ces entrées et réinstallez.',
        },
        scope: {
          title: 'Une portée de SAP vient d’un hôte que le projet ne nomme pas',
          message: '{names} ({count}) sont chargés depuis {host} ; tout le reste vient de {own}.',
          why: 'D’autres machines prennent ces paquets ailleurs que celle qui a écrit le fichier de verrouillage.',
          fix: 'Indiquez le registre de la portée dans .npmrc, ou supprimez ces entrées et réinstallez.',
        },
      },
    },
  },
})

/** Whether a package.json names the address of an entry itself. */
function createNamed({ packages }: NpmProject): (entry: { readonly name: string; readonly resolved?: string }) => boolean {
  const addresses = new Set<string>()
  for (const { dependencies } of packages)
    for (const { range } of dependencies) if (range.includes('://')) addresses.add(withoutHash(range))
  return ({ resolved = '' }) => addresses.has(withoutHash(resolved))
}

function withoutHash(address: string): string {
  const hash = address.indexOf('#')
  return hash === -1 ? address : address.slice(0, hash)
}

function* toMatch(
  file: string,
  served: readonly LockedPackage[],
  args: { readonly host: string; readonly own?: string },
  grade: Pick<Match, 'severity' | 'variant'>,
): Generator<Match> {
  const [first] = served
  if (first === undefined) return
  const span = { start: first.start, end: first.end }
  yield { at: { file, span }, args: { ...args, names: namesOf(served), count: String(served.length) }, key: args.host, ...grade }
}

function isHashed(served: readonly LockedPackage[]): boolean {
  return served.every(({ integrity }) => integrity === 'strong')
}

/** Whether the address is a registry’s for another name: `https://host/<name>/-/<last part of the name>-<version>.tgz`. */
function isOfAnother({ name, resolved = '' }: LockedPackage): boolean {
  const [, scope, base, archive = ''] =
    /\/(?:(@[^/@]{1,100})(?:\/|%2f))?([^/@%]{1,214})\/-\/([^/]{1,300})\.tgz/i.exec(resolved) ?? []
  if (base === undefined) return false
  const told = scope === undefined ? base : `${scope}/${base}`
  const isSame = told.toLowerCase() === name.toLowerCase()
  return !isSame || !archive.toLowerCase().startsWith(`${base.toLowerCase()}-`)
}
