import { elementPaths, toWords, type CapElement } from '../../../model/cap/index.ts'
import type { CdsValue } from '../../../parse/cds/index.ts'
import { isNamed } from './state-handlers.ts'
import type { SetState } from '../_rows/unchecked-states.ts'

/** What a condition of the model names: paths to elements, and constants. */
interface Named {
  readonly paths: readonly string[]
  readonly constants: readonly string[]
}

/**
 * Pages offer an action by the state that it sets, and for some rows in another state do not.
 * Facts: capire, "Serving Fiori UIs", and the vocabulary Core of OASIS (`OperationAvailable` tells clients whether an action is available);
 * @sap/cds 9.9.3 and 10.1.1 do not read it when the action is called.
 */
export function isOffered({ annotations }: CapElement, entity: CapElement, { element, words }: SetState): boolean {
  const members = new Set(entity.members().map(({ name }) => name))
  // records are known by their members: Core.OperationAvailable.$edmJson.$Eq
  const own = [...annotations].filter(([name]) => name.startsWith('Core.OperationAvailable'))
  return own.some(([name, { value }]) => {
    const { paths, constants } = namedIn(value, name)
    if (!paths.some((path) => isState(path, element, members))) return false
    const isForOthers = constants.every((word) => words.includes(toWords(word).toLowerCase()))
    // rows that have the state already would only get it again
    return !(isForOthers && isDifferent(name, value))
  })
}

/** `in/status`, `_it/status_code`, `status.code`; the state of another row (`parent/status`) is none. */
function isState(path: string, element: string, members: ReadonlySet<string>): boolean {
  const [first = '', ...others] = path.split(/[./]/)
  const own = (others.length === 0 || members.has(first) ? [first, ...others] : others).join('_')
  return isNamed(own, element) || isNamed(element, own)
}

/** All that it asks is whether something is not so. */
function isDifferent(name: string, value: CdsValue): boolean {
  if (value.kind !== 'expression') return name.endsWith('.$Ne')
  const { text } = value.expression
  return /!=|<>/.test(text) && !/(?:^|[^!<>=])=|\bin\b/.test(text)
}

function namedIn(value: CdsValue, key: string): Named {
  switch (value.kind) {
    case 'expression': {
      const { expression } = value
      return { paths: elementPaths(expression).map(({ path }) => path), constants: constantsOf(expression.text) }
    }
    case 'path':
      return { paths: [value.text], constants: [] }
    case 'symbol':
      return { paths: [], constants: [value.text] }
    case 'string':
      return key.endsWith('$Path')
        ? { paths: [String(value.value)], constants: [] }
        : { paths: [], constants: [String(value.value)] }
    case 'array':
      return joined(value.items.map((item) => namedIn(item, '')))
    case 'object':
      return joined(value.members.map((member) => namedIn(member.value, member.key)))
    default:
      return { paths: [], constants: [] }
  }
}

function joined(parts: readonly Named[]): Named {
  return { paths: parts.flatMap(({ paths }) => paths), constants: parts.flatMap(({ constants }) => constants) }
}

function constantsOf(text: string): readonly string[] {
  return [...text.matchAll(/'([^']{0,100})'|#(\w{1,100})/g)].map(([, quoted, symbol]) => quoted ?? symbol ?? '')
}
