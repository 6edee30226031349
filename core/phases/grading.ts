import type { Engine } from '../engine.ts'
import { claimOf, levelOf, provisionalSeverity, toGrade, toldAs } from '../grade/index.ts'
import { classifyHost } from '../secrets/index.ts'
import { findGitIgnores, type GitIgnores } from '../model/deployment/index.ts'
import { addressedVariables, askedPasswords, passwordWords } from '../model/script/index.ts'
import { usageByPath, type ReachModel } from '../model/reach/index.ts'
import { groupBy } from '../lists.ts'
import { folderOf, foldersAround, isBelow, joinPath } from '../paths.ts'
import { createGlobMatcher } from '../project/glob.ts'
import { unreadLanguage } from '../project/kinds.ts'
import { ignored } from '../project/config-entries.ts'
import type { ConfiguredGrades } from '../project/grade-settings.ts'
import type { Finding, Grade, GradeClaim, Notice, PendingMatch, Place, Severity } from '../types.ts'
import type { Project } from '../rules/subjects.ts'
import { createSignatureReader } from './signed-tokens.ts'
import type { OpenRoutes } from './open-routes.ts'

/** What the severity of claims is asked for while a file is read: its path alone is known. */
export function severityByPath(claim: GradeClaim, { file }: Place): Severity {
  return provisionalSeverity(claim, usageByPath(file))
}

/** The same once the whole project is known. */
export function severityIn(reach: ReachModel): (claim: GradeClaim, at: Place) => Severity {
  return (claim, at) => toldAs(levelOf(gradeAt(claim, at, reach)))
}

/** Of a place: a server or a tool that nobody but its author starts is reached by nobody else. What a credential opens does not depend on its file. */
function gradeAt(told: GradeClaim, at: Place, reach: ReachModel): Grade {
  const isUnverified = told.impactUnverified !== undefined && reach.isUnverified(at.file)
  const claim = isUnverified ? { ...told, impact: told.impactUnverified } : told
  const grade = toGrade(claim, reach.at(at), reach.usageAt(at))
  const isOfOthers = grade.reach === 'anyone' || grade.reach === 'user' || grade.reach === 'privileged'
  if (claim.usage !== undefined || claim.advisory !== undefined || !isOfOthers) return grade
  if (!reach.isExercise(at.file) && !reach.isRunByHand(at.file)) return grade
  return { ...grade, reach: 'local', evidence: grade.evidence === 'guessed' ? 'guessed' : 'shown' }
}

/** The claim of a match. Throws where no rule has its id. */
export function pendingClaim({ rules }: Engine, { ruleId, match }: PendingMatch): GradeClaim {
  const rule = rules.get(ruleId)
  if (rule === undefined) throw new Error(`a match of the unknown rule ${ruleId}`)
  return claimOf(rule, match)
}

/** Steps for matching the globs of the project's settings against the paths of findings. */
const SETTING_STEPS = 5_000_000

/**
 * Gives a finding its grade and severity; undefined: the table says that it is none. What the project says of its own grades counts more than what was found of them,
 * and never less than INFO, so that no setting hides a finding.
 */
export function createGrader(
  { files, reach, scripts }: Pick<Project, 'files' | 'reach' | 'scripts'>,
  settings: ConfiguredGrades | undefined,
  openRoutes: Pick<OpenRoutes, 'hold'>,
): (finding: Finding) => Finding | undefined {
  const globs = createGlobMatcher(SETTING_STEPS)
  let gitIgnores: GitIgnores | undefined
  let sent: ReadonlyMap<string, readonly string[]> | undefined
  const isSent = (variable: string, from: string): boolean =>
    (sent ??= sentToPublic(scripts)).get(variable)?.some((script) => isSetFor(from, script, files)) === true
  // the host is the server of the script itself, where the project gives that an address
  const isAsked = (variable: string, from: string): boolean =>
    scripts.get(askedPasswords).some(({ file, value }) => file === from && value === variable) &&
    reach.ofServer(from).isPublished &&
    reach.usageAt({ file: from }) === 'deployed'
  const isSignedHere = createSignatureReader(files)
  let takesPasswords: boolean | undefined
  const provenClaim = (claim: GradeClaim, { file }: Place): GradeClaim => {
    const { variable, isOfInvented, token } = claim
    if (token !== undefined && isSignedHere(token))
      return { ...claim, evidence: claim.evidence === 'guessed' ? 'assumed' : 'shown' }
    if (variable !== undefined && (isSent(variable, file) || isAsked(variable, file))) return { ...claim, evidence: 'shown' }
    const isGuess = isOfInvented === true && !(takesPasswords ??= mayTakePasswords({ files, scripts }))
    return isGuess ? { ...claim, evidence: 'guessed' } : claim
  }
  const isIn = (path: string | undefined, file: string): boolean => path === undefined || globs.matches(path, file)
  return (finding) => {
    const { at } = finding
    const claim = provenClaim(finding.claim, at)
    const lines = at.line === undefined ? undefined : files.get(at.file)?.lines
    const start = lines === undefined || at.line === undefined ? undefined : (lines[at.line - 1] ?? 0) + (at.column ?? 1) - 1
    const place: Place = { file: at.file, ...(start !== undefined && { span: { start, end: start } }) }
    if (claim.isToldByRoute === true && openRoutes.hold(place)) return undefined
    if (claim.isOfOpenRoute === true && !openRoutes.hold(place)) return undefined
    if (claim.isOfRepository === true && (gitIgnores ??= findGitIgnores(files)).covers(at.file)) return undefined
    // a server that its developer alone starts is open to nobody else
    const isLocal = claim.reach === undefined && reach.at(place).reach === 'local'
    const isOpen = claim.inOpenRoute !== undefined && !isLocal && openRoutes.hold(place) && !reach.isExercise(at.file)
    const server = isOpen ? reach.ofServer(at.file) : undefined
    // behind the login of an approuter it is as open as the rule says of users
    const found =
      server !== undefined && server.isBehindLogin !== true
        ? toGrade(claimInOpenRoute(claim), server.exposure, reach.usageAt(place))
        : gradeAt(claim, place, reach)
    const who = settings?.reach.find(({ path }) => path !== undefined && globs.matches(path, at.file))
    const what = settings?.usage.find(({ path }) => globs.matches(path, at.file))
    const level = settings?.severity.find(({ rule, path }) => rule === finding.ruleId && isIn(path, at.file))
    const setting = [who, what, level].find((one) => one !== undefined)
    const grade: Grade = {
      ...found,
      ...(who !== undefined && { reach: who.reach }),
      ...(what !== undefined && { usage: what.usage, ...(what.usage === 'unused' && { reach: 'nobody' as const }) }),
      ...(setting !== undefined && { setting: setting.reason }),
    }
    const computed = levelOf(grade)
    if (computed === 'none' && (setting === undefined || levelOf(found) === 'none')) return undefined
    const severity = level?.severity ?? toldAs(computed)
    return { ...finding, severity, grade }
  }
}

/** Variables that code sends to a public host as a password, with a user, and the scripts that do. */
function sentToPublic(scripts: Project['scripts']): ReadonlyMap<string, readonly string[]> {
  const found = scripts.get(addressedVariables).filter(({ value }) => classifyHost(value.host) === 'public')
  return new Map(
    [...groupBy(found, ({ value }) => value.variable)].map(([variable, sends]) => [variable, sends.map(({ file }) => file)]),
  )
}

/** Whether a script takes the settings of a file: it stands beside or below that, or in the same package. */
function isSetFor(settings: string, script: string, files: Project['files']): boolean {
  if (isBelow(script, folderOf(settings))) return true
  const packageOf = (file: string): string | undefined =>
    [...foldersAround(file)].find((folder) => files.has(joinPath(folder, 'package.json')))
  const own = packageOf(settings)
  return own !== undefined && own === packageOf(script)
}

/** What a rule says of a place in a route that asks nobody who calls; who reaches the server is for the project to say. */
function claimInOpenRoute({ impact, impactInOpenRoute, inOpenRoute, ...claim }: GradeClaim): GradeClaim {
  return { ...claim, impact: impactInOpenRoute ?? impact, reach: undefined, evidence: inOpenRoute }
}

/** Sources of servers whose logins are not read. */
const UNREAD_SERVER = /\.xsjs(?:lib)?$/i

/** Whether somebody may log in with the passwords of a table: scripts that have to do with passwords, or code in which no data is followed. */
function mayTakePasswords({ files, scripts }: Pick<Project, 'files' | 'scripts'>): boolean {
  if (scripts.get(passwordWords).length > 0) return true
  return [...files.keys()].some((path) => unreadLanguage(path) !== undefined || UNREAD_SERVER.test(path))
}

/** What a project says of grades by a path, a service or a rule that is not there: misspelt, or left behind. */
export function unusedSettings(
  { reach, usage, severity }: ConfiguredGrades,
  { capRoots }: Pick<Project, 'capRoots'>,
  files: readonly { readonly path: string }[],
  rules: Engine['rules'],
): readonly Notice[] {
  const globs = createGlobMatcher(SETTING_STEPS)
  const services = new Set(capRoots.flatMap((root) => root.services.map(({ name }) => name)))
  const isLost = ({ path: glob }: { readonly path?: string }): boolean =>
    glob !== undefined && !files.some(({ path }) => globs.matches(glob, path)) && !globs.isSpent
  const unused = [
    ...[...reach, ...usage, ...severity].flatMap((one) => (isLost(one) ? [one.path] : [])),
    ...reach.flatMap(({ service }) => (service === undefined || services.has(service) ? [] : [service])),
    ...severity.flatMap(({ rule }) => (rules.has(rule) ? [] : [rule])),
  ]
  return unused.map((name = '') => ignored('grade-unused', { name }))
}
