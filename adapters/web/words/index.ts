import { pluralForm } from '../../../core/report/plural-form.ts'
import { LOCALES } from '../../../core/scales.ts'
import { locale } from '../state/settings.ts'
import type { Word } from './en.ts'
import { texts } from './texts.ts'

export type { Word } from './en.ts'

/** A text in the language of the page, its placeholders filled; of two forms the one that `n` (or `total`, where it has one) asks for. */
export function say(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const language = locale.value
  const number = values['total'] ?? values['n']
  const text = pluralForm(texts.value[language]?.[word] ?? '', typeof number === 'number' ? number : undefined, language)
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : typeof value === 'number' ? formatNumber(value) : value
  })
}

const isWord = (key: string): key is Word => Object.hasOwn(texts.value[locale.value] ?? {}, key)

/** The text of a value that the server gives: `level_HIGH`. One that the page does not know stands as it is. */
export function sayOf(family: string, value: string): string {
  const key = `${family}_${value}`
  return isWord(key) ? say(key) : value
}

/** One for each language: to make them costs more than all that a table writes with them. */
const numbers = new Map(LOCALES.map((name) => [name, new Intl.NumberFormat(name, { maximumFractionDigits: 1 })]))
const dates = new Map(LOCALES.map((name) => [name, new Intl.DateTimeFormat(name, { dateStyle: 'medium', timeStyle: 'short' })]))

export const formatNumber = (value: number): string => numbers.get(locale.value)?.format(value) ?? ''

export const formatPercent = (share: number): string => new Intl.NumberFormat(locale.value, { style: 'percent' }).format(share)

export function formatSize(bytes: number): string {
  const units = locale.value === 'fr' ? ['octets', 'Kio', 'Mio', 'Gio'] : ['bytes', 'KiB', 'MiB', 'GiB']
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${formatNumber(value)}\u00a0${units[unit] ?? ''}`
}

export function formatDate(text: string): string {
  const date = new Date(text)
  if (Number.isNaN(date.valueOf())) return text
  return dates.get(locale.value)?.format(date) ?? ''
}

/** A day, whatever the place of the reader. */
export const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

const AGES: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** How long ago, for what happened in the last month. */
export function formatAge(text: string): string {
  const seconds = Math.round((Date.now() - new Date(text).valueOf()) / 1000)
  if (seconds > 30 * 86_400) return formatDate(text)
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: 'auto' })
  for (const [unit, size] of AGES) if (seconds >= size) return format.format(-Math.floor(seconds / size), unit)
  return format.format(0, 'second')
}

export function formatDuration(milliseconds: number): string {
  const style = { style: 'unit', unitDisplay: 'long', maximumFractionDigits: 1 } as const
  const [value, unit] =
    milliseconds >= 86_400_000
      ? [milliseconds / 86_400_000, 'day']
      : milliseconds >= 60_000 && milliseconds % 60_000 === 0
        ? [milliseconds / 60_000, 'minute']
        : [milliseconds / 1000, 'second']
  return new Intl.NumberFormat(locale.value, { ...style, unit: String(unit) }).format(Number(value))
}
