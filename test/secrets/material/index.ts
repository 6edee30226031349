import { CODE_CONTEXTUAL } from './contextual-code.ts'
import { FORM_CONTEXTUAL, FORM_TWINS } from './contextual-forms.ts'
import { MORE_CONTEXTUAL, MORE_TWINS } from './contextual-more.ts'
import { OTHER_CONTEXTUAL, OTHER_TWINS } from './contextual-others.ts'
import { SAP_CONTEXTUAL } from './contextual-sap.ts'
import { TOOL_CONTEXTUAL } from './contextual-tools.ts'
import { createDraw } from './draw.ts'
import { writeGeneric, writeGenericTwins } from './generic.ts'
import { writeSample, type Sample, type Writers } from './sample.ts'
import { writeStructured, writeStructuredTwins } from './structured.ts'
import { DEMO_TWINS, SAP_TWINS } from './twins-sap.ts'
import { TOOL_TWINS } from './twins-tools.ts'

const GENERIC_EACH = 300

/** What is to be found, and what is to stay silent: the same for the same seed. */
export function writeMaterial(seed: string): { readonly planted: Sample[]; readonly twins: Sample[] } {
  const draw = createDraw(`material ${seed}`)
  return {
    planted: [
      ...writeStructured(seed, draw),
      ...writeAll(
        {
          ...SAP_CONTEXTUAL,
          ...TOOL_CONTEXTUAL,
          ...CODE_CONTEXTUAL,
          ...MORE_CONTEXTUAL,
          ...FORM_CONTEXTUAL,
          ...OTHER_CONTEXTUAL,
        },
        seed,
      ),
      ...writeGeneric(seed, draw, GENERIC_EACH),
    ],
    twins: [
      ...writeStructuredTwins(seed, draw),
      ...writeAll({ ...SAP_TWINS, ...TOOL_TWINS, ...MORE_TWINS, ...FORM_TWINS, ...OTHER_TWINS }, seed),
      ...writeAll(DEMO_TWINS, seed, true),
      ...writeGenericTwins(seed, draw, GENERIC_EACH),
    ],
  }
}

function writeAll(writers: Writers, seed: string, demo = false): Sample[] {
  return Object.entries(writers).map(([name, write]) => writeSample('contextual', name, write, seed, demo))
}
