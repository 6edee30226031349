import { accessOf, isChecked, isConstant, isOfFormWith, type Guarded, type Value } from '../../facts/index.ts'
import { PASSING, PASSING_METHODS } from '../tables/propagators.ts'
import { pathsOfCallee } from './callees.ts'
import { decodingOf } from './decoding.ts'

/** Values looked at for one answer: what is made of more is no path or name. */
const MAX_VISITS = 40

/** `const file = join(folder, name)` above `if (!NAMES.includes(name)) return`: all that it is made of is constant, or was checked before it is used. */
export function isMadeOfChecked(guarded: Guarded, value: Value): boolean {
  const made = madeOf(value)
  if (made === undefined) return false
  const open: Value[] = [made]
  let isAnyChecked = false
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) return isAnyChecked
    if (isChecked(guarded, here, value.start)) isAnyChecked = true
    else if (here.kind === 'template' || here.kind === 'concat') open.push(...here.parts)
    else if (isDecodedBehind(guarded, here, value.start)) return false
    else if (here.kind === 'call' && pathsOfCallee(here.callee).some((path) => PASSING.has(path))) open.push(...here.args)
    else if (here.kind === 'call' && here.callee.kind === 'member' && PASSING_METHODS.has(here.callee.name ?? ''))
      open.push(here.callee.object, ...here.args)
    else if (!isOfCode(here) && !isConstant(here)) {
      const behind = madeOf(here)
      if (behind === undefined) return false
      open.push(behind)
    }
  }
  return false
}

/** What was checked before it was decoded may be anything: `decodeURIComponent(name)` behind a pattern that lets `%` through. */
function isDecodedBehind(guarded: Guarded, here: Value, offset: number): boolean {
  if (here.kind !== 'call') return false
  const decoding = decodingOf(here)
  const [given] = here.args
  return decoding === 'bytes' || (decoding === 'escapes' && given !== undefined && isOfFormWith(guarded, given, offset, '%'))
}

/** What a name is given, once. */
function madeOf(value: Value): Value | undefined {
  const definitions = value.kind === 'reference' ? (value.binding?.definitions ?? []) : []
  const [only] = definitions
  const isWhole = definitions.length === 1 && only?.path.length === 0 && (only.kind === 'init' || only.kind === 'assign')
  return isWhole ? only.value : undefined
}

/** `__dirname`, `cds.root`, `path`: what the server itself brings along. */
function isOfCode(value: Value): boolean {
  const root = accessOf(value)?.root
  return root?.startsWith('module:') === true || (root?.startsWith('global:') === true && root !== 'global:$')
}
