import { resolveValue, type Binding, type CallValue, type Value } from '../../facts/index.ts'
import { isFramework } from '../calls/modules.ts'

/** What code writes and reads: a field of an object, a path of a model. */
export interface Place {
  /** The same for the same place. */
  readonly key: string
  /** The name of a field; '' of what only calls read. */
  readonly name: string
  /** The name that holds the object or the model. */
  readonly holder: Binding | undefined
}

/** Methods of controllers, views and components that only give something. Facts: API of sap.ui.core.mvc.Controller and View; `getModel` and others of base controllers as SAP's templates write them. */
const GIVING =
  /^(?:byId|createId|getView|getId|getModel|getOwnerComponent|getRouter|getResourceBundle|getText|getProperty|setModel|setProperty|setData|setItem|put|setSizeLimit|setDefaultBindingMode)$/

/** Whether a call neither reads a place nor runs code that may. Code that stands elsewhere sees fields of `this`, and models that a view has. */
export function isSilent({ callee, args }: CallValue, { holder, key }: Place): boolean {
  if (callee.kind === 'super') return true
  if (callee.kind === 'member') {
    const { object, name = '' } = callee
    // Controller.prototype.onInit.apply(this, arguments)
    if ((name === 'apply' || name === 'call') && isOfFramework(object)) return true
    if ((object.kind === 'this' || object.kind === 'super') && !GIVING.test(name)) return false
    if (holder !== undefined && object.kind === 'reference' && object.binding === holder && !GIVING.test(name)) return false
  }
  const isSetting = callee.kind === 'member' && callee.name === 'setModel'
  return args.every((argument) => isHarmless(argument, holder, isSetting || !key.startsWith('this ')))
}

/** What a function cannot reach the place by. */
function isHarmless(argument: Value, holder: Binding | undefined, mayTakeThis: boolean): boolean {
  if (argument.kind === 'function') return false
  if (argument.kind === 'this') return mayTakeThis
  if (argument.kind === 'spread') return isHarmless(argument.value, holder, mayTakeThis)
  if (argument.kind !== 'reference') return true
  if (resolveValue(argument).kind === 'function') return false
  return holder === undefined || argument.binding !== holder
}

function isOfFramework(value: Value): boolean {
  let here = value
  while (here.kind === 'member') here = here.object
  const source = here.kind === 'reference' ? here.binding?.module?.source : undefined
  return source !== undefined && isFramework(source)
}
