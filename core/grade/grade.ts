import type {
  Attacker,
  Circumstance,
  Evidence,
  Exposure,
  Grade,
  GradeClaim,
  GradeFacts,
  Impact,
  Severity,
  Shift,
  Usage,
} from '../types.ts'
import { EVIDENCES, SEVERITIES } from '../scales.ts'
import { levelAt, levelsOf, type Level } from './table.ts'

/** What a rule says of the grade of its findings. */
export interface GradedRule extends GradeFacts {
  readonly impact: Impact
  /** Of variants: what they say differently. */
  readonly grades?: Readonly<Record<string, GradeFacts>>
  readonly attacker?: Attacker
  readonly shift?: Shift
}

/** What a match says of its grade. */
export interface GradedMatch extends GradeFacts {
  readonly variant?: string
  readonly exposure?: Exposure
}

/** What a rule, the variant and the match say together. */
export function claimOf(rule: GradedRule, match: GradedMatch): GradeClaim {
  const variant = match.variant === undefined ? undefined : rule.grades?.[match.variant]
  const pick = <Key extends keyof GradeFacts>(key: Key): GradeFacts[Key] => match[key] ?? variant?.[key] ?? rule[key]
  // a reach that the project told for this match counts more than what the rule says of all of them
  const reach = match.exposure === undefined ? pick('reach') : (match.reach ?? match.exposure.reach)
  const [circumstance, evidence, usage, advisory] = [pick('circumstance'), pick('evidence'), pick('usage'), pick('advisory')]
  const [inOpenRoute, impactInOpenRoute] = [pick('inOpenRoute'), pick('impactInOpenRoute')]
  const impactUnverified = pick('impactUnverified')
  const [isToldByRoute, isOfRepository] = [pick('isToldByRoute'), pick('isOfRepository')]
  const [variable, isOfInvented, token] = [pick('variable'), pick('isOfInvented'), pick('token')]
  return {
    impact: pick('impact') ?? rule.impact,
    ...(circumstance !== undefined && { circumstance }),
    ...(reach !== undefined && { reach }),
    ...(evidence !== undefined && { evidence }),
    ...(inOpenRoute !== undefined && { inOpenRoute }),
    ...(impactInOpenRoute !== undefined && { impactInOpenRoute }),
    ...(impactUnverified !== undefined && { impactUnverified }),
    ...(isToldByRoute === true && { isToldByRoute }),
    ...(pick('isOfOpenRoute') === true && { isOfOpenRoute: true }),
    ...(isOfRepository === true && { isOfRepository }),
    ...(variable !== undefined && { variable }),
    ...(isOfInvented === true && { isOfInvented }),
    ...(token !== undefined && { token }),
    ...(usage !== undefined && { usage }),
    ...(advisory !== undefined && { advisory }),
    ...(rule.attacker !== undefined && { attacker: rule.attacker }),
    ...(rule.shift !== undefined && { shift: rule.shift }),
    ...(match.exposure !== undefined && { exposure: match.exposure }),
  }
}

/** A claim with what the project says of its place: `asked` is who reaches that, `usage` what the file is for. */
export function toGrade(claim: GradeClaim, asked: Exposure, usage: Usage): Grade {
  const exposure = claim.exposure ?? (claim.reach === undefined ? asked : undefined)
  const reach = claim.reach ?? asked.reach
  const used = claim.usage ?? usage
  const circumstance =
    claim.circumstance ?? (claim.impact === 'data' && exposure?.isDemo === true ? ('demo' as const) : undefined)
  return {
    impact: claim.impact,
    ...(circumstance !== undefined && { circumstance }),
    reach: used === 'unused' ? 'nobody' : reach,
    usage: used,
    evidence: weaker(claim.evidence ?? 'shown', exposure?.evidence ?? 'shown'),
    ...(claim.advisory !== undefined && { advisory: claim.advisory }),
    ...(claim.attacker !== undefined && { attacker: claim.attacker }),
    ...(claim.shift !== undefined && { shift: claim.shift }),
  }
}

function weaker(one: Evidence, other: Evidence): Evidence {
  return EVIDENCES.indexOf(one) < EVIDENCES.indexOf(other) ? other : one
}

/** The least first. */
const SCALE: readonly Severity[] = SEVERITIES.toReversed()

/** The severity of a grade; `none`: it is no finding. */
export function levelOf({ impact, circumstance, reach, usage, evidence, advisory, shift }: Grade): Level {
  const told = advisory === undefined ? levelAt(impact, reach, circumstance) : advisoryLevel(advisory, circumstance)
  if (told === 'none') return 'none'
  const proven = evidence === 'shown' ? told : evidence === 'assumed' ? move(told, -1) : atMost(told, 'LOW')
  const shifted = shift === undefined ? proven : move(proven, shift === 'higher' ? 1 : -1)
  return usage === 'boilerplate' ? 'INFO' : shifted
}

/**
 * The published level; one lower where nothing in the project does what the advisory is about, loads the package or runs its code, and in a part that nothing deploys;
 * MEDIUM at most beside that where nothing loads the package, or it can only stop a tab of the user's own browser; LOW at most where nothing that is deployed could.
 */
export function advisoryLevel(advisory: Severity, circumstance: Circumstance | undefined): Severity {
  switch (circumstance) {
    case 'unused':
    case 'undeployed':
    case 'off':
    case 'unlocked':
      return move(advisory, -1)
    case 'unloaded':
    case 'tab':
      return atMost(move(advisory, -1), 'MEDIUM')
    case 'idle':
    case 'offline':
      return atMost(advisory, 'LOW')
    default:
      return advisory
  }
}

function move(severity: Severity, by: number): Severity {
  const index = Math.min(Math.max(SCALE.indexOf(severity) + by, 0), SCALE.length - 1)
  return SCALE[index] ?? severity
}

/** The level, or that one where it is above. */
export function atMost(severity: Severity, most: Severity): Severity {
  return SCALE.indexOf(severity) > SCALE.indexOf(most) ? most : severity
}

/** The level of a rule for lists of rules: the highest that the table gives what it and its variants say. */
export function highestLevel(rule: GradedRule): Severity {
  const variants = Object.keys(rule.grades ?? {}).map((variant) => claimOf(rule, { variant }))
  return [claimOf(rule, {}), ...variants].map(highestOf).reduce((one, other) => (atMost(one, other) === one ? other : one))
}

function highestOf(claim: GradeClaim): Severity {
  const reaches = claim.reach === undefined ? levelsOf(claim.impact, claim.circumstance).map(([reach]) => reach) : [claim.reach]
  const levels = new Set(reaches.map((reach) => levelOf(toGrade({ ...claim, reach }, { reach }, 'deployed'))))
  return SCALE.findLast((severity) => levels.has(severity)) ?? 'INFO'
}

/** What a claim comes to with what is known before the project is read: what a path tells, and a user wherever nothing does. */
export function provisionalSeverity(claim: GradeClaim, usage: Usage): Severity {
  return toldAs(levelOf(toGrade(claim, { reach: 'user' }, usage)))
}

/** A level where something is told in any case: `none` counts as the least. */
export function toldAs(level: Level): Severity {
  return level === 'none' ? 'INFO' : level
}
