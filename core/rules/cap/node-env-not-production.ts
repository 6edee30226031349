import { cutText } from '../../cut-text.ts'
import type { ProjectFile } from '../../files.ts'
import { authStrategyOf, effectiveConfiguration, type CapRoot } from '../../model/cap/index.ts'
import { findCommands, findDockerfiles, runningStages, type DockerInstruction } from '../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { namesVariable } from './_routes/node-environment.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A container image that runs CAP without NODE_ENV=production, so that the defaults of development hold.
 * Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js and lib/env/defaults.js test NODE_ENV; buildpacks set it, images of one's own don't.
 * Impact: anybody logs in as a mocked user, and reaches services without annotations; the platform that runs the image may still set the variable. A script that pushes the image
 * to a public route and sets none shows what runs there, where the profile `development` lets everybody in as a user with all roles.
 */
export const nodeEnvNotProduction: Rule = defineRule({
  id: 'cap/node-env-not-production',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#strategies',
  on: 'cap-root',

  *check(root, { files }) {
    if (root.test || root.runtime === 'java' || root.deployments.length === 0) return
    const own = new Set(root.deployments.map(({ file }) => file))
    const starts = startsCap(root, files)
    const isOpen = authStrategyOf(effectiveConfiguration(root, ['development'])).kind === 'dummy'
    // a manifest, chart or compose file that names it may set it for this image
    const isSetElsewhere = namesVariable('NODE_ENV', files, ({ kind }) => kind.language === 'yaml')
    for (const docker of findDockerfiles(new Map(root.files.map((file) => [file.path, file])))) {
      if (!own.has(docker.file)) continue
      const instructions = runningStages(docker).flatMap((stage) => stage.instructions)
      const start =
        instructions.findLast(({ name }) => name === 'CMD') ?? instructions.findLast(({ name }) => name === 'ENTRYPOINT')
      if (start === undefined || !starts(start.arguments)) continue
      if (!/\bcds\b/.test(start.arguments) && instructions.some(copiesDeployer)) continue
      if (instructions.some((instruction) => /\bNODE_ENV\b/.test(instruction.arguments)) || isSetElsewhere) continue
      const span = { start: start.start, end: start.end }
      const push = isOpen ? findPush(files) : undefined
      yield {
        at: { file: docker.file, span },
        args: { file: docker.file, name: start.name, command: cutText(start.arguments, 100), script: push ?? '' },
        ...(push !== undefined && { variant: 'pushed', evidence: 'shown' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'CAP container in development mode',
      message:
        'The image built from {file} starts the application ({name} {command}), and nothing in the project sets NODE_ENV=production for it.',
      why: 'CAP then applies its development defaults: mock users, no authentication for services without @requires or @restrict, an index page, and CORS for any origin.',
      fix: 'Add "ENV NODE_ENV=production" above {name} in {file}, or set this variable in the descriptor that deploys the image. CAP then uses jwt authentication by default, which needs @sap/xssec and a bound XSUAA instance.',
      variants: {
        pushed: {
          message:
            '{script} pushes the image built from {file} ({name} {command}) to a public route, nothing sets NODE_ENV=production for it, and the development profile uses dummy authentication.',
          why: 'CAP then runs with the development profile: every caller, unauthenticated ones included, is a user with all roles and reads and changes all data.',
        },
      },
    },
    fr: {
      title: 'Conteneur CAP exécuté en mode développement',
      message:
        'L’image construite à partir du fichier {file} démarre l’application ({name} {command}), et rien dans le projet n’y définit NODE_ENV=production.',
      why: 'CAP applique alors ses valeurs par défaut de développement : utilisateurs fictifs, aucune authentification pour les services sans @requires ni @restrict, page d’index, CORS pour toute origine.',
      fix: 'Ajoutez "ENV NODE_ENV=production" au-dessus de {name} dans le fichier {file}, ou définissez cette variable dans le descripteur qui déploie l’image. La production utilise alors par défaut l’authentification jwt, qui nécessite @sap/xssec et une instance XSUAA liée.',
      variants: {
        pushed: {
          message:
            '{script} déploie l’image construite à partir du fichier {file} ({name} {command}) avec une route publique, rien n’y définit NODE_ENV=production, et le profil de développement utilise l’authentification dummy.',
          why: 'CAP applique alors le profil de développement : tout appelant, même non authentifié, est un utilisateur doté de tous les rôles, qui lit et modifie toutes les données.',
        },
      },
    },
  }),
})

/**
 * The script that builds an image and pushes it to Cloud Foundry, with a route and without the variable.
 * Facts: cf CLI 8, `cf push` (`--docker-image`; a route is made unless `--no-route` says otherwise), `cf set-env`.
 */
function findPush(files: ReadonlyMap<string, ProjectFile>): string | undefined {
  for (const { file, text } of findCommands(files))
    if (/\bdocker build\b/.test(text) && PUSHES_IMAGE.test(text) && !/--no-route|--no-start|NODE_ENV/.test(text)) return file
  return undefined
}

const PUSHES_IMAGE = /\bcf push\b[^\n]{0,400}\s(?:--docker-image|-o)\s/

/** Whether a command runs CAP, by itself or with a script of package.json that does. */
function startsCap({ root }: CapRoot, files: ReadonlyMap<string, ProjectFile>): (command: string) => boolean {
  const content = files.get(root === '' ? 'package.json' : `${root}/package.json`)?.content
  const manifest: DataNode | undefined = content?.as === 'data' ? content.roots[0] : undefined
  const script = stringOf(at(manifest, 'scripts', 'start')) ?? ''
  return (command) => {
    const words = command.replaceAll(/[[\]",']/g, ' ').replaceAll(/\s{1,50}/g, ' ')
    return isCap(words) || (/\b(?:npm|yarn|pnpm) (?:run )?start\b/.test(words) && isCap(script) && !/NODE_ENV/.test(script))
  }
}

/** `COPY gen/db/package.json .`: `npm start` runs the script of the module that deploys the database. Fact: capire, "Deploy to Cloud" (`cds build` writes the deployer to `gen/db`). */
function copiesDeployer({ name, arguments: text }: DockerInstruction): boolean {
  return name === 'COPY' && /(?:^|\s)(?:\.\/)?(?:gen\/)?(?:db|pg)\/(?:package[\w*-]{0,10}\.json|package\*)\s/.test(text)
}

function isCap(command: string): boolean {
  return /\bcds-serve\b|\bcds (?:run|serve|watch)\b|@sap\/cds\/bin\/serve\b/.test(command)
}
