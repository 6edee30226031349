import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { SCRIPT } from '../../../core/report/writers/html-parts.ts'

interface Field {
  value: string
}

/** The script of the page, run over three findings by a document that has just what it asks for. */
function open(): {
  set: (changes: Partial<Record<'severity' | 'area' | 'search', string>>) => boolean[]
  count: () => string
  isFormHidden: () => boolean
} {
  const items = [
    { dataset: { severity: 'HIGH', area: 'ui5' }, textContent: 'eval of the URL', hidden: false },
    { dataset: { severity: 'HIGH', area: 'cap' }, textContent: 'SQL injection', hidden: false },
    { dataset: { severity: 'LOW', area: 'cap' }, textContent: 'Batch limit', hidden: false },
  ]
  const listeners = new Map<string, () => void>()
  const elements: Record<'severity' | 'area' | 'search', Field> = {
    severity: { value: '' },
    area: { value: '' },
    search: { value: '' },
  }
  const form = { elements, hidden: true, addEventListener: (name: string, listener: () => void) => listeners.set(name, listener) }
  const output = { dataset: { words: '# of 3 findings' }, textContent: '' }
  const document = { querySelector: (name: string) => (name === 'form' ? form : output), querySelectorAll: () => items }
  runInNewContext(SCRIPT, { document })
  return {
    set(changes) {
      for (const name of ['severity', 'area', 'search'] as const) elements[name].value = changes[name] ?? ''
      listeners.get('input')?.()
      return items.map(({ hidden }) => !hidden)
    },
    count: () => output.textContent,
    isFormHidden: () => form.hidden,
  }
}

test('the script shows the form and filters by severity, area and text', () => {
  const page = open()
  expect(page.isFormHidden()).toBe(false)
  expect(page.count()).toBe('3 of 3 findings')
  expect(page.set({ severity: 'HIGH' })).toEqual([true, true, false])
  expect(page.set({ area: 'cap', severity: 'HIGH' })).toEqual([false, true, false])
  expect(page.count()).toBe('1 of 3 findings')
  expect(page.set({ search: 'INJECTION' })).toEqual([false, true, false])
  expect(page.set({})).toEqual([true, true, true])
})
