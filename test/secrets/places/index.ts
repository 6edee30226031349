import { writeSample, type Sample } from '../material/sample.ts'
import { ATTACHED_PLACES } from './attached.ts'
import { BUILD_PLACES } from './builds.ts'
import { CLIENT_PLACES } from './clients.ts'
import { CONFIGURATION_PLACES } from './configurations.ts'
import { CORNER_PLACES } from './corners.ts'
import { EVERYDAY_DRAW } from './everyday-draw.ts'
import { EVERYDAY_PLACES } from './everyday.ts'
import { FURTHER_PLACES } from './further.ts'
import { LANGUAGE_PLACES } from './languages.ts'
import { NOTE_PLACES } from './notes.ts'
import { ODD_DRAW } from './odd-draw.ts'
import { PIPELINE_PLACES } from './pipelines.ts'
import { writePlaces, type Places } from './place.ts'
import { PROGRAM_PLACES } from './programs.ts'
import { ATTACHED_QUIET } from './quiet-attached.ts'
import { FURTHER_QUIET } from './quiet-further.ts'
import { SENTENCE_QUIET } from './quiet-sentences.ts'
import { QUIET } from './quiet.ts'
import { RUNTIME_PLACES } from './runtime.ts'
import { SAP_PLACES } from './sap.ts'
import { SCRIPT_PLACES } from './scripts.ts'
import { SENTENCE_PLACES } from './sentences.ts'
import { SETTING_PLACES } from './settings.ts'
import { SHELL_PLACES } from './shell.ts'
import { SYSTEM_PLACES } from './systems.ts'
import { TOOL_PLACES } from './tools.ts'

export const FAMILIES: Readonly<Record<string, Places>> = {
  SAP: SAP_PLACES,
  shell: SHELL_PLACES,
  pipelines: PIPELINE_PLACES,
  settings: SETTING_PLACES,
  scripts: SCRIPT_PLACES,
  languages: LANGUAGE_PLACES,
  further: FURTHER_PLACES,
  'run time': RUNTIME_PLACES,
  tools: TOOL_PLACES,
  programs: PROGRAM_PLACES,
  configurations: CONFIGURATION_PLACES,
  builds: BUILD_PLACES,
  notes: NOTE_PLACES,
  sentences: SENTENCE_PLACES,
  systems: SYSTEM_PLACES,
  clients: CLIENT_PLACES,
  everyday: EVERYDAY_PLACES,
  corners: CORNER_PLACES,
  teams: EVERYDAY_DRAW,
  odd: ODD_DRAW,
  attached: ATTACHED_PLACES,
}

/** Every place with a credential, and the same place without one; beside them what only sounds like one. */
export function writeAllPlaces(seed: string): { readonly planted: Sample[]; readonly twins: Sample[] } {
  const written = Object.entries(FAMILIES).map(([family, places]) => writePlaces(family, places, seed))
  const quiet = Object.entries({ ...QUIET, ...FURTHER_QUIET, ...SENTENCE_QUIET, ...ATTACHED_QUIET }).map(([name, write]) =>
    writeSample('contextual', `quiet: ${name}`, write, seed),
  )
  return { planted: written.flatMap(({ planted }) => planted), twins: [...written.flatMap(({ twins }) => twins), ...quiet] }
}
