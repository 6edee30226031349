import type { Localized } from '../types.ts'

/** How the steps of a flow are worded, for all rules on flow. */
export const FLOW_STEPS: Localized<Readonly<Record<string, string>>> = {
  en: {
    source: '{part} is chosen by the client.',
    call: 'The value is passed to {name}.',
    return: '{name} returns the value.',
    step: 'The value goes on here.',
    sink: '{sink} receives the value.',
  },
  fr: {
    source: '{part} est choisi par le client.',
    call: 'La valeur est transmise à {name}.',
    return: '{name} renvoie la valeur.',
    step: 'La valeur continue ici.',
    sink: '{sink} reçoit la valeur.',
  },
}
