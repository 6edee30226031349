import { isForTesting, textOf, variableText } from '../../model/deployment/index.ts'
import { at, membersOf } from '../../parse/data.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A descriptor that switches off the check of server certificates for a whole process.
 *  Facts: Node.js, "Command-line API" (NODE_TLS_REJECT_UNAUTHORIZED); PEP 493; @sap/hana-client, connection property `sslValidateCertificate`. */
export const tlsOffEnv: Rule = defineRule({
  id: 'btp/tls-off-env',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://nodejs.org/api/cli.html#node_tls_reject_unauthorizedvalue',
  on: 'deployment',

  *check({ applications, mtas, placeOf }) {
    const told = (variable: string, value: string, app: string, place: Place): Match => ({
      at: place,
      args: { variable, value, app },
      ...(isForTesting(place.file) && { severity: 'MEDIUM' as const }),
    })
    for (const application of applications) {
      for (const variable of application.variables) {
        const value = switchedOff(variable.name, variableText(variable, application))
        if (value !== undefined) yield told(variable.name, value, application.name ?? application.file, variable.place)
      }
    }
    // tasks run too: deployers of databases and of content
    const running = new Set(applications.map(({ file, name }) => `${file} ${name}`))
    for (const mta of mtas) {
      for (const { name: app, node } of mta.modules) {
        if (running.has(`${mta.file} ${app}`)) continue
        for (const { key, value: written } of membersOf(at(node, 'properties'))) {
          const text = textOf(written)
          const value = switchedOff(key, text === undefined ? undefined : mta.resolve(text, node))
          if (value !== undefined) yield told(key, value, app, placeOf(written))
        }
      }
    }
  },

  text: {
    en: {
      title: 'A deployment switches the check of certificates off',
      message: '{variable} is {value} for {app}: every certificate of every server is accepted.',
      why: 'Whoever gets between the application and any of its backends can pose as that backend, and reads and changes everything, tokens included.',
      fix: 'Remove {variable}. If a server has a certificate of your own authority, hand that authority over: NODE_EXTRA_CA_CERTS.',
    },
    fr: {
      title: 'Un déploiement désactive la vérification des certificats',
      message: '{variable} vaut {value} pour {app} : tout certificat de tout serveur est accepté.',
      why: 'Quiconque se place entre l’application et l’un de ses serveurs peut se faire passer pour lui, lire et modifier tous les échanges, jetons compris.',
      fix: 'Supprimez {variable}. Si un serveur a un certificat de votre propre autorité, fournissez cette autorité : NODE_EXTRA_CA_CERTS.',
    },
  },
})

const FALSE = /^\s{0,5}(?:false|0)\s{0,5}$/i

/** Java properties that accept any certificate or any name in it. */
const JAVA_PROPERTY = /-D[\w.]{0,80}(?:trust_?all(?:_?certs?)?|disableHostnameVerification)(?:=true)?(?=["'\s,\]]|$)/i

function switchedOff(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (name === 'NODE_TLS_REJECT_UNAUTHORIZED') return text.trim() === '0' ? text : undefined
  if (name === 'PYTHONHTTPSVERIFY') return text.trim() === '0' ? text : undefined
  if (/^(?:JAVA_OPTS|JAVA_TOOL_OPTIONS|JBP_CONFIG_JAVA_OPTS)$/.test(name)) return JAVA_PROPERTY.exec(text.slice(0, 5000))?.[0]
  if (/(?:^|[._])sslValidateCertificate$/i.test(name) || /^npm_config_strict_ssl$/i.test(name))
    return FALSE.test(text) ? text : undefined
  return undefined
}
