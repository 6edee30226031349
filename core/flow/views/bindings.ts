import { isNonText, pathOf, type Value } from '../../facts/index.ts'
import { parseBinding, parseExpression, type Binding, type BindingPart, type BindingPath } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import type { GraphBuilder } from '../graph/builder.ts'
import { ENCODER_MODULE, ENCODERS, FORMATS_TEXT, MARKUP_FAULTS, PLAIN_TYPE } from '../tables/markup.ts'
import { ANY_FIELD, CLEAN, CONCAT, COPY, WRITE, type FlowCall, type FlowPort, type FlowSink } from '../types.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { lastName } from '../../paths.ts'

/** What a name in a binding stands for: a formatter or a function of an expression. */
export type NamedFunction =
  /** Functions of the app: of a file, or of this one. */
  | { readonly kind: 'own'; readonly calls: readonly Pick<FlowCall, 'targets' | 'module'>[] }
  /** Its result holds its arguments as they are. */
  | { readonly kind: 'joins' }
  /** Its result is harmless as markup. */
  | { readonly kind: 'encodes' }
  | { readonly kind: 'unknown' }

/** Where a binding stands: what its names and its relative paths mean there. */
export interface BindingScope {
  readonly graph: GraphBuilder
  readonly ports: FlowPort[]
  readonly calls: FlowCall[]
  readonly unresolved: number[]
  show(node: number, text: string): void
  functionOf(written: string): NamedFunction
  /** A type by the name that it has here. */
  typeOf(written: string): string
  /** What a type of the app's own makes of a value before it is shown. */
  formatOf?(written: string): Pick<FlowCall, 'targets' | 'module'> | undefined
  /** Texts of the app, what the device says: nobody writes them. */
  isConstantModel(model: string): boolean
  /** What is shared under the name of a model, where that is none: the properties of a composite control. */
  storeOf?(model: string): string | undefined
  /** Where a relative path begins; undefined: nobody can tell. */
  contextOf(model: string): readonly string[] | undefined
}

/** Whether a formatter makes what is shown of what is bound. */
export function hasFormatter(binding: Binding): boolean {
  return binding.kind === 'bound' && binding.parts.some((part) => part.kind === 'info' && part.formatter !== undefined)
}

/** Leads what a binding reads to the node of the property that shows it. */
export function connectBinding(binding: Binding, to: number, at: Span, scope: BindingScope): void {
  if (binding.kind === 'constant') return
  if (binding.kind === 'computed') {
    scope.unresolved.push(to)
    return
  }
  const isJoined = binding.parts.length > 1 || binding.before !== ''
  for (const part of binding.parts) scope.graph.connect(toNode(part, at, scope), to, isJoined ? CONCAT : COPY)
}

function toNode(part: BindingPart, at: Span, scope: BindingScope): number {
  const { graph } = scope
  if (part.kind === 'path') return readPath(part, at, scope)
  if (part.kind === 'expression') return toExpression(part, at, scope)
  const node = graph.add(at)
  if (isPlain(part.type, scope)) return node
  const read = part.paths.map((path) =>
    isPlain(path.type, scope)
      ? graph.add(at)
      : formatted(readPath(path, at, scope), path.type ?? (part.paths.length === 1 ? part.type : undefined), at, scope),
  )
  const composed = part.formatter === undefined && read.length > 1 ? composedBy(part.type, read, at, scope) : undefined
  if (composed !== undefined) return composed
  if (part.formatter === undefined) for (const from of read) graph.connect(from, node, read.length > 1 ? CONCAT : COPY)
  else addCall(scope.functionOf(part.formatter), read, node, scope)
  return node
}

/** `{ path: 'text', type: 'my.app.Encoded' }` */
function formatted(from: number, type: string | undefined, at: Span, { graph, calls, formatOf }: BindingScope): number {
  const call = type === undefined ? undefined : formatOf?.(type)
  if (call === undefined) return from
  const result = graph.add(at)
  calls.push({ ...call, result, args: [from] })
  return result
}

/** `{ parts: ['first', 'last'], type: 'my.app.FullName' }`: a composite type gets a list of all values. Fact: API of sap.ui.model.CompositeType. */
function composedBy(
  type: string | undefined,
  read: readonly number[],
  at: Span,
  { graph, calls, formatOf }: BindingScope,
): number | undefined {
  const call = type === undefined ? undefined : formatOf?.(type)
  if (call === undefined) return undefined
  const [list, result] = [graph.add(at), graph.add(at)]
  for (const [index, from] of read.entries()) graph.connect(from, list, WRITE, String(index))
  calls.push({ ...call, result, args: [list] })
  return result
}

function isPlain(type: string | undefined, scope: Pick<BindingScope, 'typeOf'>): boolean {
  return type !== undefined && PLAIN_TYPE.test(scope.typeOf(type))
}

function readPath(path: BindingPath, at: Span, scope: BindingScope): number {
  const { graph, ports } = scope
  const node = graph.add(at)
  const store = scope.storeOf?.(path.model)
  if (store === undefined && scope.isConstantModel(path.model)) return node
  if (store !== undefined) ports.push({ node, access: 'read', store, path: segmentsOf(path.path) })
  else
    for (const fields of fieldsOf(path, scope)) ports.push({ node, access: 'read', store: `model ${path.model}`, path: fields })
  scope.show(node, textOf(path))
  return node
}

/** The fields below a model that a path reads. A relative one whose beginning nobody knows may begin anywhere. */
export function fieldsOf(
  { model, path }: BindingPath,
  { contextOf }: Pick<BindingScope, 'contextOf'>,
): readonly (readonly string[])[] {
  const own = segmentsOf(path)
  if (path.startsWith('/')) return [own]
  const context = contextOf(model)
  if (context !== undefined) return [[...context, ...own]]
  return [own, [ANY_FIELD, ...own], [ANY_FIELD, ANY_FIELD, ...own]]
}

/** `/items/0/name` is the field name of an item of items; what no field can be called stands for any. */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => (/^[\w$-]{1,100}$/.test(segment) && !/^\d+$/.test(segment) ? segment : ANY_FIELD))
}

/** In braces, as in a view. */
function textOf({ model, path }: BindingPath): string {
  return model === '' ? `{${path}}` : `{${model}>${path}}`
}

function addCall(called: NamedFunction, args: readonly number[], result: number, scope: BindingScope): void {
  const { graph, calls, unresolved } = scope
  switch (called.kind) {
    case 'own':
      for (const call of called.calls) calls.push({ ...call, result, args })
      return
    case 'joins':
      for (const argument of args) graph.connect(argument, result, CONCAT)
      return
    case 'encodes':
      for (const argument of args) graph.connect(argument, result, CLEAN, MARKUP_FAULTS.join(' '))
      return
    default:
      if (args.length > 0) unresolved.push(result)
  }
}

/** A function by its full name, `sap.base.security.encodeXML`, where it is one of UI5. */
export function frameworkFunction(name: string): NamedFunction | undefined {
  if (FORMATS_TEXT.test(name)) return { kind: 'joins' }
  const last = lastName(name)
  if (ENCODERS.has(last) && (ENCODER_MODULE.test(name) || name === 'encodeURIComponent')) return { kind: 'encodes' }
  return undefined
}

const MAX_DEPTH = 100

/** The value of an expression from its operands; where they only decide between constants, nothing of them is shown. */
function toExpression(part: BindingPart & { readonly kind: 'expression' }, at: Span, scope: BindingScope): number {
  const { graph } = scope
  const operands = part.operands.map((operand) => toNode(operand, at, scope))
  const result = graph.add(at)
  const value = parseExpression(part.code)
  if (value === undefined) for (const operand of operands) graph.connect(operand, result, CONCAT)
  else connectExpression(value, result, { scope, operands, at }, 0)
  return result
}

/** The arguments that a view hands to a handler: expressions with bindings in them. */
export function argumentNodes(code: string, at: Span, scope: BindingScope): readonly number[] {
  const binding = parseBinding(`{= handler(${code}) }`)
  const [part] = binding.kind === 'bound' ? binding.parts : []
  const call = part?.kind === 'expression' ? parseExpression(part.code) : undefined
  if (part?.kind !== 'expression' || call?.kind !== 'call') return []
  const operands = part.operands.map((operand) => toNode(operand, at, scope))
  return call.args.map((argument) => {
    const node = scope.graph.add(at)
    connectExpression(argument, node, { scope, operands, at }, 0)
    return node
  })
}

interface OpenExpression {
  readonly scope: BindingScope
  readonly operands: readonly number[]
  readonly at: Span
}

function connectExpression(value: Value, to: number, open: OpenExpression, depth: number): void {
  const { scope, operands, at } = open
  const { graph } = scope
  if (depth > MAX_DEPTH || isNonText(value)) return
  const below = (part: Value, operation: number): void => {
    const node = graph.add(at)
    connectExpression(part, node, open, depth + 1)
    graph.connect(node, to, operation)
  }
  switch (value.kind) {
    case 'reference': {
      const operand = operands[operandOf(value.name)]
      if (operand !== undefined) graph.connect(operand, to, COPY)
      return
    }
    case 'concat':
    case 'template':
      for (const part of value.parts) below(part, CONCAT)
      return
    case 'choice':
      for (const option of value.options) below(option, COPY)
      return
    case 'array':
      for (const item of value.items) below(item, CONCAT)
      return
    case 'member':
      return below(value.object, COPY)
    case 'call': {
      const name = pathOf(value.callee)?.join('.').replace('global:', '')
      const operand = operandOf(name?.split('.')[0] ?? '')
      // ${path}.trim(): what a method makes of an operand
      if (name === undefined || operand >= 0) {
        if (value.callee.kind === 'member') below(value.callee.object, COPY)
        for (const argument of value.args) below(argument, CONCAT)
        return
      }
      const args = value.args.map((argument) => {
        const node = graph.add(at)
        connectExpression(argument, node, open, depth + 1)
        return node
      })
      return addCall(frameworkFunction(name) ?? scope.functionOf(name), args, to, scope)
    }
    default:
  }
}

function operandOf(name: string): number {
  return name.startsWith('ui5$') ? Number(name.slice('ui5$'.length)) : -1
}

/** A property writes back to the one path that it is bound to; not through a formatter, not one way, and through a type of numbers or dates no text. */
export function writtenBy(
  binding: Binding,
  scope: Pick<BindingScope, 'typeOf'>,
): readonly { readonly model: string; readonly path: string }[] {
  const [part, other] = binding.kind === 'bound' && binding.before === '' ? binding.parts : []
  if (part === undefined || other !== undefined || part.kind === 'expression') return []
  if (part.kind === 'path') return [part]
  const isOneWay = part.formatter !== undefined || /One(?:Way|Time)$/.test(part.mode ?? '')
  const isTyped = isPlain(part.type, scope) || part.paths.some(({ type }) => isPlain(type, scope))
  return isOneWay || isTyped || part.paths.length !== 1 ? [] : part.paths
}

/** Code of an expression that puts a fixed beginning before its value. */
const FIXED_START = /^\s{0,50}\(?\s{0,50}['"`](?:https?:|mailto:|tel:|sms:|[#/?.]|\w)/u
const FIXED_PART = /['"`](?:https?:\/\/|mailto:|tel:|#|\/)/u

/** The address of a link that a binding gives, where the first thing in it decides about its scheme. */
export function addressSink(binding: Binding, at: Span, name: string, scope: BindingScope): FlowSink | undefined {
  if (binding.kind !== 'bound' || binding.before.trim() !== '') return undefined
  const [first] = binding.parts
  if (first === undefined) return undefined
  if (first.kind === 'expression' && (FIXED_START.test(first.code) || FIXED_PART.test(first.code))) return undefined
  const node = scope.graph.add(at)
  // a formatter that is not here may well check the address
  connectBinding({ ...binding, parts: [first] }, node, at, { ...scope, unresolved: [] })
  return { node, ...FOUND_SINKS.linkAddress, name, start: at.start, end: at.end }
}
