import { createDraw, type Draw } from './draw.ts'

export type Kind = 'structured' | 'contextual' | 'generic'

/** One file of a project with what is to be found in it; with nothing to be found, a safe twin. */
export interface Sample {
  readonly kind: Kind
  readonly name: string
  readonly path: string
  readonly text: string
  readonly secrets: readonly Planted[]
  /** A value that everybody knows: telling it as LOW is no alarm. */
  readonly demo: boolean
}

export interface Planted {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** What a writer of samples draws from. */
export interface Pen extends Draw {
  /** A credential that is to be found where it is written. */
  put(written: string): string
  /** A password, by a person or a generator. */
  password(): string
  user(): string
  host(): string
}

/** Writes a file: its path below a folder of its own, and its text. */
export type Write = (pen: Pen) => readonly [path: string, text: string]
export type Writers = Readonly<Record<string, Write>>

// from the private use area: no escape of JSON, XML or shells touches them
const OPEN = '\uE000'
const CLOSE = '\uE001'

const USERS = [
  'SRV_ORDERS',
  'COMM_USER',
  'TECH_INT',
  'alice.miller',
  'svc-deploy',
  'DBADMIN',
  'ORDERS_RT',
  'p2001234567',
  'integration',
]
const HOSTS = [
  'erp.corp.cloud',
  's4.contoso.cloud',
  'orders.cfapps.eu10.hana.ondemand.com',
  'api.fabrikam.io',
  'my300100.s4hana.ondemand.com',
]

/** Writes a sample; the same one for the same seed. */
export function writeSample(kind: Kind, name: string, write: Write, seed: string, demo = false): Sample {
  const draw = createDraw(`${kind} ${name} ${seed}`)
  const pen: Pen = {
    ...draw,
    put: (written) => `${OPEN}${written}${CLOSE}`,
    password: () => draw.one([draw.human, draw.generated])(),
    user: () => draw.one(USERS),
    host: () => draw.one(HOSTS),
  }
  const [path, marked] = write(pen)
  return { kind, name, path, ...readMarks(marked), demo }
}

function readMarks(marked: string): Pick<Sample, 'text' | 'secrets'> {
  const secrets: Planted[] = []
  let text = ''
  let rest = marked
  for (;;) {
    const open = rest.indexOf(OPEN)
    const close = rest.indexOf(CLOSE)
    if (open === -1 || close === -1) return { text: text + rest, secrets }
    const value = rest.slice(open + 1, close)
    text += rest.slice(0, open)
    secrets.push({ value, start: text.length, end: text.length + value.length })
    text += value
    rest = rest.slice(close + 1)
  }
}
