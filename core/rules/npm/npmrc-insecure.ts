import type { NpmSetting } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Addresses of the own machine: nobody stands between. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?:[:/]|$)/i

/**
 * Settings of npm and yarn by which packages come over a connection that nobody checks. Literal tokens are the business of `secrets`.
 * Facts: npm documentation, "config" (strict-ssl, registry); yarn documentation, "Settings (.yarnrc.yml)" (enableStrictSsl, unsafeHttpWhitelist).
 */
export const npmrcInsecure: Rule = defineRule({
  id: 'npm/npmrc-insecure',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/using-npm/config#strict-ssl',
  on: 'project',

  *check({ npm }) {
    for (const setting of npm.settings) {
      const grade = gradeOf(setting)
      if (grade !== undefined) yield { at: setting.place, args: { setting: `${setting.key}=${setting.value}` }, ...grade }
    }
  },

  text: {
    en: {
      title: 'Packages are installed without checking the certificate',
      message: '{setting} switches off the check of the registry’s certificate.',
      why: 'Whoever stands between a build and the registry can hand out packages of his own; their scripts run with the rights of the build, and tokens are sent to him.',
      fix: 'Remove the setting. Where a company proxy has a certificate of its own, name it: "cafile=<path>".',
      variants: {
        http: {
          title: 'The registry is asked over http',
          message: '{setting} names a registry without encryption.',
          why: 'Whoever stands between a build and the registry reads tokens and changes the answers; without a hash in a lock file also the packages.',
          fix: 'Write the address with https.',
        },
      },
    },
    fr: {
      title: 'Les paquets sont installés sans vérifier le certificat',
      message: '{setting} désactive la vérification du certificat du registre.',
      why: 'Quiconque se place entre une construction et le registre peut fournir ses propres paquets ; leurs scripts s’exécutent avec les droits de la construction, et les jetons lui parviennent.',
      fix: 'Supprimez ce réglage. Si un mandataire de l’entreprise a son propre certificat, indiquez-le : « cafile=<chemin> ».',
      variants: {
        http: {
          title: 'Le registre est interrogé en http',
          message: '{setting} désigne un registre sans chiffrement.',
          why: 'Quiconque se place entre une construction et le registre lit les jetons et modifie les réponses ; sans empreinte dans un fichier de verrouillage, les paquets aussi.',
          fix: 'Écrivez l’adresse avec https.',
        },
      },
    },
  },
})

function gradeOf({ key, value }: NpmSetting): Pick<Match, 'severity' | 'variant'> | undefined {
  if (key === 'strict-ssl') return value === 'false' ? {} : undefined
  if (key === 'unsafe-http') return { severity: 'MEDIUM', variant: 'http' }
  if (key !== 'registry' && !key.endsWith(':registry')) return undefined
  return /^http:\/\//i.test(value) && !LOOPBACK.test(value) ? { severity: 'MEDIUM', variant: 'http' } : undefined
}
