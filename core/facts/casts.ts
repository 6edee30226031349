import type { Value } from './types.ts'

/** Methods whose result holds no text of the receiver's choosing. */
const WITHOUT_TEXT = new Set([
  'toFixed',
  'toISOString',
  'getTime',
  'valueOf',
  'indexOf',
  'lastIndexOf',
  'charCodeAt',
  'findIndex',
  'includes',
  'has',
  'test',
  'randomUUID',
  'toPrecision',
  'toExponential',
  'toDateString',
  'toTimeString',
  'toUTCString',
  'toLocaleDateString',
  'toLocaleTimeString',
  'getFullYear',
  'getMonth',
  'getDate',
  'getLength',
  // columns of a result set of XS classic
  'getInteger',
  'getDecimal',
  'getDouble',
  'getReal',
  'getSelectedIndex',
  'startsWith',
  'endsWith',
])
const CASTS = new Set([
  'Number',
  'parseInt',
  'parseFloat',
  'Boolean',
  'BigInt',
  'Date',
  'Number.parseInt',
  'Number.parseFloat',
  'Date.now',
  'Date.parse',
  'crypto.randomUUID',
])
const LENGTHS = new Set(
  'length size byteLength innerWidth innerHeight offsetWidth offsetHeight clientWidth clientHeight scrollWidth scrollHeight scrollTop scrollLeft devicePixelRatio'.split(
    ' ',
  ),
)

/** Whether a value is a number, a boolean or a time whatever it is made of, so that no text gets through: `Number(x)`, `+x`, `x.length`. */
export function isNonText(value: Value): boolean {
  switch (value.kind) {
    case 'operation':
      return true
    case 'member':
      return value.name !== undefined && LENGTHS.has(value.name) && !(value.name === 'size' && isOfRequest(value.object))
    case 'call':
    case 'new': {
      const { callee } = value
      if (callee.kind === 'member' && callee.name !== undefined) {
        if (WITHOUT_TEXT.has(callee.name) && (callee.name !== 'valueOf' || isDate(callee.object))) return true
        if (isDate(callee.object)) return true
      }
      const name = globalName(callee)
      return name !== undefined && (CASTS.has(name) || name.startsWith('Math.'))
    }
    default:
      return false
  }
}

/** `req.data.size`: a field that a client sends. */
function isOfRequest(object: Value): boolean {
  return object.kind === 'member' && /^(?:data|body|query|params)$/.test(object.name ?? '')
}

function isDate(value: Value): boolean {
  return value.kind === 'new' && globalName(value.callee) === 'Date'
}

/** `Math.max` of a global name written out; aliases of these are rare. */
function globalName(callee: Value): string | undefined {
  if (callee.kind === 'reference') return callee.binding === undefined ? callee.name : undefined
  if (callee.kind !== 'member' || callee.name === undefined || callee.object.kind !== 'reference') return undefined
  return callee.object.binding === undefined ? `${callee.object.name}.${callee.name}` : undefined
}
