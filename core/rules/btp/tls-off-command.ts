import { inEachLanguage } from '../../arguments.ts'
import { findCommands } from '../../model/deployment/index.ts'
import type { GradeFacts } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { sendsLoginAbroad } from './_command-logins.ts'

/**
 * A command of a pipeline, an image or a script that disables the validation of server certificates.
 * Facts: documentation of cf CLI (--skip-ssl-validation), curl (-k), wget (--no-check-certificate), npm (strict-ssl), Git (http.sslVerify), kubectl
 * (--insecure-skip-tls-verify), Helm (--kube-insecure-skip-tls-verify), Maven Wagon (maven.wagon.http.ssl.insecure), Node.js (NODE_TLS_REJECT_UNAUTHORIZED).
 * Impact: whoever is on the network path gets the credentials that a tool sends, or replaces what it installs. Developers run scripts in networks that are
 * not everybody’s, if at all.
 */
export const tlsOffCommand: Rule = defineRule({
  id: 'btp/tls-off-command',
  impact: 'takeover',
  attacker: 'network',
  // over the internet; whether credentials or code travel is not in most commands
  reach: 'user',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [295],
  since: '0.1.0',
  docs: 'https://cwe.mitre.org/data/definitions/295.html',
  on: 'project',

  *check({ files, reach }) {
    // what people run by hand logs on as well, wherever it lies
    const gradeOf = (file: string, isShown: boolean, isLogin: () => boolean): GradeFacts => {
      if (reach.usageOf(file) === 'unused' && isLogin()) return { usage: 'deployed' }
      return isShown || isLogin() ? { evidence: 'shown' } : {}
    }
    for (const { file, runs, text, spanOf } of findCommands(files)) {
      const found = new Set<string>()
      for (const { pattern, instead, note = '', isOfNode, logsIn } of TOOLS) {
        // a rule of CAP reports it in package.json and in images
        if (isOfNode === true && /(?:^|\/)package\.json$|docker|containerfile/i.test(file)) continue
        for (const { 0: command, index, groups } of text.matchAll(pattern)) {
          const option = groups?.['option'] ?? command
          const line = lineAround(text, index, command.length)
          if (isLoopbackOnly(line)) continue
          const start = index + command.lastIndexOf(option)
          const span = spanOf(start, start + option.length)
          // a command without offsets of its own is marked as a whole, once for each option
          const key = `${span.start} ${option}`
          if (found.has(key)) continue
          found.add(key)
          const part = partToRemove(text, start, option)
          const args = {
            setting: withoutQuotes(option),
            what: option.length > 2 && part === '-k' ? wordLetter(option) : `"${part}"`,
            file,
            note,
            undo: runs === 'script' ? undoSetting(part) : '',
            instead: part.startsWith('yarn ') ? instead.replace('npm ', 'yarn ') : instead,
          }
          yield {
            at: { file, span },
            args,
            key: option,
            groupKey: `${file} ${option}`,
            ...(runs === 'script' && { reach: 'privileged' as const }),
            ...gradeOf(file, runs === 'script' ? FETCHES_TRUST.test(line) : logsIn === true, () => sendsLoginAbroad(text, index)),
          }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'TLS certificate validation disabled in a command',
      message: '"{setting}" in {file} disables the validation of server certificates{note}.',
      why: 'An attacker on the network path can impersonate the server, read what is sent and replace what is received.',
      fix: 'Remove {what} here{undo}. If the server’s certificate comes from a private CA, trust that CA: {instead}.',
    },
    fr: {
      title: 'Validation du certificat TLS désactivée dans une commande',
      message: '"{setting}" dans le fichier {file} désactive la validation des certificats présentés par les serveurs{note}.',
      why: 'Un attaquant placé sur le réseau peut usurper l’identité du serveur, lire ce qui est envoyé et remplacer ce qui est reçu.',
      fix: 'Supprimez {what} à cet endroit{undo}. Si le certificat du serveur est émis par une autorité de certification privée, indiquez le certificat de l’autorité : {instead}.',
    },
  }),
})

interface Tool {
  /** `option`: the part that disables the validation, where it is not all. */
  readonly pattern: RegExp
  /** How to trust a private CA instead. */
  readonly instead: string
  /** Under which condition the option has this effect. */
  readonly note?: string
  readonly isOfNode?: true
  /** It sends the credentials of a login to the server, whatever the command. */
  readonly logsIn?: true
}

/** The resolver of Maven 3.9 and later does not read the property. */
const WAGON = inEachLanguage({ en: ' (Wagon transport)', fr: ' (transport Wagon)' })

/** Between tool and option: words, quoted strings, and continued lines of the same command. */
const TOOLS: readonly Tool[] = [
  {
    pattern:
      /(?<![\w-])curl(?:\.exe)?\s(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\\[^]|[^\n;&|"'\\]){0,500}?(?<=\s)(?<option>--insecure|-[sSfLgiv]{0,6}k[sSfLgivo]{0,6})(?=\s|$|["'])/g,
    instead: '--cacert ca.pem',
  },
  {
    pattern: /(?<![\w-])wget\s(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\\[^]|[^\n;&|"'\\]){0,500}?(?<option>--no-check-certificate)\b/g,
    instead: '--ca-certificate=ca.pem',
  },
  {
    pattern: /(?<![\w-])cf\s(?:"[^"\n]{0,300}"|'[^'\n]{0,300}'|\\[^]|[^\n;&|"'\\]){0,500}?(?<option>--skip-ssl-validation)\b/g,
    instead: 'SSL_CERT_FILE=ca.pem',
    logsIn: true,
  },
  {
    pattern:
      /(?<![\w-])(?:--)?strict-ssl["']?(?:=|[ \t]{1,5})["']?false\b|--no-strict-ssl\b|\bnpm_config_strict_ssl=["']?false\b/gi,
    instead: 'npm config set cafile ca.pem',
  },
  {
    pattern: /\bhttp\.sslVerify(?:=|[ \t]{1,5})["']?(?:false|0)\b|\bGIT_SSL_NO_VERIFY=["']?(?:1|true)\b/gi,
    instead: 'git -c http.sslCAInfo=ca.pem',
  },
  { pattern: /--insecure-skip-tls-verify(?:=true)?(?![\w=-])/g, instead: '--certificate-authority=ca.pem', logsIn: true },
  { pattern: /--kube-insecure-skip-tls-verify(?:=true)?(?![\w=-])/g, instead: '--kube-ca-file=ca.pem', logsIn: true },
  {
    pattern: /-Dmaven\.wagon\.http\.ssl\.insecure=true\b/g,
    instead: 'keytool -importcert -cacerts -storepass changeit -noprompt -file ca.pem',
    note: WAGON,
  },
  {
    pattern:
      /(?<=^|[\s;&|"'])(?:export\s{1,5})?(?<option>NODE_TLS_REJECT_UNAUTHORIZED(?:=(?:0|"0"|'0')|\s{0,5}=\s{0,5}["']0["']))(?![\d.])/gm,
    instead: 'NODE_EXTRA_CA_CERTS=ca.pem',
    isOfNode: true,
  },
]

/** A setting goes with the command or the option that makes it; of `-sk` one letter goes. */
const SETS =
  /(?:\b(?:npm|yarn|pnpm|git)[ \t]{1,5}config[ \t]{1,5}(?:[\w-]{1,40}[ \t]{1,5}){0,4}|(?<=\s)-c[ \t]{0,5}|\bexport[ \t]{1,5})["']?$/

function partToRemove(text: string, start: number, option: string): string {
  if (/^-[a-zA-Z]{1,13}$/.test(option)) return '-k'
  return withoutQuotes((SETS.exec(text.slice(Math.max(0, start - 200), start))?.[0] ?? '') + option)
}

/** What a command has written to the configuration of a machine stays there. */
function undoSetting(part: string): string {
  const [, manager = '', options = '', key = ''] =
    /^(npm|yarn|pnpm|git)\s+config\s(.*?)(strict-ssl|http\.sslVerify)/i.exec(part) ?? []
  if (manager === '') return ''
  const command =
    manager === 'git'
      ? `git config ${options.includes('--global') ? '--global ' : ''}--unset ${key}`
      : `${manager} config delete ${key}`
  return inEachLanguage({
    en: `, and run "${command}" where the script has already run`,
    fr: `, et exécutez "${command}" là où le script a déjà été exécuté`,
  })
}

/** Of letters that stand together one goes. */
function wordLetter(option: string): string {
  return inEachLanguage({ en: `the letter k from "${option}"`, fr: `la lettre k de "${option}"` })
}

/** It is quoted in a sentence. */
function withoutQuotes(code: string): string {
  return code.replaceAll(/["']/g, '')
}

/** A key or certificate that is trusted from then on, or a script that a shell runs at once. */
const FETCHES_TRUST =
  /(?:https?:\/\/|\$\{?\w)[^\s"'`]{0,300}(?:\/(?:trust\/jwt|token_keys?|jwks(?:\.json)?)|\.(?:pem|crt|cer))(?=["'`\s?)]|$)|\|\s{0,8}(?:sudo\s{1,4})?(?:ba|z)?sh(?=\s|$)/

function lineAround(text: string, index: number, length: number): string {
  const end = text.indexOf('\n', index + length)
  return text.slice(index, Math.min(end === -1 ? text.length : end, index + length + 500))
}

/** A server on the same machine, whose certificate is usually self-signed. */
function isLoopbackOnly(command: string): boolean {
  const hosts = [...command.matchAll(/https:\/\/([^/\s"':]{1,300})/g)].map(([, host = '']) => host)
  return hosts.length > 0 && hosts.every((host) => /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(host))
}
