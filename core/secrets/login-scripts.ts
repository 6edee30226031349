import type { Budget } from '../budget.ts'
import { isInvented } from './invented.ts'
import { countLook } from './layers.ts'
import { isDrawn } from './made-up.ts'
import { classifyHost } from './values.ts'

/** Scripts that people run by hand: those of JavaScript are mostly tests with values that they make up. */
const SCRIPT = /\.(?:py|sh|bash|ps1|rb|pl|bat|cmd)$/i
/** Frameworks of tests, which answer a login themselves. */
const TEST = /\b(?:unittest|pytest|mock|responses\.(?:add|activate)|bats)\b/
const SHORTEST = 20
const REACH = 20_000
/** Hosts of one tenant. Facts: SAP Help Portal, "SAP S/4HANA Cloud" and "SAP BTP, Regions". */
const OF_TENANT =
  /https:\/\/((?:[\w-]{1,63}\.){1,4}(?:s4hana\.cloud\.sap|s4hana\.ondemand\.com|hana\.ondemand\.com|crm\.ondemand\.com|successfactors\.(?:com|eu)|cloud\.sap))(?=[:/"'\s])/gi

/** The value of a name in a script. */
interface NamedValue {
  readonly name: string
  readonly value: string
  readonly start: number
}

/**
 * Whether a script logs on to a tenant of an SAP cloud with a password that was drawn: `URL = "https://my300000-api.s4hana.cloud.sap/…"`, `session.auth = (USER, PASSWORD)`.
 * Wherever it lies, it is run as it is.
 */
export function logsOnToTenant(path: string, text: string, { name, value, start }: NamedValue, budget: Budget): boolean {
  if (!SCRIPT.test(path) || value.length < SHORTEST || !isDrawn(value) || isInvented(value)) return false
  const reach = text.slice(Math.max(0, start - REACH), start + REACH)
  countLook(budget, reach.length * 3)
  return (
    !TEST.test(reach) &&
    [...reach.matchAll(PAIRS)].some(([, python, basic, shell]) => [python, basic, shell].includes(name)) &&
    [...reach.matchAll(OF_TENANT)].some(([, host = '']) => classifyHost(host) === 'public')
  )
}

/** `auth = (USER, PASSWORD)`, `HTTPBasicAuth(USER, PASSWORD)`, `-u "$USER:$PASSWORD"`: both by their names. */
const PAIRS =
  /\bauth\s{0,4}=\s{0,4}\(\s{0,4}[A-Za-z_]\w{0,60}\s{0,4},\s{0,4}([A-Za-z_]\w{0,60})\s{0,4}\)|\bAuth\w{0,20}\(\s{0,4}[A-Za-z_]\w{0,60}\s{0,4},\s{0,4}([A-Za-z_]\w{0,60})\s{0,4}\)|\s(?:-u|--user)\s{0,4}["']?\$\{?\w{1,60}\}?:\$\{?(\w{1,60})\}?/g
