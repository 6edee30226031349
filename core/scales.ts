import type { Area, Circumstance, Confidence, Evidence, Impact, Locale, Reach, Severity, Usage } from './types.ts'

/** The fixed orders of the vocabulary; most severe, most certain and first-shown come first. */
export const LOCALES: readonly Locale[] = ['en', 'fr']
export const SEVERITIES: readonly Severity[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO']
export const CONFIDENCES: readonly Confidence[] = ['high', 'medium', 'low']
export const AREAS: readonly Area[] = ['ui5', 'cap', 'secrets', 'btp', 'npm', 'approuter']
export const IMPACTS: readonly Impact[] = ['takeover', 'data', 'session', 'bounded', 'defence', 'hygiene']
export const CIRCUMSTANCES: readonly Circumstance[] = [
  'demo',
  'visible',
  'public',
  'unseen',
  'unfixed',
  'ended',
  'unloadable',
  'unused',
  'unloaded',
  'off',
  'idle',
  'offline',
  'unlocked',
  'tab',
  'undeployed',
]
export const REACHES: readonly Reach[] = ['anyone', 'user', 'privileged', 'self', 'local', 'pipeline', 'nobody']
export const USAGES: readonly Usage[] = ['deployed', 'library', 'boilerplate', 'unused']
export const EVIDENCES: readonly Evidence[] = ['shown', 'assumed', 'guessed']
