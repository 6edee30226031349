import { writeSample, type Pen, type Sample } from '../material/sample.ts'

/** A place in which projects hold credentials: one text, with a credential in it or with what stands there in a project that keeps none. */
export type Place = (pen: PlacePen) => readonly [path: string, text: string]
export type Places = Readonly<Record<string, Place>>

export interface PlacePen extends Pen {
  /** The credential as it is written, marked with `put`; in the safe twin one of the others. */
  either(written: string, ...safe: readonly string[]): string
  /** A password, or one of the safe texts. */
  hide(...safe: readonly string[]): string
  /** Random letters and digits, or one of the safe texts. */
  key(...safe: readonly string[]): string
}

export function writePlaces(family: string, places: Places, seed: string): { planted: Sample[]; twins: Sample[] } {
  const write = (isSafe: boolean): Sample[] =>
    Object.entries(places).map(([name, place]) =>
      writeSample('contextual', `${family}: ${name}${isSafe ? ', safe' : ''}`, (pen) => place(toPlacePen(pen, isSafe)), seed),
    )
  return { planted: write(false), twins: write(true) }
}

function toPlacePen(pen: Pen, isSafe: boolean): PlacePen {
  const either = (written: string, ...safe: readonly string[]): string => (isSafe ? pen.one(safe) : written)
  return {
    ...pen,
    either,
    hide: (...safe) => either(pen.put(pen.password()), ...safe),
    key: (...safe) => either(pen.put(pen.random()), ...safe),
  }
}

/** A file of JSON. */
export const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`

/** A password of letters and digits, as configuration writes it. */
export const word = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(pen.put(pen.generated()), ...safe)

/** A password in double quotes. */
export const text = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.password())}"`, ...safe)

/** A password in single quotes, as scripts write it. */
export const js = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`'${pen.put(pen.password())}'`, ...safe)

/** A key in single quotes. */
export const jsKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`'${pen.put(pen.random())}'`, ...safe)

/** The secret of a service binding. */
export const binding = (pen: PlacePen, ...safe: readonly string[]): string =>
  pen.either(pen.put(pen.shape('{g}${u43}=')), ...safe)
