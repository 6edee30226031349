import { accessOf, isConstant, type Guard, type Value } from '../../facts/index.ts'
import { isAllowed, proves } from '../../conditions/constraint.ts'
import { PASSING, PASSING_METHODS } from '../tables/propagators.ts'
import { pathsOfCallee } from '../calls/callees.ts'
import { decodingOf } from './decoding.ts'
import type { CheckingScript } from '../graph/input.ts'
import { provedAt } from './proofs.ts'

/** Values looked at for one answer: what is made of more is no path or name. */
const MAX_VISITS = 40

/** `const file = join(folder, name)` above `if (!NAMES.includes(name)) return`: all that it is made of is constant, or was checked before it is used. */
export function isMadeOfChecked(
  guards: readonly Guard[],
  value: Value,
  script: Pick<CheckingScript, 'realm' | 'parts'>,
): boolean {
  const made = madeOf(value)
  if (made === undefined) return false
  const open: Value[] = [made]
  let isAnyChecked = false
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    const here = open.pop()
    if (here === undefined) return isAnyChecked
    const proofs = provedAt({ ...here, start: value.start, end: value.start }, guards, script)
    if (proofs.some(isAllowed)) isAnyChecked = true
    else if (here.kind === 'template' || here.kind === 'concat') open.push(...here.parts)
    else if (isDecodedBehind(here, value.start, guards, script)) return false
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
function isDecodedBehind(
  here: Value,
  offset: number,
  guards: readonly Guard[],
  script: Pick<CheckingScript, 'realm' | 'parts'>,
): boolean {
  const decoding = here.kind === 'call' ? decodingOf(here) : undefined
  const [given] = here.kind === 'call' ? here.args : []
  if (decoding !== 'escapes' || given === undefined) return decoding === 'bytes'
  const proofs = provedAt({ ...given, start: offset, end: offset }, guards, script)
  return proves(proofs, 'form') && !proofs.some(({ kind, text }) => kind === 'lacks' && text === '%')
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
