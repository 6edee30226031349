import type { NpmProject, NpmSetting } from '../../model/npm/index.ts'
import { folderOf } from '../../paths.ts'
import type { Localized, Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Loopback addresses: there is no network path to attack. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/]|$)/i

const HTTP: Localized<string> = {
  en: 'An attacker on the network path can read registry tokens and replace packages that have no integrity hash in a lock file.',
  fr: 'Un attaquant placé sur le réseau peut lire les jetons du registre et remplacer les paquets dont aucun fichier de verrouillage ne contient l’empreinte.',
}

/**
 * Settings of npm and yarn that disable TLS or its validation for packages. Literal tokens are reported by `secrets`.
 * Facts: npm documentation, "config" (strict-ssl, registry); yarn documentation, "Settings (.yarnrc.yml)" (enableStrictSsl, unsafeHttpWhitelist).
 * Impact: whoever sits on the network path of an installation reads the tokens of registries and chooses the code. Where the file holds no credential and a lock
 * file has a hash of each package, that takes a network of one's own and an installation that changes the lock file.
 */
export const npmrcInsecure: Rule = defineRule({
  id: 'npm/npmrc-insecure',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  // whether credentials travel, and whether a lock file holds hashes, is not known
  evidence: 'assumed',
  grades: { http: { reach: 'privileged' }, allowed: { reach: 'privileged' } },
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#strict-ssl',
  docsByVariant: {
    yarn: 'https://yarnpkg.com/configuration/yarnrc#enableStrictSsl',
    http: 'https://docs.npmjs.com/cli/v11/using-npm/config#registry',
    allowed: 'https://yarnpkg.com/configuration/yarnrc#unsafeHttpWhitelist',
  },
  on: 'project',

  *check({ npm }) {
    for (const setting of npm.settings) {
      const grade = gradeOf(setting)
      if (grade !== undefined)
        yield { at: setting.place, args: argsOf(setting), ...grade, ...reachOf(setting, npm), ...usageOf(setting, npm) }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled for the registry',
      message: '{setting} disables the validation of the registry’s TLS certificate.',
      why: 'An attacker on the network path can read registry tokens and replace packages that have no integrity hash in a lock file; code in these packages runs with the permissions of the build.',
      fix: 'Remove the line. For a registry or proxy with its own certificate authority, set "cafile=/path/to/ca.pem" in .npmrc.',
      variants: {
        yarn: {
          fix: 'Remove the line. For a registry or proxy with its own certificate authority, set "httpsCaFilePath: /path/to/ca.pem" in .yarnrc.yml.',
        },
        http: {
          title: 'Package registry without TLS',
          message: '{setting} configures a registry without TLS.',
          why: HTTP.en,
          fix: 'Use https:// in the registry URL.',
        },
        allowed: {
          title: 'Package registry without TLS',
          message: '"unsafeHttpWhitelist" lists {setting}: Yarn accepts http:// URLs of this host.',
          why: HTTP.en,
          fix: 'Remove {setting} from "unsafeHttpWhitelist", and use https:// in the URLs of this host.',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS du registre désactivée',
      message: '{setting} désactive la validation du certificat TLS du registre.',
      why: 'Un attaquant placé sur le réseau peut lire les jetons du registre et remplacer les paquets dont aucun fichier de verrouillage ne contient l’empreinte ; leur code s’exécute avec les droits du build.',
      fix: 'Supprimez cette ligne. Pour un registre ou un proxy ayant sa propre autorité de certification, définissez "cafile=/chemin/ca.pem" dans .npmrc.',
      variants: {
        yarn: {
          fix: 'Supprimez cette ligne. Pour un registre ou un proxy ayant sa propre autorité de certification, définissez "httpsCaFilePath: /chemin/ca.pem" dans .yarnrc.yml.',
        },
        http: {
          title: 'Registre de paquets sans TLS',
          message: '{setting} configure un registre sans TLS.',
          why: HTTP.fr,
          fix: 'Utilisez https:// dans l’URL du registre.',
        },
        allowed: {
          title: 'Registre de paquets sans TLS',
          message: '"unsafeHttpWhitelist" contient {setting} : Yarn accepte les URL http:// de cet hôte.',
          why: HTTP.fr,
          fix: 'Retirez {setting} de la liste "unsafeHttpWhitelist" et utilisez https:// dans les URL de cet hôte.',
        },
      },
    },
  }),
})

/** The setting as its file writes it. */
function argsOf({ key, value, place }: NpmSetting): Match['args'] {
  if (key === 'unsafe-http') return { setting: value }
  if (place.file.endsWith('.yarnrc')) return { setting: `"${key} ${value}"` }
  if (!place.file.endsWith('.yarnrc.yml')) return { setting: `"${key}=${value}"` }
  return { setting: key === 'strict-ssl' ? `"enableStrictSsl: ${value}"` : `"npmRegistryServer: ${value}"` }
}

function gradeOf({ key, value, place }: NpmSetting): Pick<Match, 'variant'> | undefined {
  if (key === 'strict-ssl') {
    if (value !== 'false') return undefined
    return place.file.endsWith('.yarnrc.yml') ? { variant: 'yarn' } : {}
  }
  if (key === 'unsafe-http') return { variant: 'allowed' }
  if (key !== 'registry' && !key.endsWith(':registry')) return undefined
  return /^http:\/\//i.test(value) && !LOOPBACK.test(value) ? { variant: 'http' } : undefined
}

/** What a lock file holds is compared with its hash, whoever answers; without it, and with a credential, any network path will do. */
function reachOf({ key, place: { file } }: NpmSetting, { settings, byFolder }: NpmProject): Pick<Match, 'reach'> {
  // settings of Yarn 2 that hold credentials are not read
  if (key !== 'strict-ssl' || file.endsWith('.yml')) return {}
  const beside = settings.filter(({ place }) => place.file === file)
  if (beside.some((other) => CREDENTIAL.test(other.key) || /^http:/i.test(other.value))) return {}
  const packages = byFolder.get(folderOf(file))?.locks.flatMap((lock) => (lock.lock === undefined ? [] : lock.packages)) ?? []
  // another archive with the SHA-1 of a given one is out of reach, too
  const isPinned =
    packages.some(({ integrity }) => integrity === 'strong') && packages.every(({ integrity }) => integrity !== 'none')
  return isPinned ? { reach: 'privileged' } : {}
}

/** Fact: npm 11, "npmrc": the file of a project lies beside its package.json; another one is read where nothing is installed. */
function usageOf({ place: { file } }: NpmSetting, { byFolder }: NpmProject): Pick<Match, 'usage'> {
  return file.endsWith('.npmrc') && byFolder.size > 0 && !byFolder.has(folderOf(file)) ? { usage: 'unused' } : {}
}

const CREDENTIAL = /(?:^|:)_?(?:auth|authtoken|password|username|certfile|keyfile|cert|key)$/
