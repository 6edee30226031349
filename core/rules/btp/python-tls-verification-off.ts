import { defineRule, type Rule } from '../rule.ts'
import { findPythonTlsFaults, type PythonTlsFault } from './_python-tls.ts'

const CA = {
  en: 'For certificates from a private CA, load the CA certificate: ssl.create_default_context(cafile="<ca>.pem").',
  fr: 'Pour les certificats d’une autorité de certification privée, chargez le certificat de l’autorité : ssl.create_default_context(cafile="<ca>.pem").',
}

/**
 * A deployed application of Python that does not validate the certificates of the servers that it calls.
 * Facts: Python 3, "ssl" (CERT_NONE, check_hostname) and PEP 476; requests 2, "SSL Cert Verification"; HTTPX, "SSL"; hdbcli, `sslValidateCertificate`.
 * Impact: an attacker on the network path reads credentials and tokens and acts with them; databases are within the landscape. What a request of a
 * client carries is not looked at.
 */
export const pythonTlsVerificationOff: Rule = defineRule({
  id: 'btp/python-tls-verification-off',
  impact: 'takeover',
  attacker: 'network',
  reach: 'user',
  evidence: 'assumed',
  grades: {
    context: { reach: 'privileged', evidence: 'shown' },
    host: { reach: 'privileged', evidence: 'shown' },
    default: { reach: 'privileged', evidence: 'shown' },
    database: { reach: 'privileged', evidence: 'shown' },
  },
  confidence: 'high',
  cwe: [295],
  since: '0.3.0',
  docs: 'https://docs.python.org/3/library/ssl.html#ssl.CERT_NONE',
  on: 'project',

  *check(project) {
    for (const fault of findPythonTlsFaults(project))
      yield {
        at: { file: fault.file, span: fault.span },
        args: { setting: fault.setting.replace(/\($/, ''), variable: fault.variable ?? '' },
        groupKey: `${fault.file} ${fault.setting} ${fault.kind} ${fault.variable ?? ''}`,
        ...variantOf(fault),
      }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled in Python',
      message:
        'Because of {setting}, server certificates are not validated here: the connection accepts any certificate, even a self-signed one.',
      why: 'An attacker on the network path can impersonate the server, and read and change all traffic, including credentials and tokens.',
      fix: `Remove {setting}. ${CA.en}`,
      variants: {
        host: {
          title: 'TLS host name verification disabled in Python',
          message: 'Because of {setting}, a certificate that was issued for any other host is accepted here.',
        },
        default: {
          title: 'TLS certificate validation disabled by default in Python',
          message:
            '{setting} applies unless the environment variable {variable} has another value, and no descriptor sets it: the connection accepts any certificate.',
          fix: `Remove the branch for {variable}, so that certificates are always validated. ${CA.en}`,
        },
        database: {
          title: 'TLS certificate validation disabled for SAP HANA in Python',
          message: '{setting}: the certificate of the database server is accepted without validation.',
          why: 'An attacker on the network path can impersonate the database, and read and change all traffic with it, including credentials.',
          fix: 'Set sslValidateCertificate=True; for certificates from a private CA, also set sslTrustStore to the path of the CA certificate.',
        },
      },
    },
    fr: {
      title: 'Validation des certificats TLS désactivée en Python',
      message:
        'À cause de {setting}, les certificats serveur ne sont pas validés ici : la connexion accepte n’importe quel certificat, même auto-signé.',
      why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur et lire ou modifier tout le trafic, y compris les identifiants et les jetons.',
      fix: `Supprimez {setting}. ${CA.fr}`,
      variants: {
        host: {
          title: 'Vérification du nom d’hôte TLS désactivée en Python',
          message: 'À cause de {setting}, un certificat émis pour n’importe quel autre hôte est accepté ici.',
        },
        default: {
          title: 'Validation des certificats TLS désactivée par défaut en Python',
          message:
            '{setting} s’applique tant que la variable d’environnement {variable} n’a pas une autre valeur, et aucun descripteur ne la définit : la connexion accepte n’importe quel certificat.',
          fix: `Supprimez la branche pour {variable} : les certificats doivent toujours être validés. ${CA.fr}`,
        },
        database: {
          title: 'Validation du certificat TLS désactivée pour SAP HANA en Python',
          message: '{setting} : le certificat du serveur de base de données est accepté sans validation.',
          why: 'Un attaquant placé sur le réseau peut usurper l’identité de la base de données et lire ou modifier tout le trafic avec celle-ci, y compris les identifiants.',
          fix: 'Définissez sslValidateCertificate=True ; pour les certificats d’une autorité de certification privée, définissez aussi sslTrustStore avec le chemin du certificat de l’autorité.',
        },
      },
    },
  }),
})

function variantOf({ kind, variable }: PythonTlsFault): { readonly variant?: string } {
  if (variable !== undefined) return { variant: 'default' }
  return kind === 'client' || kind === 'process' ? {} : { variant: kind }
}
