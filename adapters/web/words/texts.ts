import { signal } from '@preact/signals'
import type { Locale } from '../../../core/index.ts'
import type { Word } from './en.ts'

export type Texts = Readonly<Record<Word, string>>

/** The texts of the languages that are loaded. A language is a file of its own: the first view waits for no other. */
export const texts = signal<Readonly<Partial<Record<Locale, Texts>>>>({})

/** Loads the texts of a language; rejects where they can't be had. */
export async function loadTexts(locale: Locale): Promise<void> {
  if (texts.peek()[locale] !== undefined) return
  const loaded = locale === 'fr' ? (await import('./fr.ts')).FR : (await import('./en.ts')).EN
  texts.value = { ...texts.peek(), [locale]: loaded }
}
