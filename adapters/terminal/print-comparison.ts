import { wordLevelChange, type Comparison, type LevelChange, type PackageChange } from '../../core/index.ts'
import { cleanForTerminal } from './paint.ts'
import type { PrintOptions } from './print-report.ts'
import { say, SEVERITY_WORDS } from './words.ts'
import { wrapLine } from './wrap.ts'

const INDENT = ' '.repeat(4)

/** How many findings are new, fixed and unchanged; then which severities changed and why, and what is new and fixed of the advisories of each package. */
export function printComparison(
  { found, gone, same, levels, packages }: Comparison,
  options: Pick<PrintOptions, 'locale' | 'paint' | 'quiet' | 'width'> & {
    /** How many are new, fixed and unchanged. */
    readonly isToldBelow?: boolean
  },
): string {
  const { locale, paint, quiet, isToldBelow = false } = options
  const counts = [
    say(locale, 'new', { n: found.length }),
    say(locale, 'fixed', { n: gone.length }),
    say(locale, 'unchanged', { n: same.length }),
    ...(levels.length > 0 ? [say(locale, 'changed', { n: levels.length })] : []),
  ]
  const out = isToldBelow ? [] : [counts.join(' · ')]
  if (quiet) return `${out.join('\n')}\n`
  if (levels.length > 0)
    out.push(paint.strong(say(locale, 'changedHead')), ...levels.flatMap((change) => printLevel(change, options)))
  if (packages.length > 0)
    out.push(paint.strong(say(locale, 'packagesHead')), ...packages.flatMap((change) => printPackage(change, options)))
  return out.map((line) => `${line}\n`).join('')
}

function printLevel(change: LevelChange, { locale, paint, width }: Pick<PrintOptions, 'locale' | 'paint' | 'width'>): string[] {
  const { before, after } = change
  const words = SEVERITY_WORDS[locale]
  const place = after.line === undefined ? after.file : `${after.file}:${after.line}`
  const step = `${words[before.severity]} → ${paint.severity(after.severity, words[after.severity])}`
  const head = `  ${step}  ${cleanForTerminal(`${after.title}  ${place}`)}  ${paint.faint(cleanForTerminal(after.ruleId))}`
  return [head, ...wrapLine(INDENT + cleanForTerminal(wordLevelChange(change, locale)), width)]
}

function printPackage(
  { name, file, before, after, found, fixed, unchanged }: PackageChange,
  { locale, paint, width }: Pick<PrintOptions, 'locale' | 'paint' | 'width'>,
): string[] {
  const versions = [...new Set([before.join(', '), after.join(', ')].filter((text) => text !== ''))]
  const counts = [
    ...(found.length > 0 ? [say(locale, 'advisoriesNew', { n: found.length })] : []),
    ...(fixed.length > 0 ? [say(locale, 'advisoriesFixed', { n: fixed.length })] : []),
    ...(unchanged > 0 ? [say(locale, 'advisoriesSame', { n: unchanged })] : []),
  ]
  const subject = `${name} ${versions.join(' → ')}  ${file}`
  const head = `  ${cleanForTerminal(say(locale, 'about', { subject, facts: counts.join(', ') }))}`
  const listed = found.flatMap(({ id, severity, title }) =>
    wrapLine(`${INDENT}${cleanForTerminal(`${id}  ${SEVERITY_WORDS[locale][severity]}  ${title}`)}`, width),
  )
  return [head, ...listed.map((line) => paint.faint(line))]
}
