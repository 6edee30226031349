import type { Budget } from '../budget.ts'
import { countLook } from './layers.ts'

/**
 * Providers of weather, exchange rates, maps and the like, whose keys open data that everybody may have: what a stranger gains is the quota of the account.
 * Facts: their "Getting started" pages; the key is a parameter of the address, free plans have no other rights.
 */
const PROVIDERS: readonly string[] = [
  'openweathermap.org',
  'weatherapi.com',
  'weatherbit.io',
  'weatherstack.com',
  'visualcrossing.com',
  'exchangerate.host',
  'exchangerate-api.com',
  'exchangeratesapi.io',
  'openexchangerates.org',
  'currencylayer.com',
  'currencyapi.com',
  'freecurrencyapi.com',
  'currconv.com',
  'fixer.io',
  'newsapi.org',
  'api.nasa.gov',
  'omdbapi.com',
  'geoapify.com',
  'maptiler.com',
  'locationiq.com',
  'opencagedata.com',
  'positionstack.com',
  'mapquestapi.com',
  'api.tomtom.com',
  'thunderforest.com',
  'openrouteservice.org',
  'graphhopper.com',
  'stadiamaps.com',
]

/** The host of an address. */
const ADDRESSES = /https?:\/\/([\w.-]{4,100})/gi
const BEFORE = 200
const BEHIND = 800

/** Whether the address that a key is sent to is one of such a provider: the next one behind it, or else the last one in front of it. */
export function isOfPublicData(text: string, start: number, end: number, budget: Budget): boolean {
  countLook(budget, BEFORE + BEHIND)
  const host =
    firstHost(text.slice(end, end + BEHIND)) ??
    [...text.slice(Math.max(0, start - BEFORE), start).matchAll(ADDRESSES)].at(-1)?.[1]?.toLowerCase()
  return host !== undefined && PROVIDERS.some((provider) => host === provider || host.endsWith(`.${provider}`))
}

/** Longest address of a file that is looked at. */
const LONGEST_ADDRESS = 600

/**
 * `https://firebasestorage.googleapis.com/v0/b/<bucket>/o/<file>?alt=media&token=`: it opens this file alone, for whoever has the address.
 * Fact: Firebase, "Cloud Storage for Web", "Download data via URL" (the token can be revoked in the console).
 */
export function isOfOneFile(text: string, start: number, budget: Budget): boolean {
  countLook(budget, LONGEST_ADDRESS)
  return /https:\/\/firebasestorage\.googleapis\.com\/v0\/b\/[\w.-]{1,200}\/o\/[^\s"'`?]{1,300}\?(?:alt=media&(?:amp;)?)?token=$/.test(
    text.slice(Math.max(0, start - LONGEST_ADDRESS), start),
  )
}

function firstHost(text: string): string | undefined {
  for (const [, host] of text.matchAll(ADDRESSES)) return host?.toLowerCase()
  return undefined
}
