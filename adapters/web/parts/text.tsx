import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { readTextPieces } from '../../../core/report/text-pieces.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { say } from '../words/index.ts'
import { Icon } from './icons.tsx'

export const placeOf = (file: string, line?: number, column?: number): string =>
  [file, line, column].filter((part) => part !== undefined).join(':')

/** A table doesn't break a name of this length while it has columns: a wide one beside it would else leave it a letter a line. */
const SHORT = 24
const shortClass = (text: string): string => (text.length <= SHORT ? 'short' : '')

/** A path whose end stays visible where there is no room; what would reorder or hide its characters is shown. */
export function Path({ file, line, column }: { file: string; line?: number; column?: number }): JSX.Element {
  const whole = toVisible(placeOf(file, line, column))
  const cut = whole.lastIndexOf('/') + 1
  return (
    <span class={`path ${shortClass(whole)}`} title={whole} translate={false}>
      {cut > 0 && <span class="path-folder">{whole.slice(0, cut)}</span>}
      <span class="path-name">{whole.slice(cut)}</span>
    </span>
  )
}

/** Code, or a name of the project: never translated, never markup. */
export function Code({ text }: { text: string }): JSX.Element {
  const shown = toVisible(text)
  return (
    <code class={shortClass(shown)} translate={false}>
      {shown}
    </code>
  )
}

/** A text with the code in it as code. */
export function Prose({ text }: { text: string }): JSX.Element {
  return (
    <>
      {readTextPieces(text).map((piece, index) =>
        piece.isCode ? <Code key={index} text={piece.text} /> : toVisible(piece.text),
      )}
    </>
  )
}

/** Copies a text, and says so. Where the browser refuses, the text can be selected. */
export function CopyButton({ text, label }: { text: string | (() => string); label: string }): JSX.Element {
  const [state, setState] = useState<'ready' | 'done' | 'failed'>('ready')
  const value = (): string => (typeof text === 'string' ? text : text())
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value())
      setState('done')
      setTimeout(() => setState('ready'), 2500)
    } catch {
      setState('failed')
    }
  }
  return (
    <>
      <button type="button" class="fd-button fd-button--transparent" onClick={() => void copy()}>
        <Icon name={state === 'done' ? 'check' : 'copy'} />
        <span aria-live="polite">{state === 'done' ? say('copied') : label}</span>
      </button>
      {state === 'failed' && (
        <label class="copy-refused">
          {say('copyFailed')}
          <input class="fd-input" readOnly value={value()} onFocus={(event) => event.currentTarget.select()} />
        </label>
      )}
    </>
  )
}

/** Links to the web alone: whatever else stands where an address should be is text. */
export function WebLink({ url, text }: { url: string; text: string }): JSX.Element {
  return /^https?:\/\//.test(url) ? (
    <a class="fd-link" href={url} rel="noopener noreferrer" target="_blank">
      {text}
    </a>
  ) : (
    <span>
      {text}: {toVisible(url)}
    </span>
  )
}
