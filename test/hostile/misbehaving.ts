const text = { title: 't', message: 'm', why: 'w', fix: 'f' }

/** What a rule is beside its name and its check. */
export const PLAIN = {
  impact: 'defence',
  confidence: 'low',
  cwe: [],
  since: '0.1.0',
  docs: '',
  text: () => ({ en: text, fr: text }),
} as const
export const THROWS = 'ui5/a-throws'
export const ENDLESS = 'ui5/a-endless'

export function fail(thrown: unknown): never {
  throw thrown
}
