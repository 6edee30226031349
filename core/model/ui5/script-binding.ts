import { constantOf, stringConstantOf, pathOf } from '../../facts/index.ts'
import type { ObjectValue, Value } from '../../facts/types.ts'
import { parseBinding, toPath } from './binding.ts'
import type { Binding, BindingPath } from './binding.ts'

/** A binding that a script writes; `formatter` is a function of its own. */
export interface ScriptBinding {
  readonly binding: Binding
  readonly formatter: Value | undefined
}

/** A property's value in a constructor: text as in a view, or an object with `path` or `parts`. Undefined: no binding, but a value. */
export function readSetting(value: Value): ScriptBinding | undefined {
  if (value.kind === 'object') return readInfo(value)
  const text = stringConstantOf(value)
  if (text === undefined) return undefined
  const binding = parseBinding(text)
  return binding.kind === 'bound' ? { binding, formatter: undefined } : undefined
}

/** The second argument of `bindProperty`: a path, or an object; behind a path may follow a formatter. */
export function readPath(value: Value, given?: Value): ScriptBinding | undefined {
  if (value.kind === 'object') return readInfo(value)
  const text = stringConstantOf(value)
  if (text === undefined) return undefined
  // a mode of binding is no formatter
  if (given !== undefined && constantOf(given) === undefined && !isMode(given)) return toInfo([toPath(text)], given, undefined)
  return { binding: { kind: 'bound', parts: [{ kind: 'path', ...toPath(text) }], before: '' }, formatter: undefined }
}

/** `sap.ui.model.BindingMode.OneWay` */
function isMode(value: Value): boolean {
  return /^One(?:Way|Time)$|^TwoWay$|^Default$/.test((value.kind === 'member' ? value.name : undefined) ?? '')
}

function readInfo(info: ObjectValue): ScriptBinding | undefined {
  const paths = pathsOf(info)
  return paths && toInfo(paths, fieldOf(info, 'formatter'), fieldOf(info, 'type'))
}

function toInfo(paths: readonly BindingPath[], formatter: Value | undefined, type: Value | undefined): ScriptBinding {
  const name = formatter && typeName(formatter)
  // a method beside it, too
  const isMethod = formatter?.kind === 'member' && formatter.object.kind === 'this'
  const own = formatter?.kind === 'function' || isMethod ? formatter : undefined
  return {
    binding: {
      kind: 'bound',
      parts: [{ kind: 'info', paths, formatter: own === undefined ? name : undefined, type: type && typeName(type) }],
      before: '',
    },
    formatter: own,
  }
}

function pathsOf(info: ObjectValue): readonly BindingPath[] | undefined {
  const model = stringConstantOf(fieldOf(info, 'model'))
  const withModel = (path: BindingPath): BindingPath =>
    model === undefined || path.model !== '' ? path : { model, path: path.path }
  const path = fieldOf(info, 'path')
  if (path !== undefined) return [withModel(toPath(stringConstantOf(path) ?? ''))]
  const parts = fieldOf(info, 'parts')
  if (parts?.kind !== 'array') return undefined
  return parts.items.flatMap((item) => (item.kind === 'object' ? partPaths(item) : [toPath(stringConstantOf(item) ?? '')]))
}

function partPaths(part: ObjectValue): readonly BindingPath[] {
  const paths = pathsOf(part) ?? []
  const type = fieldOf(part, 'type')
  return type === undefined ? paths : paths.map((path) => ({ ...path, type: typeName(type) }))
}

/** `"sap.ui.model.type.Integer"`, `new Integer()` of that module, `.formatter.text`, `formatter.text`: with dots. */
function typeName(value: Value): string {
  const text = stringConstantOf(value)
  if (text !== undefined) return text
  const path = pathOf(value.kind === 'new' ? value.callee : value) ?? []
  return path.join('.').replace(/^\w+:/u, '').replaceAll('/', '.')
}

function fieldOf(object: ObjectValue, key: string): Value | undefined {
  return object.fields.findLast((field) => field.key === key)?.value
}
