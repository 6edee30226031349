import { findDockerfiles, findPipelineSteps } from '../../model/deployment/index.ts'
import { at, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'
import { endedNodeOf, toNodeRange } from '../../model/npm/index.ts'

/**
 * A runtime that gets no security fixes any more, wherever it is pinned: `engines.node` that no living line satisfies, .nvmrc, the image of a
 * Dockerfile, a pipeline. Facts: nodejs/Release, schedule; judged on the day of the scan.
 */
export const eolNode: Rule = defineRule({
  id: 'npm/eol-node',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://github.com/nodejs/Release',
  on: 'project',

  *check(project) {
    for (const { setting, range, place, variant } of findPins(project)) {
      const found = endedNodeOf(range, project.date)
      if (found === undefined) continue
      const match: Match = {
        at: place,
        args: { setting, major: String(found.major), ended: found.ended },
        sameAs: `${setting} ${range}`,
      }
      yield { ...match, ...(variant !== undefined && { variant }), ...(variant === 'pipeline' && { severity: 'LOW' }) }
    }
  },

  text: {
    en: {
      title: 'Node.js version without security fixes',
      message: '{setting} allows Node.js {major} at most, which ended on {ended}.',
      why: 'Weaknesses of this version stay open: HTTP parsing, TLS and permission faults are found in Node.js several times a year.',
      fix: 'Name a maintained line, for instance "{setting}" with ">=22", and test with it.',
      variants: {
        pin: {
          message: '{setting} names Node.js {major}, which ended on {ended}.',
          fix: 'Name a maintained line, for instance 24, and test with it.',
        },
        pipeline: {
          message: '{setting} builds with Node.js {major}, which ended on {ended}.',
          why: 'The machine that builds the project holds its keys, and its Node.js gets no fixes any more.',
          fix: 'Build with the line that production runs.',
        },
      },
    },
    fr: {
      title: 'Version de Node.js sans correctifs de sécurité',
      message: '{setting} permet au plus Node.js {major}, dont la maintenance a pris fin le {ended}.',
      why: 'Les failles de cette version restent ouvertes : des défauts d’analyse HTTP, de TLS et de permissions y sont trouvés plusieurs fois par an.',
      fix: 'Indiquez une branche maintenue, par exemple « {setting} » avec « >=22 », et testez avec elle.',
      variants: {
        pin: {
          message: '{setting} désigne Node.js {major}, dont la maintenance a pris fin le {ended}.',
          fix: 'Indiquez une branche maintenue, par exemple 24, et testez avec elle.',
        },
        pipeline: {
          message: '{setting} construit avec Node.js {major}, dont la maintenance a pris fin le {ended}.',
          why: 'La machine qui construit le projet détient ses clés, et son Node.js ne reçoit plus de correctifs.',
          fix: 'Construisez avec la branche qui tourne en production.',
        },
      },
    },
  },
})

interface NodePin {
  readonly setting: string
  readonly range: string
  readonly place: Place
  readonly variant?: 'pin' | 'pipeline'
}

function* findPins({ npm, files }: Project): Generator<NodePin> {
  for (const { file, node } of npm.packages)
    if (node !== undefined)
      yield { setting: 'engines.node', range: node.range, place: { file, span: { start: node.start, end: node.end } } }
  for (const { file, stages } of findDockerfiles(files)) {
    for (const { image, imageSpan } of stages) {
      const tag = /(?:^|\/)node:([\w.-]{1,100})/.exec(image)?.[1]
      const range = tag === undefined ? undefined : toNodeRange(tag)
      if (range !== undefined) yield { setting: image, range, place: { file, span: imageSpan }, variant: 'pin' }
    }
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
