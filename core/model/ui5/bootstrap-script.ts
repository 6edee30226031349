import { createBudget, StopSignal } from '../../budget.ts'
import { collectFacts, pathOf, resolveValue } from '../../facts/index.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseScript } from '../../parse/javascript.ts'
import type { MarkupText } from '../../parse/markup.ts'
import type { BootstrapSetting } from './types.ts'

const CONFIG = 'sap-ui-config'
/** As member of `window`, `globalThis` or `self`, under whatever name. */
const CONFIG_ROOT = `global:${CONFIG}`
const STEPS_PER_CHARACTER = 20

/** Settings that an inline script of a page makes: `window["sap-ui-config"] = {…}` and later writes of a field. One that doesn't parse makes none. */
export function readInlineConfig(file: string, script: MarkupText): BootstrapSetting[] {
  if (!script.text.includes(CONFIG)) return []
  try {
    const budget = createBudget(100_000 + STEPS_PER_CHARACTER * script.text.length)
    return readConfig(file, collectFacts(parseScript(script.text, `${file}.js`), script.text, budget), script.start)
  } catch (error) {
    // the phase `read` has parsed it too, and told
    if (error instanceof ParseFailure || (error instanceof StopSignal && error.reason === 'steps')) return []
    throw error
  }
}

/** Settings that a script makes; `shift` is where it starts in its file. */
export function readConfig(file: string, facts: ScriptFacts, shift: number): BootstrapSetting[] {
  const settings: BootstrapSetting[] = []
  const add = (name: string | undefined, value: Value): void => {
    if (name === undefined) return
    const at = { file, span: { start: value.start + shift, end: value.end + shift } }
    const hyphens = isHyphenated(name) && ({ hyphenated: true } as const)
    settings.push({ name: toSettingName(name), value: textOf(value), from: 'config', ...hyphens, at })
  }
  for (const { target, value } of facts.assignments) {
    const [root, name, ...deeper] = pathOf(target) ?? []
    if (root !== CONFIG_ROOT || deeper.length > 0) continue
    if (name !== undefined) add(name, value)
    else {
      for (const field of fieldsOf(value)) {
        add(field.key, field.value)
        for (const inner of fieldsOf(field.value))
          if (inner.key !== undefined && field.key !== undefined) add(`${field.key}/${inner.key}`, inner.value)
      }
    }
  }
  return settings
}

/** `frame-options`, `frameOptions`, `frameoptions`: one name. */
export function toSettingName(written: string): string {
  return written.replaceAll('-', '').toLowerCase()
}

/** `log-level` of `logLevel`, as attributes are written. */
export function toHyphens(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Whether only a UI5 line that knows names with hyphens reads it; `xx-` is part of a name. */
export function isHyphenated(written: string): boolean {
  return written.replace(/^xx-/iu, '').includes('-')
}

/** What `data-sap-ui-config` holds: the inside of an object, `frameOptions: "deny", "libs": "sap.m"`. */
export function readConfigAttribute(file: string, text: string, start: number): BootstrapSetting[] {
  const before = `window["${CONFIG}"]={`
  return readInlineConfig(file, { start: start - before.length, end: start + text.length, text: `${before}${text}\n}` })
}

const MAX_DEPTH = 5

/** The fields of an object literal, also by a name, behind `window["sap-ui-config"] || {…}`, `Object.assign(…)` and `{ ...defaults }`. */
function fieldsOf(value: Value, depth = 0): readonly { readonly key: string | undefined; readonly value: Value }[] {
  const here = resolveValue(value)
  if (depth > MAX_DEPTH) return []
  if (here.kind === 'object')
    return here.fields.flatMap((field) => {
      const spread = field.key === undefined && field.value.kind === 'spread' ? field.value.value : undefined
      return spread === undefined ? [field] : fieldsOf(spread, depth + 1)
    })
  if (here.kind === 'choice') return here.options.flatMap((option) => fieldsOf(option, depth + 1))
  if (here.kind !== 'call' || pathOf(here.callee)?.join('.') !== 'global:Object.assign') return []
  return here.args.flatMap((argument) => fieldsOf(argument, depth + 1))
}

function textOf(value: Value): string | undefined {
  if (value.kind === 'literal') return String(value.value)
  if (value.kind !== 'array' || !value.items.every(({ kind }) => kind === 'literal')) return undefined
  return value.items.map(textOf).join(',')
}
