import { findDockerfiles, findStartCommands, isForTesting, runningStages } from '../../model/deployment/index.ts'
import type { NpmPackage } from '../../model/npm/index.ts'
import { folderOf } from '../../paths.ts'
import type { Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * The development server of UI5 that takes connections of other machines: where a deployment starts it, or as the start script of a package.
 * Facts: UI5 Tooling, "CLI", `ui5 serve` (`--accept-remote-connections`: by default only connections from localhost are accepted); @sap/ux-ui5-tooling, README, `fiori run` takes the options of `ui5 serve`,
 * `fiori-tools-proxy` sends requests on to the back ends of ui5.yaml, with the credentials of its environment.
 * Impact: where it is deployed, a caller gets the sources and, by the proxy, what its back ends answer; on a developer's machine somebody must be in its network.
 */
export const developmentServerRemote: Rule = defineRule({
  id: 'btp/development-server-remote',
  impact: 'bounded',
  reach: 'anyone',
  grades: { script: { impact: 'defence' } },
  confidence: 'high',
  cwe: [489, 668],
  since: '0.3.0',
  docs: 'https://ui5.github.io/cli/stable/pages/CLI/#ui5-serve',
  on: 'deployment',

  *check(deployment, { files, npm }) {
    const told = new Set<string>()
    const tell = ({ file, span }: Place): boolean => {
      const key = `${file} ${span?.start ?? ''}`
      return !told.has(key) && told.add(key).size > 0
    }
    for (const { app, text, place } of [...findStartCommands(files, deployment), ...imageCommands({ files, npm })]) {
      const server = isForTesting(place.file) ? undefined : remoteServer(text)
      if (server !== undefined && tell(place)) yield { at: place, args: { app, server, script: '' } }
    }
    for (const { file, scripts } of npm.packages)
      for (const script of startScripts(scripts)) {
        const server = remoteServer(script.command)
        const place = { file, span: { start: script.start, end: script.end } }
        if (server !== undefined && tell(place))
          yield { at: place, variant: 'script', args: { app: file, server, script: script.name }, groupKey: file }
      }
  },

  text: () => ({
    en: {
      title: 'Development server of UI5 open to other machines',
      message: '{app} starts "{server}" with --accept-remote-connections in a deployment.',
      why: 'The development server authenticates nobody: an attacker who knows the address gets the sources and, by its proxy, what the back ends of ui5.yaml answer, with the credentials that the server has for them.',
      fix: 'Build the app with "ui5 build" and deploy the result: to the HTML5 application repository, or as the localDir of an approuter, whose start script is "node node_modules/@sap/approuter/approuter.js".',
      variants: {
        script: {
          message: 'The {script} script in {app} starts "{server}" with --accept-remote-connections.',
          why: 'Anyone in the same network as the developer’s machine can use the development server without authentication, and by its proxy the back ends of ui5.yaml with the credentials of the developer.',
          fix: 'Remove --accept-remote-connections from the {script} script: the server then accepts only connections from localhost.',
        },
      },
    },
    fr: {
      title: 'Serveur de développement UI5 accessible depuis d’autres machines',
      message: '{app} démarre "{server}" avec --accept-remote-connections dans un déploiement.',
      why: 'Le serveur de développement n’authentifie personne : un attaquant qui connaît l’adresse obtient les sources et, par son proxy, les réponses des systèmes indiqués dans ui5.yaml, avec les identifiants dont dispose le serveur.',
      fix: 'Construisez l’application avec "ui5 build" et déployez le résultat : dans le référentiel d’applications HTML5, ou comme localDir d’un approuter, dont le script de démarrage est "node node_modules/@sap/approuter/approuter.js".',
      variants: {
        script: {
          message: 'Le script {script} de {app} démarre "{server}" avec --accept-remote-connections.',
          why: 'Toute personne connectée au même réseau que le poste de développement peut utiliser ce serveur sans s’authentifier et, par son proxy, les systèmes indiqués dans ui5.yaml avec les identifiants du développeur.',
          fix: 'Retirez --accept-remote-connections du script {script} : le serveur n’accepte alors que les connexions de localhost.',
        },
      },
    },
  }),
})

const REMOTE = /\b(ui5 serve|fiori run)\b[^|&;]{0,400}\s--accept-?remote-?connections(?![=\s]{1,5}false\b)(?=[=\s]|$)/i

/** The development server that a command starts for other machines. */
function remoteServer(command: string): string | undefined {
  return REMOTE.exec(command)?.[1]
}

function startScripts(scripts: NpmPackage['scripts']): NpmPackage['scripts'] {
  return scripts.filter(({ name }) => /^(?:start|serve)(?:$|[:_-])/.test(name))
}

interface ImageCommand {
  readonly app: string
  readonly text: string
  readonly place: Place
}

/** The image in which a developer works. Fact: containers.dev, "devcontainer.json" (`.devcontainer/`). */
const DEVELOPER_IMAGE = /(?:^|\/)\.devcontainer\//

/** What images start: a command, or the start script of the package.json beside the Dockerfile. */
function* imageCommands({ files, npm }: Pick<Project, 'files' | 'npm'>): Generator<ImageCommand> {
  for (const docker of findDockerfiles(files)) {
    const { file } = docker
    if (isForTesting(file) || DEVELOPER_IMAGE.test(file)) continue
    // the last stage comes first
    const [command] = runningStages(docker).flatMap(({ instructions }) => {
      const starts = instructions.filter(({ name }) => name === 'CMD' || name === 'ENTRYPOINT')
      return starts.findLast(({ name }) => name === 'CMD') ?? starts.at(-1) ?? []
    })
    if (command === undefined) continue
    const text = command.arguments.replaceAll(/[[\]",']/g, ' ').replaceAll(/\s{1,50}/g, ' ')
    yield { app: file, text, place: { file, span: { start: command.start, end: command.end } } }
    const started = /\b(?:npm|yarn|pnpm) (?:run )?([\w:-]{1,100})/.exec(text)?.[1]
    const own = npm.byFolder.get(folderOf(file))
    for (const script of own?.scripts ?? [])
      if (script.name === started && own !== undefined)
        yield { app: file, text: script.command, place: { file: own.file, span: { start: script.start, end: script.end } } }
  }
}
