import { inEachLanguage } from '../../arguments.ts'
import type { Destination } from '../../model/deployment/index.ts'

const POLICY = inEachLanguage({
  en: '. If the destination exists already, also set "existing_destinations_policy" to "update"',
  fr: '. Si la destination existe déjà, donnez aussi à "existing_destinations_policy" la valeur "update"',
})

/** What a fix adds where a deployment would not change the destination. Fact: SAP BTP Connectivity, "Create Destinations Using the MTA Descriptor" (the default is `fail`). */
export function policyOf({ isKept }: Destination): string {
  return isKept ? POLICY : ''
}
