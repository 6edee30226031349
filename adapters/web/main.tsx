import { render } from 'preact'
import { LOCALES } from '../../core/scales.ts'
import { App } from './app.tsx'
import { locale } from './state/settings.ts'
import { loadTexts } from './words/texts.ts'
import 'fundamental-styles/dist/button.css'
import 'fundamental-styles/dist/input.css'
import 'fundamental-styles/dist/link.css'
import 'fundamental-styles/dist/title.css'
import 'fundamental-styles/dist/form-label.css'
import 'fundamental-styles/dist/message-strip.css'
import './style/index.css'

// relative to the screen that was opened first; the address changes with the next one
for (const link of document.querySelectorAll('link')) link.setAttribute('href', link.href)

const root = document.getElementById('page')
if (root !== null) {
  loadTexts(locale.value).then(
    () => {
      render(<App />, root)
      // behind the first view, so that the language can be changed where the connection is lost; what can't be had now is asked for again then
      void Promise.allSettled(LOCALES.map(loadTexts))
    },
    () => {
      root.textContent = 'The page could not be loaded. Reload it. · La page n’a pas pu être chargée. Rechargez-la.'
    },
  )
}
