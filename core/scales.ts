import type { Area, Confidence, Locale, Severity } from './types.ts'

/** The fixed orders of the vocabulary; most severe, most certain and first-shown come first. */
export const LOCALES: readonly Locale[] = ['en', 'fr']
export const SEVERITIES: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']
export const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low']
export const AREAS: readonly Area[] = ['ui5', 'cap', 'secrets', 'btp', 'npm', 'approuter']
