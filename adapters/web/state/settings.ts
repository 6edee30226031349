import { effect, signal } from '@preact/signals'
import { LOCALES } from '../../../core/scales.ts'
import type { Locale } from '../../../core/index.ts'
import { loadTexts } from '../words/texts.ts'

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]

const root = document.documentElement
const darkWanted = matchMedia('(prefers-color-scheme: dark)')
const contrastWanted = matchMedia('(prefers-contrast: more)')

/** A private window may refuse storage: the choice then lasts as long as the page. */
export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`parapet.${name}`)
  } catch {
    return null
  }
}

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`parapet.${name}`, value)
  } catch {
    // see above
  }
}

const toLocale = (text: string | null): Locale | undefined => LOCALES.find((locale) => locale === text)

/** The address wins, then what was chosen before, then what the server negotiated. */
export const locale = signal<Locale>(
  toLocale(new URLSearchParams(location.search).get('lang')) ?? toLocale(recall('locale')) ?? toLocale(root.lang) ?? 'en',
)
export const theme = signal<Theme>(THEMES.find((name) => name === recall('theme')) ?? 'system')
/** Single-key shortcuts can be turned off (WCAG 2.2, 2.1.4). */
export const shortcuts = signal(recall('shortcuts') !== 'off')

function showTheme(): void {
  const dark = theme.value === 'dark' || (theme.value !== 'light' && darkWanted.matches)
  const contrast = theme.value === 'contrast' || (theme.value === 'system' && contrastWanted.matches)
  root.dataset['theme'] = contrast ? (dark ? 'contrast-dark' : 'contrast-light') : dark ? 'dark' : 'light'
}

effect(() => {
  root.lang = locale.value
})
effect(showTheme)
darkWanted.addEventListener('change', showTheme)
contrastWanted.addEventListener('change', showTheme)

/** Changes the language once its texts are there; where they can't be had, the page stays as it is. */
export async function chooseLocale(chosen: Locale): Promise<void> {
  const isLoaded = await loadTexts(chosen).then(
    () => true,
    () => false,
  )
  if (!isLoaded) return
  locale.value = chosen
  remember('locale', chosen)
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  remember('theme', chosen)
}

export function chooseShortcuts(on: boolean): void {
  shortcuts.value = on
  remember('shortcuts', on ? 'on' : 'off')
}
