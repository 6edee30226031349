import { dayArgument } from '../../arguments.ts'
import { javaVersion, lockedAs, packageOf, type CapRoot } from '../../model/cap/index.ts'
import { endedMajorOf, hasEndedRecently, type NpmPackage } from '../../model/npm/index.ts'
import { joinPath } from '../../paths.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * A major version of CAP that gets no fixes any more: what the lock file resolves, else a range in which every version has ended.
 * Judged on the day of the scan.
 * Impact: it stops getting fixes; half a year later what was found since then adds up.
 */
export const outdatedMajor: Rule = defineRule({
  id: 'cap/outdated-major',
  impact: 'hygiene',
  circumstance: 'ended',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/releases/schedule#maintenance-status',
  on: 'cap-root',

  *check(root, project) {
    const named = root.test ? undefined : root.runtime === 'java' ? javaPin(root, project) : nodePin(root, project)
    if (named === undefined) return
    const found = endedMajorOf(named.version, project.date, (major) => ENDS[root.runtime].get(major))
    if (found === undefined) return
    const { name, version, place, lock } = named
    const target = String(NEWEST[root.runtime])
    const isRecent = hasEndedRecently(found, project.date)
    yield {
      at: place,
      args: {
        package: name,
        version,
        file: place.file,
        major: String(found.major),
        ended: dayArgument(found.ended),
        target,
        ...lock,
      },
      ...(lock && { variant: 'locked' }),
      groupKey: `${name} ${found.major}`,
      ...(isRecent && { circumstance: 'unfixed' as const }),
    }
  },

  text: () => ({
    en: {
      title: 'CAP version out of maintenance',
      message: '{file} uses {package} {version}, but version {major} has received no security fixes since {ended}.',
      why: 'Any vulnerability found after that date in the code that parses requests or checks authorization stays exploitable in this application.',
      fix: 'Upgrade {package} in {file} to version {target}, one major version at a time, following the migration guides.',
      variants: {
        locked: {
          message:
            '{lock} installs {package} {version} for the range {range} of {file}, but version {major} has received no security fixes since {ended}.',
          fix: 'Upgrade {package} in {file} to version {target}, one major version at a time, following the migration guides, and let the package manager write {lock} anew.',
        },
      },
    },
    fr: {
      title: 'Version de CAP hors maintenance',
      message:
        '{file} utilise {package} {version}, mais la version {major} ne reçoit plus de correctifs de sécurité depuis le {ended}.',
      why: 'Toute vulnérabilité découverte après cette date dans le code qui analyse les requêtes ou vérifie les autorisations reste exploitable dans cette application.',
      fix: 'Passez {package} à la version {target} dans {file}, une version majeure à la fois, en suivant les guides de migration.',
      variants: {
        locked: {
          message:
            '{lock} installe {package} {version} pour la plage {range} de {file}, mais la version {major} ne reçoit plus de correctifs de sécurité depuis le {ended}.',
          fix: 'Passez {package} à la version {target} dans {file}, une version majeure à la fois, en suivant les guides de migration, et laissez le gestionnaire de paquets réécrire {lock}.',
        },
      },
    },
  }),
})

/** The day from which a major version gets no fixes: the second next one is out, and two months have gone. A major that is not here is alive.
 *  Facts: capire, "CAP Releases" (months of the majors) and "Release Schedule" (the former major gets critical fixes only), read 2026-11. */
const ENDS: Readonly<Record<'node' | 'java', ReadonlyMap<number, string>>> = {
  node: new Map([
    [0, '2020-04-30'],
    [1, '2020-04-30'],
    [2, '2021-07-31'],
    [3, '2021-07-31'],
    [4, '2022-08-31'],
    [5, '2023-08-31'],
    [6, '2024-08-31'],
    [7, '2025-07-31'],
    [8, '2026-08-31'],
  ]),
  java: new Map([
    [0, '2022-08-31'],
    [1, '2024-08-31'],
    [2, '2025-07-31'],
    [3, '2026-08-31'],
  ]),
}

/** The newest major version, as of 2026-11. */
const NEWEST = { node: 10, java: 5 } as const

interface Pin {
  readonly name: string
  readonly version: string
  readonly place: Place
  /** What the lock file says of another range. */
  readonly lock?: { readonly lock: string; readonly range: string }
}

function nodePin(root: CapRoot, { npm }: Project): Pin | undefined {
  const name = '@sap/cds'
  // the generator of the first versions wrote what the server loads into a package of its own
  const pinIn = (at: NpmPackage | undefined) => at?.dependencies.find((it) => it.name === name && it.member === 'dependencies')
  const ofServer = npm.byFolder.get(joinPath(root.root, 'srv'))
  const candidates = [packageOf(root, npm), ofServer].filter((one) => pinIn(one) !== undefined)
  // where the server is a module of its own, nothing else of the project is installed beside it
  const own = candidates.find((one) => one === ofServer && one?.deployedBy.length) ?? candidates[0]
  const dependency = pinIn(own)
  if (own === undefined || dependency === undefined) return undefined
  const place = { file: own.file, span: { start: dependency.start, end: dependency.end } }
  const locked = lockedAs(own, name).find(({ direct }) => direct)
  const file = locked && own.locks.find(({ lock, packages }) => lock !== undefined && packages.includes(locked))?.file
  const isOther = file !== undefined && locked?.version !== dependency.range
  return {
    name,
    version: locked?.version ?? dependency.range,
    place,
    ...(isOther && { lock: { lock: file, range: dependency.range } }),
  }
}

function javaPin({ root }: CapRoot, { files }: Project): Pin | undefined {
  const pin = javaVersion(root, files)
  return pin && { name: 'CAP Java', version: numbersOf(pin.version), place: pin.place }
}

/** `2.4.0-SNAPSHOT`, `2.4` as a version with three numbers. */
function numbersOf(version: string): string {
  const [major = '0', minor = '0', patch = '0'] = version.split(/\D/, 3).map((part) => part || '0')
  return `${major}.${minor}.${patch}`
}
