import type { ProjectFile } from '../../files.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import { findDockerfiles, runningStages } from '../../model/deployment/index.ts'
import { at, stringOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An image that runs CAP without NODE_ENV=production, which is what switches its defaults.
 *  Facts: @sap/cds 9.9.3, lib/srv/protocols/http.js and lib/env/defaults.js test NODE_ENV; buildpacks set it, images of one's own don't. */
export const nodeEnvNotProduction: Rule = defineRule({
  id: 'cap/node-env-not-production',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: 'cap-root',

  *check(root, { files }) {
    if (root.test || root.runtime === 'java' || root.deployments.length === 0) return
    const own = new Set(root.deployments.map(({ file }) => file))
    const starts = startsCap(root, files)
    for (const docker of findDockerfiles(new Map(root.files.map((file) => [file.path, file])))) {
      if (!own.has(docker.file)) continue
      const instructions = runningStages(docker).flatMap((stage) => stage.instructions)
      const start =
        instructions.findLast(({ name }) => name === 'CMD') ?? instructions.findLast(({ name }) => name === 'ENTRYPOINT')
      if (start === undefined || !starts(start.arguments)) continue
      if (instructions.some((instruction) => /\bNODE_ENV\b/.test(instruction.arguments)) || isSetElsewhere(files)) continue
      const span = { start: start.start, end: start.end }
      yield { at: { file: docker.file, span }, args: { file: docker.file, command: start.arguments.slice(0, 100) } }
    }
  },

  text: {
    en: {
      title: 'An image runs CAP without NODE_ENV=production',
      message: '{file} starts the application ({command}), and nothing in this project sets NODE_ENV there.',
      why: 'CAP then takes itself for a development server: mocked users, no login for services that say nothing, an index page, and every origin allowed.',
      fix: 'Write ENV NODE_ENV=production before the start in {file}.',
    },
    fr: {
      title: 'Une image exécute CAP sans NODE_ENV=production',
      message: '{file} démarre l’application ({command}), et rien dans ce projet n’y définit NODE_ENV.',
      why: 'CAP se croit alors en développement : utilisateurs fictifs, aucune connexion pour les services qui ne disent rien, page d’index, toute origine admise.',
      fix: 'Écrivez ENV NODE_ENV=production avant le démarrage dans {file}.',
    },
  },
})

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

function isCap(command: string): boolean {
  return /\bcds-serve\b|\bcds (?:run|serve|watch)\b/.test(command)
}

/** Descriptors of a project have far fewer. */
const MAX_NODES = 20_000

/** A manifest, chart or compose file that speaks of NODE_ENV may set it for this image. */
function isSetElsewhere(files: ReadonlyMap<string, ProjectFile>): boolean {
  const left = { nodes: MAX_NODES }
  for (const { kind, content } of files.values()) {
    if (kind.test || kind.language !== 'yaml' || content.as !== 'data') continue
    if (content.roots.some((node) => speaksOf(node, left))) return true
  }
  return false
}

function speaksOf(root: DataNode, left: { nodes: number }): boolean {
  const queue: DataNode[] = [root]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    // in what is too large to look at it may stand
    if (--left.nodes < 0) return true
    if (node.kind === 'object') {
      for (const { key, value } of node.members) {
        if (key === 'NODE_ENV' || (key === 'name' && stringOf(value) === 'NODE_ENV')) return true
        queue.push(value)
      }
    } else if (node.kind === 'array') for (const item of node.items) queue.push(item)
  }
  return false
}
