import type { FlowHit } from '../../flow/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { Confidence, Match, Severity } from '../../types.ts'

const LOWER: Readonly<Record<Severity, Severity>> = { CRITICAL: 'HIGH', HIGH: 'MEDIUM', MEDIUM: 'LOW', LOW: 'LOW', INFO: 'INFO' }

/** One level less: a property is set by code of the app, with whatever it shows; the storage, a file and the clipboard somebody else has to fill first. */
const SECOND_HAND: ReadonlySet<FlowHit['origin']> = new Set<FlowHit['origin']>(['property', 'storage', 'imported'])

/** Who may have chosen the value: whoever sends a link, whoever writes data of the backend, the user of the page alone, or code that sets a property, keeps or imports it. */
export type FlowVariant = 'stored' | 'own' | 'indirect' | 'unknown' | undefined

/** Of a value at second hand, where it is kept. */
export function secondHandOf({ origin }: FlowHit): 'property' | 'storage' | 'imported' {
  return origin === 'storage' || origin === 'imported' ? origin : 'property'
}

/** The same for rules that speak of stored data by default. */
export function storedVariantOf(hit: FlowHit): 'link' | Exclude<FlowVariant, 'stored'> {
  const variant = variantOf(hit)
  return variant === undefined ? 'link' : variant === 'stored' ? undefined : variant
}

export function variantOf({ origin }: FlowHit): FlowVariant {
  if (origin === 'backend') return 'stored'
  if (origin === 'input') return 'own'
  if (SECOND_HAND.has(origin)) return 'indirect'
  return origin === 'unknown' ? 'unknown' : undefined
}

/**
 * What every rule on flow in a browser says of a hit. The severity is that of a value which somebody else chooses by a link, a message or the backend; what only the
 * same user sees is LOW, and so is what nothing in the project fills. Code that only developers run counts two levels less.
 */
export function gradeByOrigin(hit: FlowHit, severity: Severity): Match {
  const variant = variantOf(hit)
  const graded = gradeOf(hit, severity)
  const isOwn = isDeveloperFile(hit.at.file) || isToolFile(hit.at.file)
  return { at: hit.at, flow: hit.steps, confidence: confidenceOf(hit, variant), severity: isOwn ? LOWER[LOWER[graded]] : graded }
}

function gradeOf(hit: FlowHit, severity: Severity): Severity {
  if (SECOND_HAND.has(hit.origin)) return LOWER[severity]
  const variant = variantOf(hit)
  return variant === undefined || variant === 'stored' || severity === 'INFO' ? severity : 'LOW'
}

function confidenceOf({ weak }: FlowHit, variant: FlowVariant): Confidence {
  if (variant === 'unknown') return 'low'
  return weak || variant !== undefined ? 'medium' : 'high'
}
