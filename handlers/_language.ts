import type { H3Event } from 'h3'
import { LOCALES, type Locale } from '../core/index.ts'

// a header of any length is one of a few ranges
const MAX_RANGES = 50
const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

/** The language of an answer: `?lang=` wins where it is known, then Accept-Language by quality (RFC 9110, 12.5.4), then the default. */
export function pickLocale(event: H3Event, fallback: Locale): Locale {
  const asked = event.url.searchParams.get('lang')
  return LOCALES.find((locale) => locale === asked) ?? negotiateLocale(event.req.headers.get('accept-language') ?? '', fallback)
}

/** Says in the answer which language it has, so that no cache gives it to the next one. */
export function setLanguage(event: H3Event, locale: Locale): void {
  event.res.headers.set('content-language', locale)
  event.res.headers.set('vary', 'Accept-Language')
}

export function negotiateLocale(header: string, fallback: Locale): Locale {
  const ranges = header
    .split(',', MAX_RANGES)
    .map(parseRange)
    .filter((range) => range !== undefined)
  let best: { locale: Locale; quality: number; position: number } | undefined
  // the default comes first, so that it wins where the client has no preference
  for (const locale of [fallback, ...LOCALES.filter((other) => other !== fallback)]) {
    const { quality, position } = rateLocale(locale, ranges)
    if (quality === 0) continue
    if (best === undefined || quality > best.quality || (quality === best.quality && position < best.position)) {
      best = { locale, quality, position }
    }
  }
  return best?.locale ?? fallback
}

interface LanguageRange {
  readonly tag: string
  readonly quality: number
}

function parseRange(text: string): LanguageRange | undefined {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return tag !== '' && QUALITY.test(weight) ? { tag, quality: Number(weight) } : undefined
}

/** The most specific range decides: the language itself, then the best of its regions (`fr-CA` is content with `fr`), then `*`. */
function rateLocale(locale: Locale, ranges: readonly LanguageRange[]): { quality: number; position: number } {
  for (const matches of [
    (tag: string) => tag === locale,
    (tag: string) => tag.startsWith(`${locale}-`),
    (tag: string) => tag === '*',
  ]) {
    const qualities = ranges.filter(({ tag }) => matches(tag)).map(({ quality }) => quality)
    if (qualities.length > 0) return { quality: Math.max(...qualities), position: ranges.findIndex(({ tag }) => matches(tag)) }
  }
  return { quality: 0, position: ranges.length }
}
