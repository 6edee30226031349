import type { NpmSetting } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Loopback addresses: there is no network path to attack. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/]|$)/i

/**
 * Settings of npm and yarn that disable TLS or its validation for packages. Literal tokens are reported by `secrets`.
 * Facts: npm documentation, "config" (strict-ssl, registry); yarn documentation, "Settings (.yarnrc.yml)" (enableStrictSsl, unsafeHttpWhitelist).
 * Severity: MEDIUM, a defence is switched off; harm needs an attacker on the network path of a build.
 */
export const npmrcInsecure: Rule = defineRule({
  id: 'npm/npmrc-insecure',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#strict-ssl',
  on: 'project',

  *check({ npm }) {
    for (const setting of npm.settings) {
      const grade = gradeOf(setting)
      if (grade !== undefined) yield { at: setting.place, args: { setting: `${setting.key}=${setting.value}` }, ...grade }
    }
  },

  text: {
    en: {
      title: 'TLS certificate validation disabled for the registry',
      message: '{setting} disables the validation of the registry’s TLS certificate.',
      why: 'An attacker on the network path can read registry tokens and deliver modified packages, whose install scripts run with the permissions of the build.',
      fix: 'Remove the line. For a proxy with its own certificate authority, set "cafile=/path/to/ca.pem" in .npmrc (yarn 2 and later: httpsCaFilePath).',
      variants: {
        http: {
          title: 'Package registry without TLS',
          message: '{setting} configures a registry without TLS.',
          why: 'An attacker on the network path can read registry tokens and change responses, including packages that have no integrity hash in a lock file.',
          fix: 'Use https:// in the URL of the registry (for yarn, also remove the host from unsafeHttpWhitelist).',
        },
      },
    },
    fr: {
      title: 'Validation du certificat TLS du registre désactivée',
      message: '{setting} désactive la validation du certificat TLS du registre.',
      why: 'Un attaquant placé sur le chemin réseau peut lire les jetons du registre et fournir des paquets modifiés, dont les scripts s’exécutent avec les droits du build.',
      fix: 'Supprimez cette ligne. Pour un proxy ayant sa propre autorité de certification, définissez "cafile=/chemin/ca.pem" dans .npmrc (yarn 2 et suivants : httpsCaFilePath).',
      variants: {
        http: {
          title: 'Registre de paquets sans TLS',
          message: '{setting} configure un registre sans TLS.',
          why: 'Un attaquant placé sur le chemin réseau peut lire les jetons du registre et modifier les réponses, y compris les paquets sans empreinte dans un fichier de verrouillage.',
          fix: 'Utilisez https:// dans l’URL du registre (pour yarn, retirez aussi l’hôte de unsafeHttpWhitelist).',
        },
      },
    },
  },
})

function gradeOf({ key, value }: NpmSetting): Pick<Match, 'variant'> | undefined {
  if (key === 'strict-ssl') return value === 'false' ? {} : undefined
  if (key === 'unsafe-http') return { variant: 'http' }
  if (key !== 'registry' && !key.endsWith(':registry')) return undefined
  return /^http:\/\//i.test(value) && !LOOPBACK.test(value) ? { variant: 'http' } : undefined
}
