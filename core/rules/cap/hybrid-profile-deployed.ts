import { cutText } from '../../cut-text.ts'
import { authStrategyOf, effectiveConfiguration, isForDevelopment, type CapRoot } from '../../model/cap/index.ts'
import { findDockerfiles, findStartCommands, isForTesting, runningStages } from '../../model/deployment/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { foldersAround } from '../../paths.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * The start script, or the command of a descriptor or image, runs CAP as on a developer's machine.
 * Facts: capire, "cds watch" (development, live reload, mocked services), `cds-serve --with-mocks`, `--profile`.
 * Impact: settings of development tell anybody of the application and of its errors; users of development that really get in are another rule's. Where the profile has the
 * authentication and the database of production, little is left of that.
 */
export const hybridProfileDeployed: Rule = defineRule({
  id: 'cap/hybrid-profile-deployed',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-env#profiles',
  on: 'cap-root',

  *check(capRoot, project) {
    const { test, runtime } = capRoot
    if (test || runtime === 'java') return
    for (const match of matchesOf(capRoot, project))
      yield isLikeProduction(match.args?.['part'], capRoot) || isWithoutCommand(match.args, capRoot, project)
        ? { ...match, impact: 'defence' }
        : match
  },

  text: () => ({
    en: {
      title: 'Application deployed with a development start command',
      message: 'The project is deployed with the script "start" in {file}, but "{part}" in that script is for development.',
      why: 'Depending on the command and on NODE_ENV, CAP can then run with development settings, such as mock users that an attacker can log in as, or an in-memory database that loses all data on restart.',
      fix: 'Set "start": "cds-serve" in {file}, and move the current command to a separate script, such as "watch".',
      variants: {
        command: {
          message: '{file} starts the application with "{script}", but "{part}" is for development.',
          fix: 'Start the application with "npx cds-serve" instead of "{script}" in {source}.',
        },
        option: {
          message: '{file} starts the application with "{script}", but "{part}" is for development.',
          fix: 'Remove "{part}" from the command "{script}" in {source}.',
        },
        commandOfCompose: {
          message: '{file} starts the application with "{script}", but "{part}" is for development.',
          fix: 'Start the application with "npx cds-serve" instead of "{script}" in {source}, and set NODE_ENV to production for this service.',
        },
        optionOfCompose: {
          message: '{file} starts the application with "{script}", but "{part}" is for development.',
          fix: 'Remove "{part}" from the command "{script}" in {source}, and set NODE_ENV to production for this service.',
        },
      },
    },
    fr: {
      title: 'Application déployée avec une commande de développement',
      message:
        'Le projet est déployé avec le script "start" de {file}, mais "{part}" dans ce script est destiné au développement.',
      why: 'Selon la commande et NODE_ENV, CAP peut alors s’exécuter avec des réglages de développement, comme des utilisateurs fictifs avec lesquels un attaquant peut se connecter, ou une base en mémoire qui perd toutes ses données au redémarrage.',
      fix: 'Définissez "start": "cds-serve" dans {file}, et déplacez la commande actuelle dans un script à part, par exemple "watch".',
      variants: {
        command: {
          message: '{file} démarre l’application avec "{script}", mais "{part}" est destiné au développement.',
          fix: 'Démarrez l’application avec "npx cds-serve" au lieu de "{script}" dans {source}.',
        },
        option: {
          message: '{file} démarre l’application avec "{script}", mais "{part}" est destiné au développement.',
          fix: 'Retirez "{part}" de la commande "{script}" dans {source}.',
        },
        commandOfCompose: {
          message: '{file} démarre l’application avec "{script}", mais "{part}" est destiné au développement.',
          fix: 'Démarrez l’application avec "npx cds-serve" au lieu de "{script}" dans {source}, et donnez à NODE_ENV la valeur production pour ce service.',
        },
        optionOfCompose: {
          message: '{file} démarre l’application avec "{script}", mais "{part}" est destiné au développement.',
          fix: 'Retirez "{part}" de la commande "{script}" dans {source}, et donnez à NODE_ENV la valeur production pour ce service.',
        },
      },
    },
  }),
})

function* matchesOf(capRoot: CapRoot, project: Project): Generator<Match> {
  const { deployment } = project
  const { root, files, deployments } = capRoot
  yield* fromImages(capRoot)
  yield* fromProcesses(capRoot, project)
  // an image says by itself what it starts
  const own = deployments.filter(({ file }) => /\.(?:ya?ml|mtaext)$/i.test(file))
  let usesScript = false
  for (const { file, name } of own) {
    const application = deployment.applications.find((it) => it.file === file && it.name === name)
    const node = at(application?.node, 'parameters', 'command') ?? at(application?.node, 'command')
    const command = stringOf(node)
    if (node === undefined || command === undefined) usesScript = true
    else {
      const part = FOR_DEVELOPMENT.exec(command)?.[0]
      const place = deployment.placeOf(node)
      if (part !== undefined && !isForTesting(place.file))
        yield {
          at: place,
          args: { file: place.file, source: place.file, script: cutText(command, 200), part },
          variant: variantOf(part),
        }
    }
  }
  const start = usesScript ? startScript(root, files) : undefined
  const part = FOR_DEVELOPMENT.exec(start?.script ?? '')?.[0]
  if (start === undefined || part === undefined) return
  yield { at: start.at, args: { file: start.at.file, script: cutText(start.script, 200), part } }
}

/** With the profile that the command names users log in as in production, and the data is where it is in production. */
function isLikeProduction(part: string | undefined, root: CapRoot): boolean {
  const profile = /(?:[= ])(development|hybrid)$/.exec(part ?? '')?.[1]
  if (profile === undefined) return false
  const named = effectiveConfiguration(root, [profile])
  const productive = effectiveConfiguration(root, ['production'])
  const { kind, custom } = authStrategyOf(named)
  const [database, meant] = [named, productive].map((one) => stringOf(one.value('requires', 'db', 'kind')?.node))
  return (
    !custom &&
    kind !== undefined &&
    !isForDevelopment(kind) &&
    database !== undefined &&
    database === meant &&
    !/sqlite/.test(database)
  )
}

/**
 * `cds watch` as the script "start", where no package.json of the project depends on @sap/cds-dk, which brings that command: what is deployed does not even start. An image may
 * install it by itself, and so may a script.
 * Facts: capire, "cds watch" (@sap/cds-dk); package.json of @sap/cds (`bin`: `cds-serve` alone since 7, `cds` before).
 */
function isWithoutCommand(args: Match['args'], { root }: CapRoot, { npm }: Project): boolean {
  const { source, part = '', script = '' } = args ?? {}
  if (source !== undefined || !part.startsWith('cds w') || /\bnpx\b/.test(script)) return false
  const packages = [root, ...foldersAround(root)].flatMap((folder) => npm.byFolder.get(folder) ?? [])
  const isBrought = packages.some(
    ({ dependencies, scripts }) =>
      dependencies.some(({ name, range }) => name === '@sap/cds-dk' || (name === '@sap/cds' && MAY_BRING.test(range))) ||
      scripts.some(({ command }) => /\bcds-dk\b/.test(command)),
  )
  return packages.length > 0 && !isBrought
}

/** Versions of @sap/cds that bring the command `cds`, or that may be such ones. */
const MAY_BRING = /^[^0-9]{0,3}[0-6](?:\.|$)|^<|\|\|/

/** `--in-memory?` replaces no database that is configured (capire, "cds serve"). */
const FOR_DEVELOPMENT =
  /\bcds watch\b|\bcds w\b|--with-mocks\b|--in-memory\b(?!\?)|--profile[= ](?:development|hybrid)\b|\b(?:CDS|NODE)_ENV=(?:development|hybrid)\b/

/** An option or a variable can go; another command has to come instead. */
function variantOf(part: string): string {
  return /^--|=/.test(part) ? 'option' : 'command'
}

function startScript(root: string, files: CapRoot['files']): { at: Place; script: string } | undefined {
  const file = root === '' ? 'package.json' : `${root}/package.json`
  const content = files.find(({ path }) => path === file)?.content
  const node = content?.as === 'data' ? at(content.roots[0], 'scripts', 'start') : undefined
  const script = stringOf(node)
  return node === undefined || script === undefined
    ? undefined
    : { at: { file, span: { start: node.start, end: node.end } }, script }
}

/** What a Procfile and the services of Compose start. */
function* fromProcesses({ files }: CapRoot, project: Project): Generator<Match> {
  const own = new Map(
    files.flatMap(({ path, kind }) => (kind.role === 'procfile' || kind.role === 'compose' ? [[path, kind.role] as const] : [])),
  )
  if (own.size === 0) return
  for (const { text, place } of findStartCommands(project.files, project.deployment)) {
    const part = own.has(place.file) && !isForTesting(place.file) ? FOR_DEVELOPMENT.exec(text)?.[0] : undefined
    const args = { file: place.file, source: place.file, script: text.slice(0, 200), part: part ?? '' }
    // Cloud Foundry sets NODE_ENV by itself
    const suffix = own.get(place.file) === 'compose' ? 'OfCompose' : ''
    if (part !== undefined) yield { at: place, args, variant: `${variantOf(part)}${suffix}` }
  }
}

/** What images start. An image without NODE_ENV is another fault, reported by a rule of its own. */
function* fromImages({ root, files, deployments }: CapRoot): Generator<Match> {
  const own = new Set(deployments.map(({ file }) => file))
  for (const docker of findDockerfiles(new Map(files.map((file) => [file.path, file])))) {
    if (!own.has(docker.file) || isForTesting(docker.file)) continue
    const instructions = runningStages(docker).flatMap((stage) => stage.instructions)
    if (!instructions.some((instruction) => /\bNODE_ENV\b/.test(instruction.arguments))) continue
    const start =
      instructions.findLast(({ name }) => name === 'CMD') ?? instructions.findLast(({ name }) => name === 'ENTRYPOINT')
    const words = (start?.arguments ?? '').replaceAll(/[[\]",']/g, ' ').replaceAll(/\s{1,50}/g, ' ')
    const named = /\b(?:npm|yarn|pnpm) (?:run )?start\b/.test(words) ? startScript(root, files) : undefined
    const command = named?.script ?? words
    const part = FOR_DEVELOPMENT.exec(command)?.[0]
    if (start === undefined || part === undefined) continue
    const args = { file: docker.file, source: named?.at.file ?? docker.file, script: cutText(command.trim(), 200), part }
    yield { at: { file: docker.file, span: { start: start.start, end: start.end } }, args, variant: variantOf(part) }
  }
}
