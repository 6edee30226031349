import { isOpen, type Destination } from '../../model/deployment/index.ts'
import type { GradeFacts } from '../../types.ts'

/**
 * What somebody on the way between a destination and its host gets: the credentials that the destination sends, or, where it sends none or only the deployer knows,
 * what is read and written through it, which is not in the project. Fact: SAP BTP Connectivity, "HTTP Destinations" (authentication types).
 */
export function whatTravels({ property }: Destination): Pick<GradeFacts, 'impact' | 'evidence'> {
  const authentication = property('Authentication')?.text.trim() ?? ''
  const sendsNone = authentication === '' || isOpen(authentication) || /^NoAuthentication$/i.test(authentication)
  if (!sendsNone) return { impact: 'takeover' }
  const isSample = SAMPLES.test(property('URL')?.text ?? '')
  return isSample ? { impact: 'bounded', evidence: 'shown' } : { impact: 'data', evidence: 'assumed' }
}

/** Services of example data for everybody, which hold nothing of a project's own. Fact: odata.org, "OData Services" (Northwind, TripPin). */
const SAMPLES = /^https?:\/\/(?:[\w-]{1,60}\.)?odata\.org(?:[:/]|$)/i
