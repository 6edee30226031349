import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REACHES, SEVERITIES, USAGES, type Locale, type Localized } from '../../core/index.ts'
import { CONFIG_FILE } from './config-file.ts'
import { CommandFault } from './usage.ts'
import { say } from './words.ts'

const SCHEMA = './node_modules/parapet/parapet.config.schema.json'

/** What `parapet init` writes above each setting. */
interface Comments {
  readonly exclude: string
  readonly suppress: string
  readonly failOn: string
  readonly baseline: string
  readonly flow: string
  readonly reach: string
  readonly usage: string
  readonly severity: string
}

const [REACH, USAGE, SEVERITY] = [REACHES, USAGES, SEVERITIES].map((values) => values.join(', ').toLowerCase())

const COMMENTS: Localized<Comments> = {
  en: {
    exclude: 'Files that are not read, as globs: generated code, copies of libraries. They are counted in the report.',
    suppress:
      'Findings that are no danger here: {"rule": "ui5/eval", "path": "webapp/formula/**", "reason": "why", "until": "2027-03-31"}',
    failOn: `The command line ends with code 1 for findings at or above: ${SEVERITY}.`,
    baseline:
      'Add "baseline": ".parapet-baseline.json" to accept what --write-baseline lists there; only new findings are told then.',
    flow: 'Functions of the project for the data flow, as sources, sinks, sanitizers, propagators, authenticates: "flow": {"sanitizers": [{"at": "module:./srv/lib/clean quote", "cleans": ["cap/cql-injection"]}]}',
    reach: `Who can start what a path or a service holds (${REACH}): "reach": [{"path": "srv/admin/**", "reach": "privileged", "reason": "why"}]`,
    usage: `What the files of a folder are for (${USAGE}): "usage": [{"path": "tools/**", "usage": "unused", "reason": "why"}]`,
    severity:
      'The severity of the findings of a rule: "severity": [{"rule": "ui5/csp-missing", "severity": "info", "reason": "why"}]',
  },
  fr: {
    exclude: 'Fichiers qui ne sont pas lus, en globs : code généré, copies de bibliothèques. Le rapport les compte.',
    suppress:
      'Constats sans danger ici : {"rule": "ui5/eval", "path": "webapp/formula/**", "reason": "pourquoi", "until": "2027-03-31"}',
    failOn: `La ligne de commande se termine avec le code 1 pour les constats de cette gravité ou plus : ${SEVERITY}.`,
    baseline:
      'Ajoutez "baseline": ".parapet-baseline.json" pour accepter ce que --write-baseline y énumère ; seuls les nouveaux constats sont alors énumérés.',
    flow: 'Fonctions du projet pour le flux de données, en sources, sinks, sanitizers, propagators, authenticates : "flow": {"sanitizers": [{"at": "module:./srv/lib/clean quote", "cleans": ["cap/cql-injection"]}]}',
    reach: `Qui peut lancer ce que contient un chemin ou un service (${REACH}) : "reach": [{"path": "srv/admin/**", "reach": "privileged", "reason": "pourquoi"}]`,
    usage: `À quoi servent les fichiers d’un dossier (${USAGE}) : "usage": [{"path": "tools/**", "usage": "unused", "reason": "pourquoi"}]`,
    severity:
      'La gravité des constats d’une règle : "severity": [{"rule": "ui5/csp-missing", "severity": "info", "reason": "pourquoi"}]',
  },
}

function sampleOf({ exclude, suppress, failOn, baseline, flow, reach, usage, severity }: Comments): object {
  return {
    '//exclude': exclude,
    exclude: [],
    '//suppress': suppress,
    suppress: [],
    '//failOn': failOn,
    failOn: 'high',
    '//baseline': baseline,
    '//flow': flow,
    '//reach': reach,
    '//usage': usage,
    '//severity': severity,
  }
}

/** Writes a configuration with a comment on every setting; one that is there stays. */
export async function writeConfig(folder: string, locale: Locale): Promise<string> {
  const file = join(folder, CONFIG_FILE)
  // of a clone, or of what npx fetched, an address in the file would hold on this machine alone
  const hasSchema = existsSync(join(folder, SCHEMA))
  const sample = { ...(hasSchema && { $schema: SCHEMA }), ...sampleOf(COMMENTS[locale]) }
  await writeFile(file, `${JSON.stringify(sample, undefined, 2)}\n`, { flag: 'wx' }).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new CommandFault(
      isThere
        ? {
            en: `${CONFIG_FILE} is there already; it was left as it is`,
            fr: `${CONFIG_FILE} existe déjà ; il n’a pas été modifié`,
          }
        : say(locale, 'folderNotWritten', { folder }),
    )
  })
  return `${say(locale, hasSchema ? 'configWritten' : 'configAlone', { file: CONFIG_FILE })}\n`
}
