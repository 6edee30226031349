import { functionThing, type CallLink, type OpenGraph, type Thing } from '../app/call-graph.ts'
import { levelsOf } from './class-makers.ts'
import type { LinkedFunction } from '../app/links.ts'
import type { NodeThings } from '../app/followed-things.ts'
import { ANY_FIELD, type FlowCallables, type FlowClassBody } from '../types.ts'
import { lastName } from '../../paths.ts'

/** What is followed through the app, as far as classes take part in it. */
interface Followed extends Pick<OpenGraph, 'files' | 'bases'> {
  readonly known: NodeThings
  readonly things: readonly Thing[]
  /** Nodes of routers that are read from objects. */
  readonly mounted: ReadonlySet<number>
  readonly step: () => void
  readonly lead: (from: number, to: number) => void
  readonly reach: (node: number, thing: Thing) => void
  readonly links: CallLink[]
  readonly linked: Set<string>
  readonly copies: (readonly [number, number])[]
}

/** What is read from objects of classes and written into them: fields, methods, accessors, also inherited ones. */
export interface ClassReader {
  readMember(thing: Thing, name: string, from: number, to: number): void
  /** `made.name = value`: of a class with one object that is the field that its methods read. Gives whether a setter gets it. */
  writeMember(thing: Thing, write: WrittenMember): boolean
  /** The text of an object: what its `toString` gives. */
  readText(thing: Thing, from: number, to: number): void
  parentsOf(thing: Pick<Thing, 'file' | 'index'>): Thing[]
  /** In the methods of a class `this` may be an object of one that extends it. */
  inherit(file: number, index: number): void
}

interface WrittenMember {
  readonly node: number
  readonly name: string
  readonly from: number
  /** Where the value goes into the object. */
  readonly put: number
}

export function createClassReader(followed: Followed): ClassReader {
  const { files, bases, known, things, mounted, step, lead, reach, links, linked, copies } = followed
  const callablesOf = (file: number): FlowCallables | undefined => files[file]?.flow.server?.callables
  const bodyOf = ({ file, index }: Pick<Thing, 'file' | 'index'>): FlowClassBody | undefined => callablesOf(file)?.classes[index]

  const parentsOf: ClassReader['parentsOf'] = ({ file, index }) => {
    const parent = callablesOf(file)?.classes[index]?.parent
    if (parent === undefined) return []
    return known.at((bases[file] ?? 0) + parent).flatMap((id) => {
      const thing = things[id]
      return thing?.kind === 'class' && thing.fields.length === 0 ? [thing] : []
    })
  }
  /** The class, then those above it, each with its body. */
  function* lineOf(thing: Thing): Generator<readonly [one: Thing, body: FlowClassBody]> {
    for (const level of levelsOf(thing, parentsOf))
      for (const one of level) {
        step()
        const body = bodyOf(one)
        if (body !== undefined) yield [one, body]
      }
  }
  /** An accessor, or `toString`, is a call of a method: what it gives is of the object that is asked. */
  const run = (target: LinkedFunction, receiver: number, args: readonly number[], result: number): void => {
    const key = `run ${receiver} ${result} ${target.file} ${target.index}`
    if (linked.has(key)) return
    linked.add(key)
    const base = bases[target.file] ?? 0
    const own = files[target.file]?.flow.functions[target.index]
    for (const [position, argument] of args.entries()) {
      const parameter = own?.parameters[position]
      if (parameter !== undefined) lead(argument, base + parameter)
    }
    if (own !== undefined && args.length === 0) lead(base + own.result, result)
    links.push({ file: target.file, args, result, receiver, filled: undefined, target, shift: 0, via: undefined })
  }
  const read = (from: number, to: number): void => {
    step()
    if (from === to || linked.has(`copy ${from} ${to}`)) return
    linked.add(`copy ${from} ${to}`)
    copies.push([from, to])
    if (mounted.has(to)) copies.push([to, from])
    lead(from, to)
  }
  return {
    parentsOf,
    readMember(thing, name, from, to) {
      const isStatic = thing.kind === 'class'
      for (const level of levelsOf(thing, parentsOf)) {
        let found = false
        for (const one of level) {
          const { file } = one
          const base = bases[file] ?? 0
          const own = bodyOf(one)
          for (const member of own?.members ?? []) {
            if (member.isStatic !== isStatic || !(name === ANY_FIELD || member.name === name)) continue
            found = true
            if (member.getter !== undefined) run({ file, index: member.getter }, from, [], to)
            else if (member.setter === undefined) lead(base + member.node, to)
          }
          for (const [field, node] of own?.fields ?? []) if (field === name || name === ANY_FIELD) read(base + node, to)
        }
        if (found && name !== ANY_FIELD) return
      }
    },
    writeMember(thing, { node, name, from, put }) {
      for (const [{ file }, { members }] of lineOf(thing)) {
        const setter = members.find((member) => member.setter !== undefined && member.name === name)?.setter
        if (setter === undefined) continue
        run({ file, index: setter }, node, [from], put)
        return true
      }
      for (const [{ file }, { fields }] of lineOf(thing))
        for (const [field, own] of fields) if (field === name) read(from, (bases[file] ?? 0) + own)
      return false
    },
    readText(thing, from, to) {
      for (const [{ file }, { methods }] of lineOf(thing)) {
        const functions = files[file]?.flow.functions ?? []
        const index = methods.find((method) => lastName(functions[method]?.name ?? '') === 'toString')
        if (index !== undefined) return run({ file, index }, from, [], to)
      }
    },
    inherit(file, index) {
      const own: Thing = { ...functionThing(file, index), kind: 'class' }
      const [, ...above] = levelsOf(own, parentsOf)
      for (const parent of above.flat())
        for (const [node, at] of callablesOf(parent.file)?.selves ?? [])
          if (at === parent.index) reach((bases[parent.file] ?? 0) + node, { ...own, kind: 'instance' })
    },
  }
}
