import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findHandlers } from '../../../model/cap/index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'

/** The names of prices in a script, and the services whose handlers it registers. */
export interface PriceNames {
  readonly names: readonly string[]
  /** None where it registers no handler, as what others load. */
  readonly services: readonly { readonly service: string | undefined; readonly isConnected: boolean }[]
}

/** Scripts that do anything with prices. */
export const priceNames: Extract<PriceNames> = defineExtract({
  name: 'cap-price-names',
  keywords: ['price', 'cost'],
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    step(text.length >> 8)
    const names = [...new Set([...text.matchAll(NAMES)].map(([name]) => name.toLowerCase()))]
    if (names.length === 0) return
    const services = new Map<string | undefined, { readonly service: string | undefined; readonly isConnected: boolean }>()
    for (const { service } of findHandlers(facts))
      services.set(service.name, { service: service.name, isConnected: service.kind === 'connected' })
    yield { names, services: [...services.values()] }
  },
})

const NAMES = /\b[a-z_]{0,20}(?:price|cost)s?\b/gi
