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
