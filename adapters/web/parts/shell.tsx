import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { LOCALES } from '../../../core/scales.ts'
import { VERSION } from '../../../core/version.ts'
import { shownScreen } from '../state/first.ts'
import { followLinks, href } from '../state/router.ts'
import { chooseLocale, chooseTheme, locale, theme, THEMES } from '../state/settings.ts'
import { say, type Word } from '../words/index.ts'
import { Help } from './help.tsx'
import { Icon } from './icons.tsx'
import { TokenDialog } from './token-dialog.tsx'

const SCREENS: readonly { readonly path: string; readonly word: Word; readonly screens: readonly string[] }[] = [
  { path: 'scan', word: 'navScan', screens: ['scan'] },
  { path: 'projects', word: 'navProjects', screens: ['projects', 'project'] },
  { path: 'history', word: 'navHistory', screens: ['history', 'report', 'compare'] },
  { path: 'rules', word: 'navRules', screens: ['rules', 'rule'] },
  { path: 'limits', word: 'navLimits', screens: ['limits'] },
]

const THEME_WORDS: Readonly<Record<(typeof THEMES)[number], Word>> = {
  system: 'themeSystem',
  light: 'themeLight',
  dark: 'themeDark',
  contrast: 'themeContrast',
}

/** What surrounds every screen. */
export function Shell({ children }: { children: ComponentChildren }): JSX.Element {
  const [help, setHelp] = useState(false)
  return (
    <div class="shell" onClick={followLinks}>
      <a class="skip" href="#main">
        {say('skip')}
      </a>
      <header class="bar">
        <a class="brand" href={href('.')}>
          <Icon name="shield" size={22} />
          <span>Parapet</span>
        </a>
        <nav aria-label={say('navigation')}>
          {SCREENS.map(({ path, word, screens }) => (
            <a key={path} href={href(path)} aria-current={screens.includes(shownScreen.value) ? 'page' : undefined}>
              {say(word)}
            </a>
          ))}
        </nav>
        <div class="bar-end">
          <select
            aria-label={say('language')}
            value={locale.value}
            onChange={({ currentTarget }) => chooseLocale(currentTarget.value === 'fr' ? 'fr' : 'en')}
          >
            {LOCALES.map((name) => (
              <option key={name} value={name} lang={name}>
                {name.toUpperCase()}
              </option>
            ))}
          </select>
          <select
            aria-label={say('theme')}
            value={theme.value}
            onChange={({ currentTarget }) => chooseTheme(THEMES.find((name) => name === currentTarget.value) ?? 'system')}
          >
            {THEMES.map((name) => (
              <option key={name} value={name}>
                {say(THEME_WORDS[name])}
              </option>
            ))}
          </select>
          <button
            type="button"
            class="fd-button fd-button--transparent"
            aria-label={say('keyboard')}
            title={say('keyboard')}
            onClick={() => setHelp(true)}
          >
            ?
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <p>{say('footer', { version: VERSION })}</p>
        <a class="fd-link" href={href('api/openapi.json')}>
          {say('apiDescription')}
        </a>
      </footer>
      <TokenDialog />
      <Help open={help} onOpen={setHelp} />
    </div>
  )
}
