import type { Localized, Severity } from '../types.ts'

/** How severities are called. */
export const SEVERITY_WORDS: Localized<Readonly<Record<Severity, string>>> = {
  en: { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low', INFO: 'info' },
  fr: { CRITICAL: 'critique', HIGH: 'élevée', MEDIUM: 'moyenne', LOW: 'faible', INFO: 'info' },
}
