import { stringOf } from '../../parse/data.ts'
import { placeKey } from './production-settings.ts'
import type { CapRoot, Setting } from './types.ts'

/** Services of CAP itself and of the platform: what they connect to comes from bindings. */
const OWN =
  /^(?:auth|db|kinds|messaging|queue|outbox|middlewares|multitenancy|extensibility|toggles|audit-log|scheduling|cds\.xt\..*)$/

/** Credentials of a service that the application calls, as far as its configuration says them for production. */
export interface RemoteCredentials {
  readonly service: string
  /** Empty where nothing says. */
  readonly kind: string
  /** One of them: `value('url')`. */
  value(...path: string[]): Setting | undefined
}

/** Remote services whose credentials name no destination, once for each place; those settle everything else there. */
export function* remoteCredentials(root: CapRoot): Generator<RemoteCredentials> {
  const seen = new Set<string>()
  for (const configuration of root.productive()) {
    for (const service of configuration.keys('requires')) {
      if (OWN.test(service)) continue
      const value = (...path: string[]): Setting | undefined => configuration.value('requires', service, 'credentials', ...path)
      const credentials = value()
      if (credentials === undefined || value('destination') !== undefined || seen.has(`${service} ${placeKey(credentials)}`))
        continue
      seen.add(`${service} ${placeKey(credentials)}`)
      yield { service, kind: stringOf(configuration.value('requires', service, 'kind')?.node) ?? '', value }
    }
  }
}
