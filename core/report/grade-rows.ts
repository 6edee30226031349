import type { GradeRow } from '../grade/index.ts'
import { REACHES } from '../scales.ts'
import type { Locale, Localized } from '../types.ts'
import { CIRCUMSTANCE_WORDS, IMPACT_WORDS, REACH_WORDS, SEVERITY_WORDS } from './words.ts'

const BY_ADVISORY: Localized<string> = {
  en: 'that of the published advisory, one level lower where no deployed part is shown to be affected',
  fr: 'celle de l’avis de sécurité publié, un niveau de moins si rien ne montre qu’une partie déployée est touchée',
}

/** What the severity of a rule's findings depends on, a line for each row of the table of grades that it uses. */
export function wordGradeRows(rows: readonly GradeRow[], locale: Locale): readonly string[] {
  return rows.length === 0 ? [BY_ADVISORY[locale]] : rows.map((row) => wordRow(row, locale))
}

/** "data beyond one’s rights: critical (anyone), high (any user)" */
function wordRow({ impact, circumstance, levels }: GradeRow, locale: Locale): string {
  const cells = REACHES.flatMap((reach) => {
    const level = levels[reach]
    return level === undefined ? [] : `${SEVERITY_WORDS[locale][level]} (${REACH_WORDS[locale][reach]})`
  })
  const about = circumstance === undefined ? '' : `, ${CIRCUMSTANCE_WORDS[locale][circumstance]}`
  return `${IMPACT_WORDS[locale][impact]}${about}${locale === 'fr' ? ' : ' : ': '}${cells.join(', ')}`
}
