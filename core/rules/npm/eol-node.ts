import { dayArgument } from '../../arguments.ts'
import {
  createLeftOutReader,
  findComposeServices,
  findDockerfiles,
  findPipelineImages,
  findPipelineSteps,
  isForTesting,
  runningStages,
  stagesOfRuntime,
} from '../../model/deployment/index.ts'
import { at, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Localized, Match, Place } from '../../types.ts'
import { isBelow } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { endedNodeOf, NODE_TARGET, toNodeRange, type NpmPackage } from '../../model/npm/index.ts'
import { createDescriptorFilter } from './_package-places.ts'

const PIPELINE: Localized<string> = {
  en: 'Build machines often hold credentials for deployment, and vulnerabilities in this Node.js version remain unfixed.',
  fr: 'Les machines de build ont souvent accès à des identifiants de déploiement, et les vulnérabilités de cette version de Node.js ne sont pas corrigées.',
}

/**
 * A runtime that no longer gets security fixes, wherever it is pinned: `engines.node` that no maintained version satisfies, .nvmrc, the image of a
 * Dockerfile, a pipeline. Facts: nodejs/Release, schedule; judged on the day of the scan.
 * Impact: age alone; neither pipelines nor compose files of developers serve users, nor a package of tools for development, nor one that deploys tables or pages and ends, nor a stage of an image that the last one only copies files from, nor .nvmrc where engines or an image say what runs (README of the Node.js
 * buildpack of Cloud Foundry).
 */
export const eolNode: Rule = defineRule({
  id: 'npm/eol-node',
  impact: 'hygiene',
  // pipelines run whatever they are called, tests too
  grades: { pipeline: { usage: 'deployed' }, pipelineImage: { usage: 'deployed' } },
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://github.com/nodejs/Release',
  on: 'project',

  *check(project) {
    const pins = [...findPins(project)]
    // the platform takes these first
    const isNamed = pins.some(({ variant }) => variant === undefined || variant === 'image')
    const { packages } = project.npm
    const byFile = new Map(packages.map((one) => [one.file, one]))
    const deployed = packages.filter(({ deployedBy }) => deployedBy.length > 0)
    // a package.json around those that a descriptor deploys, for work on them alone
    const isWorkspace = (one: NpmPackage | undefined): boolean => {
      if (one === undefined || one.deployedBy.length > 0) return false
      project.step(deployed.length)
      return deployed.some((other) => isBelow(other.folder, one.folder))
    }
    // tools alone are installed: what they build and preview runs in browsers
    const isOfTools = ({ deployedBy, dependencies }: NpmPackage): boolean =>
      deployedBy.length === 0 && dependencies.length > 0 && dependencies.every(({ member }) => member === 'devDependencies')
    const counts = createDescriptorFilter(packages)
    const mtas = project.deployment.mtas.filter(({ file }) => counts(file))
    const modules = mtas.reduce((sum, mta) => sum + mta.modules.length, 0)
    const leftOutBy = createLeftOutReader(mtas)
    const isLeftOut = ({ deployedBy, folder, scripts }: NpmPackage): boolean => {
      if (deployedBy.length > 0 || mtas.length === 0) return false
      // a module of its own is the only way for an approuter into an MTA
      if (deployed.length > 0 && scripts.some(startsApprouter)) return true
      project.step(modules + 1)
      return leftOutBy(folder) !== undefined
    }
    const isTask = ({ scripts }: NpmPackage): boolean =>
      scripts.some(({ name, command }) => name === 'start' && DEPLOYER.test(command))
    for (const { setting, range, place, variant, isForBuild } of pins) {
      const found = endedNodeOf(range, project.date)
      if (found === undefined) continue
      const match: Match = {
        at: place,
        args: {
          setting,
          major: String(found.major),
          ended: dayArgument(found.ended),
          target: NODE_TARGET,
          image: exampleOf(setting),
        },
        groupKey: `${setting} ${range}`,
      }
      const own = variant === undefined ? byFile.get(place.file) : undefined
      const isAround = isWorkspace(own)
      // none serves users
      const isApart =
        variant?.startsWith('pipeline') === true ||
        (variant === 'pin' && isNamed) ||
        isForBuild === true ||
        isAround ||
        (own !== undefined && (isOfTools(own) || isTask(own))) ||
        isForTesting(place.file)
      const isRecent = daysBetween(found.ended, project.date) < HALF_A_YEAR
      yield {
        ...match,
        // where an MTA leaves the package out, it is only worth knowing
        ...((own === undefined || isAround || !isLeftOut(own)) && {
          circumstance: isApart || isRecent ? 'unfixed' : 'ended',
        }),
        ...(variant !== undefined && { variant }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'End-of-life Node.js version',
      message: '{setting} allows at most Node.js {major}, whose maintenance ended on {ended}.',
      why: 'Vulnerabilities found in Node.js since then, for example in HTTP parsing or TLS, remain unfixed in this version.',
      fix: 'Set {setting} to "^{target}" in this package.json, run the tests with Node.js {target}, and deploy.',
      variants: {
        pin: {
          message: '{setting} selects Node.js {major}, whose maintenance ended on {ended}.',
          fix: 'Write {target} in this file, and run the tests with Node.js {target}.',
        },
        image: {
          message: 'The image {setting} contains Node.js {major}, whose maintenance ended on {ended}.',
          fix: 'Use a tag of this image with Node.js {target} (official image: {image}), run the tests with it, and deploy.',
        },
        pipelineImage: {
          title: 'End-of-life Node.js version in a pipeline',
          message: 'This pipeline runs Node.js {major} ({setting}), whose maintenance ended on {ended}.',
          why: PIPELINE.en,
          fix: 'Use a tag of this image with Node.js {target} (official image: {image}), or with another maintained version that you use in production.',
        },
        pipeline: {
          title: 'End-of-life Node.js version in a pipeline',
          message: 'The pipeline in {setting} selects Node.js {major}, whose maintenance ended on {ended}.',
          why: PIPELINE.en,
          fix: 'Select Node.js {target} in this file, or another maintained version that you use in production.',
        },
      },
    },
    fr: {
      title: 'Version de Node.js en fin de vie',
      message: '{setting} autorise au plus Node.js {major}, dont la maintenance a pris fin le {ended}.',
      why: 'Les vulnérabilités de Node.js découvertes depuis la fin de la maintenance, par exemple dans l’analyse des requêtes HTTP ou dans TLS, ne sont pas corrigées dans cette version.',
      fix: 'Donnez à {setting} la valeur "^{target}" dans ce package.json, exécutez les tests avec Node.js {target}, puis déployez.',
      variants: {
        pin: {
          message: '{setting} sélectionne Node.js {major}, dont la maintenance a pris fin le {ended}.',
          fix: 'Écrivez {target} dans ce fichier et exécutez les tests avec Node.js {target}.',
        },
        image: {
          message: 'L’image {setting} contient Node.js {major}, dont la maintenance a pris fin le {ended}.',
          fix: 'Utilisez un tag de cette image qui contient Node.js {target} (image officielle : {image}), exécutez vos tests dans la nouvelle image, puis déployez.',
        },
        pipelineImage: {
          title: 'Version de Node.js en fin de vie dans un pipeline',
          message: 'Ce pipeline utilise Node.js {major} ({setting}), dont la maintenance a pris fin le {ended}.',
          why: PIPELINE.fr,
          fix: 'Utilisez un tag de cette image qui contient Node.js {target} (image officielle : {image}), ou une autre version maintenue que vous utilisez en production.',
        },
        pipeline: {
          title: 'Version de Node.js en fin de vie dans un pipeline',
          message: 'Le pipeline de {setting} sélectionne Node.js {major}, dont la maintenance a pris fin le {ended}.',
          why: PIPELINE.fr,
          fix: 'Sélectionnez dans ce fichier Node.js {target}, ou une autre version maintenue que vous utilisez en production.',
        },
      },
    },
  }),
})

/** Fact: README of `@sap/approuter`, "Starting the Application Router". */
function startsApprouter({ name, command }: NpmPackage['scripts'][number]): boolean {
  return name === 'start' && /\bnode_modules\/@sap\/approuter\/approuter\.js\b/.test(command)
}

/** An image of the same kind with a maintained version. */
function exampleOf(image: string): string {
  const official = /(?:^|\/)node:[\d.]{1,20}(-(?:alpine|bookworm|bookworm-slim|slim))?$/.exec(image)
  const variant = official === null ? (/-alpine/.test(image) ? '-alpine' : '-slim') : (official[1] ?? '')
  return `node:${NODE_TARGET}${variant}`
}

/** Brings tables to a container of HDI, or pages to the HTML5 repository, and ends. Facts: README of `@sap/hdi-deploy` and `@sap/html5-app-deployer`. */
const DEPLOYER =
  /^\s{0,5}(?:node\s{1,5}(?:\.\/)?node_modules\/@sap\/(?:hdi-deploy|html5-app-deployer)\/|(?:npx\s{1,5})?(?:hdi-deploy|html5-app-deployer)\b)[^&;|]*$/

const HALF_A_YEAR = 182

function daysBetween(from: string, to: string): number {
  return (Date.parse(to.slice(0, 10)) - Date.parse(from)) / 86_400_000
}

interface NodePin {
  readonly setting: string
  readonly range: string
  readonly place: Place
  readonly variant?: 'pin' | 'image' | 'pipeline' | 'pipelineImage'
  /** A stage that what runs only copies from. */
  readonly isForBuild?: boolean
}

function* findPins({ npm, files }: Project): Generator<NodePin> {
  for (const { file, node } of npm.packages)
    if (node !== undefined)
      yield { setting: 'engines.node', range: node.range, place: { file, span: { start: node.start, end: node.end } } }
  const targets = new Set([...findComposeServices(files)].flatMap(({ target }) => target ?? []))
  for (const dockerfile of findDockerfiles(files)) {
    const { file, stages } = dockerfile
    const chosen = [undefined, ...targets].flatMap((target) => runningStages(dockerfile, target))
    const running = new Set([...chosen, ...stagesOfRuntime(dockerfile, chosen)])
    for (const stage of stages) {
      const { image, imageSpan } = stage
      const range = nodeOfImage(image)
      const isForBuild = !running.has(stage)
      if (range !== undefined) yield { setting: image, range, place: { file, span: imageSpan }, variant: 'image', isForBuild }
    }
  }
  for (const { file, image, node } of findComposeServices(files)) {
    const range = image === undefined ? undefined : nodeOfImage(image)
    const written = at(node, 'image')
    if (image !== undefined && range !== undefined && written !== undefined)
      yield { setting: image, range, place: { file, span: { start: written.start, end: written.end } }, variant: 'image' }
  }
  for (const { image, place } of findPipelineImages(files)) {
    const range = nodeOfImage(image)
    if (range !== undefined) yield { setting: image, range, place, variant: 'pipelineImage' }
  }
  for (const { path: file, kind, content } of files.values()) {
    if (kind.role === 'node-version' && content.as === 'text') {
      const line = /^[ \t]*([^\s#][^\r\n]{0,100})/m.exec(content.text ?? '')
      const range = toNodeRange(line?.[1]?.trim() ?? '')
      if (line === null || range === undefined) continue
      const start = line.index + line[0].length - (line[1] ?? '').length
      yield {
        setting: file,
        range,
        place: { file, span: { start, end: start + (line[1] ?? '').trimEnd().length } },
        variant: 'pin',
      }
    }
  }
  for (const { file, node: step } of findPipelineSteps(files)) {
    const node = versionOf(step)
    const range = toNodeRange(stringOf(node) ?? String(numberOf(node) ?? ''))
    if (node === undefined || range === undefined) continue
    yield { setting: file, range, place: { file, span: { start: node.start, end: node.end } }, variant: 'pipeline' }
  }
}

/** `node-version` of actions/setup-node, `versionSpec` of NodeTool; a matrix of several is a test, not a pin. */
function versionOf(step: DataNode): DataNode | undefined {
  const isTool = /^(?:NodeTool|UseNode)@/.test(stringOf(at(step, 'task')) ?? '')
  return (
    at(step, 'with', 'node-version') ??
    (isTool ? (at(step, 'inputs', 'versionSpec') ?? at(step, 'inputs', 'version')) : undefined)
  )
}

function nodeOfImage(image: string): string | undefined {
  const tag = /(?:^|\/)node:([\w.-]{1,100})/.exec(image)?.[1]
  // of other images only a tag that says so: `python3.13-nodejs24`
  return tag === undefined
    ? /:(?:[\w.-]{0,100}[-_.])?node(?:js)?-?(\d{1,3}(?:\.\d{1,5}){0,2})(?![\d.])/.exec(image)?.[1]
    : toNodeRange(tag)
}
