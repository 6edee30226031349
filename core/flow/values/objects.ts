import { functionOf } from '../../facts/callbacks.ts'
import { resolveValue, type CallValue, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { COPY, type FlowFunction, type FlowObject } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { GLOBAL_SOURCE } from '../app/links.ts'
import { isFramework, moduleBehind } from '../calls/modules.ts'
import { globalFunctionOf } from '../pages/definitions.ts'
import type { Span } from '../../types.ts'

/** Adds that a value is a function or an object of the app, so that it is called where it arrives. */
export function addObject(value: Value, node: number, draft: FlowDraft): void {
  const object = objectOf(value, draft)
  if (object !== undefined && (object.methods.length > 0 || object.parent !== undefined))
    draft.objects.all.push({ node, ...object })
}

/** Adds what a node holds as an object of a class, or with the methods of an extended object. */
export function addObjectOf(owner: object, node: number, draft: FlowDraft): void {
  draft.objects.all.push({ node, ...toObject(owner, draft) })
}

/** Functions of modules of UI5 and of the language that a call hands over: `toRows(list, encodeXML)` runs none of those that other calls give. */
export function addFrameworkFunctions({ args }: CallValue, draft: FlowDraft): void {
  for (const argument of args) addFrameworkFunction(argument, draft)
}

/** The same of one that is kept or given where a parameter is left out: `{ encode: encodeXML }`, `(text, escape = encodeXML) => …`. */
export function addFrameworkFunction(given: Value, { use, objects }: FlowDraft): void {
  if (given.kind !== 'reference') return
  const { name, binding } = given
  const source = binding?.module?.source
  if (source === undefined ? binding === undefined && CONVERTING.has(name) : isFramework(source) && FUNCTION_MODULE.test(source))
    objects.all.push({ node: use(given), methods: [] })
}

/** Modules that are a function begin with a small letter: `sap/base/security/encodeXML`. */
const FUNCTION_MODULE = /\/[a-z]\w*$/
const CONVERTING: ReadonlySet<string> = new Set([
  'String',
  'Number',
  'Boolean',
  'encodeURIComponent',
  'encodeURI',
  'parseInt',
  'parseFloat',
])

function objectOf(value: Value, draft: FlowDraft): Omit<FlowObject, 'node'> | undefined {
  const {
    owners,
    classes: { parentOf },
  } = draft
  switch (value.kind) {
    case 'function':
      return { methods: itself([value.function], draft) }
    case 'this': {
      const owner = owners.ownerOf(value.function)
      return owner && toObject(owner, draft)
    }
    case 'member': {
      const owner = owners.ownerBehind(value.object) ?? classOf(value.object)
      if (owner === undefined || value.name === undefined) return undefined
      const methods = itself(draft.classes.lineage.inherited(owner, value.name), draft)
      const parent = methods.length > 0 ? undefined : parentOf(owner)
      if (parent === undefined) return { methods }
      return draft.classes.fieldValues(owner, value.name).length > 0
        ? undefined
        : { methods: [], parent: { source: parent.source, name: `${parent.name}#${value.name}` } }
    }
    case 'call': {
      const found = isWrapped(value) ? owners.functionsBehind(value) : []
      return found.length === 0 ? undefined : { methods: itself(found, draft) }
    }
    case 'new': {
      const owner = owners.classBehind(value.callee)
      if (owner !== undefined && draft.classes.lineage.allOf(owner).size > 0) {
        draft.objects.made.push({ node: draft.use(value), owner })
        const object = toObject(owner, draft)
        const fact = aloneBehind(value, draft)
        return fact === undefined ? object : { ...object, of: { start: fact.start, end: fact.end } }
      }
      const made = moduleBehind(value.callee) ?? sharedClass(value.callee)
      return made && { methods: [], parent: made, isMade: true }
    }
    default:
      return undefined
  }

  function itself(facts: readonly FunctionFact[], { calling: { functions: indexes } }: FlowDraft): FlowObject['methods'] {
    return facts.flatMap((fact) => {
      const index = indexes.get(fact)
      return index === undefined ? [] : [['', index] as const]
    })
  }
}

/** A function that another classic script of the page declares: `new Hub(settings)`. */
function sharedClass(callee: Value): FlowObject['parent'] {
  const name = globalFunctionOf(callee)
  return name === undefined ? undefined : { source: GLOBAL_SOURCE, name: `global ${name}` }
}

/** The class of the file that `new` makes an object of, if it extends nothing, nothing in the file extends it, and it keeps nothing for all its objects. */
export function aloneBehind({ callee }: CallValue, { classes: { lineage } }: FlowDraft): ClassFact | undefined {
  const made = resolveValue(callee)
  if (made.kind !== 'class' || made.class.parent !== undefined) return undefined
  const fact = made.class
  if (lineage.pairs.some(([, parent]) => parent === fact)) return undefined
  return fact.members.every(({ isStatic, value }) => !isStatic || value?.kind === 'function') ? fact : undefined
}

/** The class that `Row` of `Row.toText` is, of which the function is a static one. */
export function classOf(value: Value): ClassFact | undefined {
  const here = resolveValue(value)
  return here.kind === 'class' ? here.class : undefined
}

function toObject(owner: object, draft: FlowDraft): Omit<FlowObject, 'node'> {
  const {
    calling,
    classes: { lineage, parentOf },
  } = draft
  const known = draft.objects.byOwner.get(owner)
  if (known !== undefined) return known
  const parent = parentOf(owner)
  const methods = [...lineage.allOf(owner)].flatMap(([name, facts]) =>
    facts.flatMap((fact) => {
      const index = calling.functions.get(fact)
      return index === undefined ? [] : [[name, index] as const]
    }),
  )
  const object = { methods, ...(parent !== undefined && { parent }) }
  draft.objects.byOwner.set(owner, object)
  return object
}

/** `run.bind(this)`, `jQuery.proxy(run, this)`. */
function isWrapped({ callee, args }: CallValue): boolean {
  return (
    (callee.kind === 'member' && callee.name === 'bind') ||
    args.some((argument) => functionOf(resolveValue(argument)) !== undefined)
  )
}

/** Adds a function that the file does not write. Gives its index: it comes behind those of the file. */
export function makeFunction(
  made: FlowFunction,
  { calling: { madeFunctions }, facts }: Pick<FlowDraft, 'calling' | 'facts'>,
): number {
  return facts.functions.length + madeFunctions.push(made) - 1
}

/** The same where a node is that function. */
export function addMade(
  node: number,
  { start, end }: Span,
  made: Pick<FlowFunction, 'parameters' | 'result'> & { readonly name?: string },
  draft: FlowDraft,
): void {
  draft.environment.calls.addFunction(node, makeFunction({ name: '', ...made, start, end }, draft), draft)
}

/** Adds that code which is not here calls a function with what the nodes hold. What the function gives back is the node that is returned. */
export function invoke(given: Value, args: readonly number[], draft: FlowDraft): number {
  const { graph, owners, calling } = draft
  const result = graph.add(given)
  // cell || plain
  if (given.kind === 'choice') {
    for (const option of given.options) graph.connect(invoke(option, args, draft), result, COPY)
    return result
  }
  // `run.bind(this, first)`: what is bound comes before
  const bound = given.kind === 'call' && given.callee.kind === 'member' && given.callee.name === 'bind' ? given.args.slice(1) : []
  const all = [...bound.map((value) => draft.use(value)), ...args]
  const targets = owners.functionsBehind(given).flatMap((fact) => calling.functions.get(fact) ?? [])
  if (targets.length > 0) calling.calls.push({ result, args: all, targets })
  else
    calling.calls.push({ result, args: all, targets: [], dispatch: { node: draft.use(given), name: '', ...viaOf(given, draft) } })
  return result
}

/** The parameter that is called: each caller gives it another function. */
export function viaOf(called: Value, { parameters }: FlowDraft): { readonly via?: number } {
  const binding = called.kind === 'reference' && called.binding?.kind === 'parameter' ? called.binding : undefined
  const index = binding?.definitions.length === 1 ? binding.function.parameters.indexOf(binding) : -1
  const via = binding === undefined || index < 0 ? undefined : parameters.nodeOf(binding.function, index)
  return via === undefined ? {} : { via }
}
