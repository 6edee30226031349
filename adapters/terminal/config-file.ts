import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import * as z from 'zod'
import { findJsonFault, REACHES, SEVERITIES, USAGES } from '../../core/index.ts'
import { CommandFault } from './usage.ts'

export const CONFIG_FILE = 'parapet.config.json'

const severities = SEVERITIES.map((severity) => severity.toLowerCase())

const reason = z.string().min(1).max(500).describe('Why. Without a reason the entry has no effect.')

/** Rows of a table; a module of the project is named from its root. */
function rows<const Fields extends z.ZodRawShape>(fields: Fields): z.ZodOptional<z.ZodArray<z.ZodObject>> {
  const at = z.string().min(1).max(300).describe('Access path of the function: module:./srv/lib/clean escape')
  return z
    .array(z.looseObject({ at, ...fields }))
    .max(500)
    .optional()
}

/** Everything that parapet.config.json may say. What it suppresses and excludes is read with the project, the rest by the command line alone. */
export const configFile = z
  .looseObject({
    $schema: z.string().optional(),
    exclude: z
      .array(z.string().min(1).max(300))
      .max(200)
      .optional()
      .describe('Globs of files that are not read; * within a folder, ** across folders. They are counted in the report.'),
    suppress: z
      .array(
        z
          .looseObject({
            id: z.string().max(100).optional().describe('Id of one finding, as the report shows it'),
            rule: z.string().max(100).optional().describe('Id of a rule, such as ui5/eval'),
            path: z.string().max(300).optional().describe('Glob of the files in which it holds'),
            reason: z.string().min(1).max(500).describe('Why it is no danger here. Without a reason nothing is hidden.'),
            until: z
              .string()
              .regex(/^\d{4}-\d{2}-\d{2}$/)
              .optional()
              .describe('Last day on which it holds, YYYY-MM-DD'),
          })
          .describe('Hides findings, which stay listed as suppressed. Name an id or a rule.'),
      )
      .max(5000)
      .optional(),
    flow: z
      .looseObject({
        sources: rows({}).describe('Functions whose result is chosen by a client'),
        sinks: rows({
          rule: z.string().max(100).describe('Id of the rule that reports it, such as cap/command-injection'),
          args: z
            .array(z.number().int().min(0).max(20))
            .max(20)
            .optional()
            .describe('Positions of the arguments; all without it'),
        }).describe('Functions that must not get data of a client as it is'),
        sanitizers: rows({
          cleans: z
            .array(z.string().min(1).max(100))
            .min(1)
            .max(100)
            .describe('Ids of the rules for which the result is harmless'),
        }).describe('Functions that make data harmless'),
        propagators: rows({}).describe('Functions that give what they are given, in another form'),
        authenticates: rows({}).describe('Middlewares of Express that authenticate'),
      })
      .optional()
      .describe('Functions of the project that the data flow should know. Listed in the report.'),
    reach: z
      .array(
        z.looseObject({
          path: z.string().min(1).max(300).optional().describe('Glob of the files that it is about'),
          service: z.string().min(1).max(300).optional().describe('Qualified name of a CAP service'),
          reach: z.enum(REACHES).describe('Who can start what is there'),
          reason,
        }),
      )
      .max(500)
      .optional()
      .describe('What the project knows better of who reaches a path or a service. Listed in the report; it hides nothing.'),
    usage: z
      .array(z.looseObject({ path: z.string().min(1).max(300).describe('Glob of the files'), usage: z.enum(USAGES), reason }))
      .max(500)
      .optional()
      .describe('What the files of a folder are for'),
    severity: z
      .array(
        z.looseObject({
          rule: z.string().min(1).max(100).describe('Id of a rule, such as ui5/eval'),
          path: z.string().min(1).max(300).optional().describe('Glob of the files in which it holds'),
          severity: z.enum(severities),
          reason,
        }),
      )
      .max(500)
      .optional()
      .describe('The severity of the findings of a rule'),
    failOn: z.enum(severities).optional().describe('Command line: exit code 1 for findings at or above; --fail-on wins'),
    baseline: z
      .string()
      .max(300)
      .optional()
      .describe('Command line: file of accepted findings, relative to this one; --baseline wins'),
  })
  .describe('What Parapet leaves out and accepts in a project')

/** The same as a JSON Schema, for editors: a member that is not known is wrong unless it is a comment, as the scan tells too. */
export function configSchema(): object {
  return z.toJSONSchema(configFile, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== 'object') return
      jsonSchema.patternProperties = { '^//': {} }
      jsonSchema.additionalProperties = false
    },
  })
}

export interface CommandSettings {
  readonly failOn?: string
  readonly baseline?: string
}

const WRONG_BASELINE = {
  en: `${CONFIG_FILE}: baseline takes a file in the project`,
  fr: `${CONFIG_FILE} : baseline attend un fichier du projet`,
}

/** What a folder's configuration says to the command line. What is wrong with the rest of it the report tells. Throws a UsageFault. */
export async function readCommandSettings(folder: string): Promise<CommandSettings> {
  const text = await readFile(join(folder, CONFIG_FILE), 'utf8').catch(() => '{}')
  const config = parse(text)
  // a threshold that is not understood must not pass for none
  if (config === undefined) {
    const line = findJsonFault(text)
    throw new CommandFault({
      en: `${CONFIG_FILE} is not valid JSON${line === undefined ? ': it takes no comments' : ` from line ${line} on`}`,
      fr: `${CONFIG_FILE} n’est pas un JSON valide${line === undefined ? ' : il n’admet pas de commentaires' : ` à partir de la ligne ${line}`}`,
    })
  }
  const parsed = configFile.pick({ failOn: true, baseline: true }).safeParse(config)
  if (!parsed.success) {
    const isThreshold = parsed.error.issues.some(({ path }) => path[0] === 'failOn')
    const known = severities.join(', ')
    throw new CommandFault(
      isThreshold
        ? { en: `${CONFIG_FILE}: failOn takes ${known}`, fr: `${CONFIG_FILE} : failOn attend ${known}` }
        : WRONG_BASELINE,
    )
  }
  const { failOn, baseline } = parsed.data
  if (baseline === undefined) return { failOn }
  // a project that somebody else wrote must not name files outside of it
  if (isAbsolute(baseline) || baseline.split(/[\\/]/).includes('..')) throw new CommandFault(WRONG_BASELINE)
  return { failOn, baseline: join(folder, baseline) }
}

const withEntries = z.looseObject({ suppress: z.array(z.unknown()).optional() })

/** The configuration with one more suppression, indented as it was; a new one where there is none. Undefined where it can't be read. */
export function addSuppression(text = '{}', entry: { readonly id: string; readonly reason: string }): string | undefined {
  const config = withEntries.safeParse(parse(text)).data
  if (config === undefined) return undefined
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
  return `${JSON.stringify({ ...config, suppress: [...(config.suppress ?? []), entry] }, undefined, indent)}\n`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
