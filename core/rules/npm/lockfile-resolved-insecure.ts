import { findForeignHosts, managerOfLock, type NpmProject } from '../../model/npm/index.ts'
import { hostOf, withoutUser, type LockedPackage } from '../../parse/lock/index.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { countedNamesOf } from './_messages.ts'

const UNENCRYPTED = /^(?:http|git|git\+http):\/\//i
const LOOPBACK = /^\w{3,8}:\/\/(?:localhost|127\.\d)/i

/** Caches of build environments: loopback, link-local and names that only a cluster or a company resolves. */
const INTERNAL =
  /^(?:[^.:]{1,100}|127\.[\d.]{5,11}|169\.254\.[\d.]{3,7}|.{1,250}\.(?:local|localhost|internal|svc))(?::\d{1,5})?$/i

const HASHED: Localized<Pick<RuleText, 'why'>> = {
  en: {
    why: 'An attacker on the network path can see which packages are installed and block their download. Only the integrity hashes protect the content of these packages.',
  },
  fr: {
    why: 'Un attaquant placé sur le réseau peut voir quels paquets sont installés et bloquer leur téléchargement. Seules les empreintes d’intégrité protègent le contenu de ces paquets.',
  },
}
const CACHE: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Replace http://{host} in the lock file with the https:// address of the registry behind this cache, such as the public npm registry, and run "{install}".',
  },
  fr: {
    fix: 'Remplacez http://{host} dans le fichier de verrouillage par l’adresse https:// du registre situé derrière ce cache, par exemple le registre npm public, puis exécutez "{install}".',
  },
}

/** Where most packages come from another registry, this one is not the project's. */
const FOREIGN: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Delete the entries for {names:and} from the lock file and run "{install}" with the registry that most packages come from ({own}).',
  },
  fr: {
    fix: 'Supprimez du fichier de verrouillage les entrées de {names:et} et exécutez "{install}" avec le registre d’où viennent la plupart des paquets ({own}).',
  },
}

const HOST: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'Lock file entries from an undeclared host',
    message: 'The lock file contains download URLs on {host} ({names}); most packages come from {own}.',
    why: 'An unexpected host can be a sign of lock file poisoning, which installs an attacker’s archive under a familiar name.',
  },
  fr: {
    title: 'Paquets téléchargés depuis un hôte non déclaré',
    message:
      'Le fichier de verrouillage contient des URL de téléchargement vers {host} ({names}) ; la plupart des paquets viennent de {own}.',
    why: 'Un hôte inattendu peut être le signe d’un fichier de verrouillage empoisonné : l’archive d’un attaquant est alors installée sous un nom familier.',
  },
}

/**
 * Addresses in a lock file that can deliver malicious code: without encryption, the archive of another package, or an undeclared host. There is no
 * list of trusted hosts: the one that most packages come from and those of the settings are the project’s own.
 * Facts: npm documentation, "package-lock.json" (resolved).
 * Impact: whoever sits on the network path, or keeps an undeclared host, chooses the code; the hashes of a lock file hold that back, and caches of build
 * environments and mirrors are worth knowing alone.
 */
export const lockfileResolvedInsecure: Rule = defineRule({
  id: 'npm/lockfile-resolved-insecure',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  grades: {
    // the archive of another package: whoever wrote the entry chose the code
    name: { reach: 'anyone', usage: 'deployed' },
    hashed: { impact: 'defence', evidence: 'shown' },
    'foreign-hashed': { impact: 'defence', evidence: 'shown' },
    cache: { impact: 'hygiene' },
    'cache-hashed': { impact: 'hygiene' },
  },
  confidence: 'high',
  cwe: [494],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-lock-json',
  on: 'packages',

  *check(subject, { npm }) {
    const { file, packages, lock } = subject
    if (lock === undefined) return
    const isNamed = createNamed(npm)
    const manager = managerOfLock(subject, npm)
    const open = new Map<string, LockedPackage[]>()
    for (const found of [...packages, ...lock.others]) {
      const { resolved = '', start, end, name } = found
      if (UNENCRYPTED.test(resolved) && !LOOPBACK.test(resolved)) {
        // what a package.json names by address is reported there
        if (isNamed(found)) continue
        const host = hostOf(resolved.replace(/^git(?:\+http)?:/i, 'http:')) ?? ''
        const entry = 'version' in found ? found : { ...found, version: '', direct: false, isPrivate: false }
        const known = open.get(host)
        if (known === undefined) open.set(host, [entry])
        else known.push(entry)
      } else if ('version' in found && !isNamed(found) && isOfAnother(found)) {
        yield {
          at: { file, span: { start, end } },
          args: { ...manager, names: name, address: withoutUser(resolved) },
          variant: 'name',
        }
      }
    }
    const foreign = findForeignHosts(subject, npm)
    for (const [host, served] of open) {
      const isForeign = foreign.some((one) => one.host === host)
      const grade: Grade = isHashed(served)
        ? { variant: isForeign ? 'foreign-hashed' : 'hashed' }
        : isForeign
          ? { variant: 'foreign' }
          : {}
      const [git] = served.flatMap(({ resolved = '' }) => /^git(?:\+http)?:\/\//i.exec(resolved) ?? [])
      const args = { ...manager, host, own: lock.ownHost, ...(git !== undefined && { scheme: git }) }
      yield* toMatch(file, served, args, git === undefined ? grade : { ...grade, variant: 'git' })
    }
    for (const { host, packages: served, reason } of foreign) {
      // a private scope without a registry is dependency-confusion's
      if (reason === 'private-scope' || open.has(host)) continue
      const grade: Grade =
        reason === 'sap-scope'
          ? { variant: 'scope' }
          : { ...(reason === 'mirror' && { impact: 'hygiene' }), variant: served.every(isScoped) ? 'host-scopes' : 'host' }
      yield* toMatch(file, served, { ...manager, host, own: lock.ownHost }, grade)
    }
  },

  text: () => ({
    en: {
      title: 'Lock file entries fetched without TLS',
      message: 'The lock file contains download URLs without TLS on {host} ({names}).',
      why: 'An attacker on the network path can replace an archive that has no strong integrity hash and run code in builds and in the application.',
      fix: 'Set "registry={registry}" in .npmrc, replace http://{host} with https://{host} in the lock file, and run "{install}".',
      variants: {
        hashed: HASHED.en,
        foreign: FOREIGN.en,
        'foreign-hashed': { ...HASHED.en, ...FOREIGN.en },
        cache: CACHE.en,
        'cache-hashed': { ...HASHED.en, ...CACHE.en },
        git: {
          why: 'An attacker on the network path can see which packages are installed and block their download. Only the commit hashes protect the content of these packages.',
          fix: 'Set {names:and} in {overrides} to the same address with "git+https://" instead of "{scheme}", and run "{install}".',
        },
        name: {
          title: 'Possible lock file poisoning: archive of another package',
          message: 'For {names}, the lock file names {address}, which is the archive of another package.',
          why: 'Lock file poisoning installs an attacker’s archive under a familiar name; changes to lock files are rarely reviewed.',
          fix: 'Find out who added this entry. Delete the entry and the node_modules folder, run "{install}", and review the new entry.',
        },
        host: {
          ...HOST.en,
          fix: 'Delete the entries for {names:and} from the lock file and run "{install}". If {host} is your registry, set "registry={registry}" in .npmrc instead.',
        },
        'host-scopes': {
          ...HOST.en,
          fix: 'Delete the entries for {names:and} from the lock file and run "{install}". If {host} is your registry for these packages, add {settings:and} to .npmrc instead.',
        },
        scope: {
          title: 'SAP scope from a registry not declared in .npmrc',
          message: 'The lock file contains download URLs on {host} ({names}); most packages come from {own}.',
          why: 'On a machine with other settings, an update or an installation without this lock file takes these packages from another registry, which may serve other content under the same names.',
          fix: 'Add {settings:and} to the .npmrc file next to the lock file, or delete the entries for {names:and} and run "{install}".',
        },
      },
    },
    fr: {
      title: 'URL de téléchargement sans TLS dans le fichier de verrouillage',
      message: 'Le fichier de verrouillage contient des URL de téléchargement sans TLS vers {host} ({names}).',
      why: 'Un attaquant placé sur le réseau peut remplacer toute archive dont l’empreinte d’intégrité est absente ou faible, et exécuter du code dans les builds et l’application.',
      fix: 'Définissez "registry={registry}" dans .npmrc, remplacez http://{host} par https://{host} dans le fichier de verrouillage, puis exécutez "{install}".',
      variants: {
        hashed: HASHED.fr,
        foreign: FOREIGN.fr,
        'foreign-hashed': { ...HASHED.fr, ...FOREIGN.fr },
        cache: CACHE.fr,
        'cache-hashed': { ...HASHED.fr, ...CACHE.fr },
        git: {
          why: 'Un attaquant placé sur le réseau peut voir quels paquets sont installés et bloquer leur téléchargement. Seules les empreintes des commits protègent le contenu de ces paquets.',
          fix: 'Ajoutez {names:et} à {overrides} avec la même adresse, en y remplaçant "{scheme}" par "git+https://", puis exécutez "{install}".',
        },
        name: {
          title: 'Fichier de verrouillage peut-être empoisonné : archive d’un autre paquet',
          message: 'Pour {names}, le fichier de verrouillage indique {address}, l’archive d’un autre paquet.',
          why: 'En empoisonnant le fichier de verrouillage, un attaquant fait installer une archive malveillante sous un nom familier ; les modifications de ce fichier sont rarement relues.',
          fix: 'Recherchez qui a ajouté cette entrée. Supprimez-la ainsi que le dossier node_modules, exécutez "{install}" et relisez la nouvelle entrée.',
        },
        host: {
          ...HOST.fr,
          fix: 'Supprimez du fichier de verrouillage les entrées de {names:et} et exécutez "{install}". Si {host} est votre registre, définissez plutôt "registry={registry}" dans .npmrc.',
        },
        'host-scopes': {
          ...HOST.fr,
          fix: 'Supprimez du fichier de verrouillage les entrées de {names:et} et exécutez "{install}". Si {host} est votre registre pour ces paquets, ajoutez plutôt {settings:et} à .npmrc.',
        },
        scope: {
          title: 'Scope SAP servi par un registre non déclaré dans .npmrc',
          message:
            'Le fichier de verrouillage contient des URL de téléchargement vers {host} ({names}) ; la plupart des paquets viennent de {own}.',
          why: 'Sur une machine configurée autrement, une mise à jour, ou une installation sans ce fichier de verrouillage, prend ces paquets dans un autre registre, qui peut fournir un autre contenu sous les mêmes noms.',
          fix: 'Ajoutez {settings:et} au fichier .npmrc situé à côté du fichier de verrouillage, ou supprimez les entrées de {names:et} et exécutez "{install}".',
        },
      },
    },
  }),
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

type Grade = Pick<Match, 'impact' | 'variant'>

function* toMatch(
  file: string,
  served: readonly LockedPackage[],
  args: Readonly<Record<string, string>> & { readonly host: string },
  grade: Grade,
): Generator<Match> {
  const [first] = served
  if (first === undefined) return
  const span = { start: first.start, end: first.end }
  yield {
    at: { file, span },
    args: { ...args, names: countedNamesOf(served), registry: addressOf(first), settings: settingsFor(served) },
    key: args.host,
    ...grade,
    ...(INTERNAL.test(args.host) && { impact: 'hygiene', ...toCache(grade) }),
  }
}

/** What only the machine that installed it reaches has to be replaced, not encrypted. */
function toCache({ variant }: Pick<Match, 'variant'>): Pick<Match, 'variant'> {
  if (variant === undefined) return { variant: 'cache' }
  if (variant === 'foreign') return { variant: 'cache' }
  return variant === 'hashed' || variant === 'foreign-hashed' ? { variant: 'cache-hashed' } : {}
}

/** The address of the registry that serves a package, with TLS. */
function addressOf({ name, resolved: written = '' }: LockedPackage): string {
  const resolved = withoutUser(written)
  const end = resolved.indexOf(`/${name}/`)
  return `https:${resolved.slice(resolved.indexOf('//'), end === -1 ? resolved.indexOf('/', resolved.indexOf('//') + 2) + 1 : end + 1)}`
}

function isScoped({ name }: LockedPackage): boolean {
  return name.startsWith('@') && name.includes('/')
}

/** What maps each scope to its registry. */
function settingsFor(served: readonly LockedPackage[]): string {
  const settings = served.map((it) => `"${it.name.slice(0, it.name.indexOf('/'))}:registry=${addressOf(it)}"`)
  return [...new Set(settings)].slice(0, MOST_SETTINGS).join(', ')
}

const MOST_SETTINGS = 5

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
