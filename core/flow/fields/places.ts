import { stringConstantOf, resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import type { Owners } from '../calls/owners.ts'
import type { Place } from './last-writes.ts'
import { storeOfCall } from '../pages/stores.ts'
import { bindingOf } from '../../facts/asked-values.ts'

export interface Places {
  /** Of `this.text`, and of `options.text` where nothing else knows the object. */
  ofMember(value: Value): Place | undefined
  /** Of `model.getProperty("/text")`, `localStorage.getItem("text")`. */
  ofReading(call: CallValue): Place | undefined
  /** Of the same with a value; of `model.setData(…)` the whole model. */
  ofWriting(call: CallValue): { readonly place: Place; readonly value: Value | undefined } | undefined
  /** What holds the path of a model, or a field of an object, where that is made. */
  below(holder: Binding, name: string): Place
  field(owner: object, name: string): Place
  functionOf(value: Value): FunctionFact | undefined
}

/** Ends the key of a place that is a whole model. */
export const WHOLE = '/'
const READING: ReadonlySet<string> = new Set(['getProperty', 'getItem', 'get'])
const WRITING: ReadonlySet<string> = new Set(['setProperty', 'setItem', 'put'])

export function createPlaces(owners: Owners): Places {
  const indexes = new Map<object, number>()
  const indexOf = (owner: object): number => {
    const index = indexes.get(owner) ?? indexes.size
    indexes.set(owner, index)
    return index
  }
  const field = (owner: object, name: string): Place => ({ key: `this ${indexOf(owner)} ${name}`, name, holder: undefined })
  const ofPath = ({ callee, args: [path] }: CallValue): Place | undefined => {
    const text = stringConstantOf(path)
    if (callee.kind !== 'member' || text === undefined) return undefined
    const { object } = callee
    const made = resolveValue(object)
    const store = made.kind === 'call' ? storeOfCall(made) : undefined
    if (store !== undefined)
      return store.path.length > 0 ? undefined : { key: `${store.store} ${toPath(text)}`, name: '', holder: bindingOf(object) }
    const holder = bindingOf(object)
    if (holder !== undefined) return { key: `held ${holder.start} ${toPath(text)}`, name: '', holder }
    return object.kind === 'reference' ? { key: `global ${object.name} ${text}`, name: '', holder: undefined } : undefined
  }
  return {
    field,
    below: (holder, name) =>
      holder.definitions[0]?.value?.kind === 'object'
        ? { key: `object ${holder.start} ${name}`, name, holder }
        : { key: `held ${holder.start} ${toPath(name)}`, name: '', holder },
    ofMember(value) {
      if (value.kind !== 'member' || value.name === undefined) return undefined
      const owner = owners.ownerBehind(value.object)
      if (owner !== undefined) return field(owner, value.name)
      const holder = bindingOf(value.object)
      const isOwn = holder !== undefined && !holder.isCaptured && holder.definitions.length === 1
      return isOwn && holder.definitions[0]?.value?.kind === 'object'
        ? { key: `object ${holder.start} ${value.name}`, name: value.name, holder }
        : undefined
    },
    ofReading: (call) =>
      call.callee.kind === 'member' && READING.has(call.callee.name ?? '') && call.args.length > 0 ? ofPath(call) : undefined,
    ofWriting(call) {
      const { callee, args } = call
      if (callee.kind !== 'member' || callee.name === undefined || args.length === 0) return undefined
      if (WRITING.has(callee.name) && args.length > 1) {
        const place = ofPath(call)
        return place && { place, value: args[1] }
      }
      const holder = callee.name === 'setData' && args.length === 1 ? bindingOf(callee.object) : undefined
      return holder && { place: { key: `held ${holder.start} ${WHOLE}`, name: '', holder }, value: undefined }
    },
    functionOf(value) {
      if (value.kind === 'call') return value.function
      if (value.kind !== 'member') return undefined
      return value.object.kind === 'this' ? value.object.function : bindingOf(value.object)?.function
    },
  }
}

/** `/text` of `text`, `/text`, `model>/text`. */
function toPath(text: string): string {
  return `/${text.slice(text.indexOf('>') + 1).replace(/^\//, '')}`
}
