import type { Locale, Localized } from '../types.ts'
import type { GradeFactChange, LevelChange } from './compare-reports.ts'
import { EVIDENCE_WORDS, IMPACT_WORDS, REACH_WORDS, USAGE_WORDS } from './words.ts'

const CAUSES: Localized<Readonly<Record<LevelChange['cause'], string>>> = {
  en: {
    code: 'the code changed',
    rules: 'another version of Parapet',
    advisories: 'what is published about the package changed',
  },
  fr: {
    code: 'le code a changé',
    rules: 'autre version de Parapet',
    advisories: 'ce qui est publié sur le paquet a changé',
  },
}

const FACTS: Localized<Readonly<Record<GradeFactChange['fact'], string>>> = {
  en: { impact: 'impact', reach: 'who can start it', usage: 'use of the file', evidence: 'evidence' },
  fr: { impact: 'impact', reach: 'qui peut la lancer', usage: 'usage du fichier', evidence: 'preuve' },
}

/** Why a severity changed: "the code changed (who can start it: any user → anyone)". */
export function wordLevelChange({ cause, facts }: Pick<LevelChange, 'cause' | 'facts'>, locale: Locale): string {
  const told = facts.map((change) => {
    const [before, after] = wordValues(change, locale)
    return `${FACTS[locale][change.fact]}${locale === 'fr' ? ' : ' : ': '}${before} → ${after}`
  })
  return CAUSES[locale][cause] + (told.length === 0 ? '' : ` (${told.join('; ')})`)
}

function wordValues(change: GradeFactChange, locale: Locale): readonly [string, string] {
  switch (change.fact) {
    case 'impact':
      return [IMPACT_WORDS[locale][change.before], IMPACT_WORDS[locale][change.after]]
    case 'reach':
      return [REACH_WORDS[locale][change.before], REACH_WORDS[locale][change.after]]
    case 'usage':
      return [USAGE_WORDS[locale][change.before], USAGE_WORDS[locale][change.after]]
    case 'evidence':
      return [EVIDENCE_WORDS[locale][change.before], EVIDENCE_WORDS[locale][change.after]]
  }
}
