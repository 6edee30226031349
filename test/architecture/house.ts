import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { parseScript, type Node } from '../../core/parse/javascript.ts'

const ROOT = new URL('../../', import.meta.url).pathname

/** By file, folder, function or record: how much of something there is; what has none is left out. */
export type Figures = Readonly<Record<string, number>>

/** What is counted, and what to do where there is more of it than before. */
export interface Measure {
  readonly name: string
  readonly advice: string
  read(): Figures
}

/** Where rows and tables stand: these may name packages and rules. */
const KNOWLEDGE = /^core\/(?:flow\/(?:tables|models|frameworks)|conditions\/harmless\.ts)/
/** Records with more members than this are passed around as a whole. */
const WIDE = 15
/** Functions with more lines than this do several things. */
const LONG = 60
/** A folder with more files than this is a list, and no room. */
const CROWDED = 30

interface Source {
  readonly path: string
  readonly nodes: readonly Node[]
}

/** Measures of the rooms in which scripts are understood; each may only go down. */
export function listMeasures(): readonly Measure[] {
  const sources = ['core/facts', 'core/conditions', 'core/flow']
    .flatMap(listSources)
    .map((path): Source => ({ path, nodes: [...nodesOf(parseScript(readFileSync(join(ROOT, path), 'utf8'), path).program)] }))
  const flow = sources.filter(({ path }) => path.startsWith('core/flow/') || path.startsWith('core/conditions/'))
  const rules = new Set(
    readdirSync(join(ROOT, 'core/rules'), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
      path.endsWith('.md') ? [`${posix.dirname(path)}/${basename(path, '.md')}`] : [],
    ),
  )
  const perFile = (among: readonly Source[], counts: (node: Node) => number): Figures =>
    toFigures(among.map(({ path, nodes }) => [path, nodes.reduce((sum, node) => sum + counts(node), 0)]))
  const outside = flow.filter(({ path }) => !KNOWLEDGE.test(path))
  return [
    {
      name: 'branches by realm',
      advice: 'understand JavaScript once for both realms: ask a row, a framework or a fact instead of comparing the realm',
      read: () => perFile(sources, (node) => Number(isRealmBranch(node))),
    },
    {
      name: 'ids of rules outside of tables',
      advice: 'name the rule in a row of core/flow/tables, or in the table that joins constraints with rules',
      read: () =>
        perFile(
          outside,
          (node) =>
            textOf(node)
              .split(/\s+/)
              .filter((word) => rules.has(word)).length,
        ),
    },
    {
      name: 'names of packages outside of tables',
      advice: 'write a row in core/flow/tables: the engine asks rows and knows no package',
      read: () => perFile(outside, (node) => [...textOf(node).matchAll(/module:(?=[@\w([])/g)].length),
    },
    {
      name: 'walks over conditions',
      advice:
        'ask core/conditions: it is the only walker over `!`, `&&` and `||`; what a call or comparison proves is an atom there',
      read: () => perFile(sources, (node) => Number(isConditionWalk(node))),
    },
    {
      name: 'comparisons of kinds of values',
      advice: 'a visitor or a function of core/facts says the same shorter, and the compiler checks it',
      read: () =>
        toFigures(groups(sources.map(({ path, nodes }) => [posix.dirname(path), nodes.filter(isKindComparison).length]))),
    },
    {
      name: 'members of wide records',
      advice: `hand on what is needed: a record with more than ${WIDE} members is known by everybody`,
      read: () => toFigures(flow.flatMap(({ path, nodes }) => nodes.flatMap((node) => wideRecord(path, node)))),
    },
    {
      name: 'lines of long functions',
      advice: `part it by what it does: a function of more than ${LONG} lines is read by nobody`,
      read: () => toFigures(sources.flatMap(({ path, nodes }) => nodes.flatMap((node) => longFunction(path, node)))),
    },
    {
      name: 'files in a crowded folder',
      advice: `make a folder for the subject, or join files that are read together: more than ${CROWDED} files are a list`,
      read: () => toFigures(groups(sources.map(({ path }) => [posix.dirname(path), 1])).filter(([, count]) => count > CROWDED)),
    },
  ]
}

function listSources(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return listSources(path)
    return entry.name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(entry.name) ? [path] : []
  })
}

function* nodesOf(root: Node): Generator<Node> {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const here = open.pop()
    if (isNode(here)) yield here
    if (typeof here === 'object' && here !== null)
      open.push(...Object.entries(here).flatMap(([key, value]) => (/Comments$|^loc$|^tokens$/.test(key) ? [] : [value])))
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
}

function toFigures(entries: readonly (readonly [string, number])[]): Figures {
  return Object.fromEntries([...entries].filter(([, count]) => count > 0).sort(([one], [other]) => (one < other ? -1 : 1)))
}

function groups(entries: readonly (readonly [string, number])[]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [name, count] of entries) sums.set(name, (sums.get(name) ?? 0) + count)
  return [...sums]
}

function isRealmBranch(node: Node): boolean {
  if (node.type === 'SwitchCase') return isRealm(node.test)
  return node.type === 'BinaryExpression' && /^[!=]==$/.test(node.operator) && (isRealm(node.left) || isRealm(node.right))
}

function isRealm(node: Node | null | undefined): boolean {
  return node?.type === 'StringLiteral' && (node.value === 'server' || node.value === 'browser')
}

/** What a text, a part of a template or a pattern says. */
function textOf(node: Node): string {
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'RegExpLiteral') return node.pattern
  return node.type === 'TemplateElement' ? node.value.raw : ''
}

/** `unwrap(test)`, `negatedBy(test)`, `test.isAnd`, `operator === '!'`. */
function isConditionWalk(node: Node): boolean {
  if (node.type === 'CallExpression')
    return node.callee.type === 'Identifier' && (node.callee.name === 'unwrap' || node.callee.name === 'negatedBy')
  if (node.type === 'MemberExpression') return node.property.type === 'Identifier' && node.property.name === 'isAnd'
  return (
    node.type === 'BinaryExpression' &&
    [node.left, node.right].some((side) => side.type === 'StringLiteral' && side.value === '!')
  )
}

function isKindComparison(node: Node): boolean {
  const isKind = (side: Node | null | undefined): boolean =>
    side?.type === 'Identifier'
      ? side.name === 'kind'
      : (side?.type === 'MemberExpression' || side?.type === 'OptionalMemberExpression') &&
        side.property.type === 'Identifier' &&
        side.property.name === 'kind'
  if (node.type === 'SwitchStatement') return isKind(node.discriminant)
  const isOfValue = (side: Node): boolean => side.type === 'StringLiteral' && KINDS.has(side.value)
  if (node.type !== 'BinaryExpression' || !/^[!=]==$/.test(node.operator)) return false
  return (isKind(node.left) && isOfValue(node.right)) || (isKind(node.right) && isOfValue(node.left))
}

/** Of values: other things have kinds, too. */
const KINDS: ReadonlySet<string> = new Set(
  'literal regex template concat operation choice reference this member call new object array function class jsx await spread'.split(
    ' ',
  ),
)

function wideRecord(path: string, node: Node): [string, number][] {
  if (node.type !== 'TSInterfaceDeclaration' || node.body.body.length <= WIDE) return []
  return [[`${path} ${node.id.name}`, node.body.body.length]]
}

function longFunction(path: string, node: Node): [string, number][] {
  if (node.type !== 'FunctionDeclaration' || node.loc == null) return []
  const lines = node.loc.end.line - node.loc.start.line + 1
  return lines <= LONG ? [] : [[`${path} ${node.id?.name ?? ''}`, lines]]
}
