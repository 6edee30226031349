import type { Locale, Localized } from '../types.ts'
import { formatMessage } from './notices.ts'
import { pluralForm } from './plural-form.ts'
import type { Report } from './types.ts'
import { countAdvisories } from './upgrades.ts'

interface Words {
  readonly found: string
  readonly advisories: string
  readonly packages: string
  readonly direct: string
  readonly others: string
}

/** `one|other` where a number decides the form. */
const WORDS: Localized<Words> = {
  en: {
    found: '{advisories} in {packages}',
    advisories: '{n} advisory|{n} advisories',
    packages: '{n} package|{n} packages',
    direct: '; upgrading {n} direct dependency repairs {repaired}|; upgrading {n} direct dependencies repairs {repaired}',
    others: '; updating {n} other in the lock file repairs {repaired}|; updating {n} others in the lock file repairs {repaired}',
  },
  fr: {
    found: '{advisories} dans {packages}',
    advisories: '{n} avis de sécurité',
    packages: '{n} paquet|{n} paquets',
    direct:
      ' ; mettre à niveau {n} dépendance directe en corrige {repaired}| ; mettre à niveau {n} dépendances directes en corrige {repaired}',
    others:
      ' ; actualiser {n} autre paquet dans le fichier de verrouillage en corrige {repaired}| ; actualiser {n} autres paquets dans le fichier de verrouillage en corrige {repaired}',
  },
}

/** How many advisories there are, and what ends them; '' where there is none. */
export function summarizeUpgrades({ results: { npm } }: Pick<Report, 'results'>, locale: Locale): string {
  const { advisories, packages } = countAdvisories(npm.findings)
  if (advisories === 0) return ''
  const words = WORDS[locale]
  const say = (word: keyof Words, n: number, repaired = 0): string =>
    formatMessage(pluralForm(words[word], n, locale), { n: String(n), repaired: String(repaired) })
  // a package that several folders have is one to upgrade, and its advisories are the same
  const sum = (word: 'direct' | 'others', isDirect: boolean): string => {
    const movable = npm.findings.filter(({ upgrade }) => upgrade?.direct === isDirect)
    const moved = new Set(movable.map(({ upgrade }) => `${upgrade?.package}@${upgrade?.from}`)).size
    return moved === 0 ? '' : say(word, moved, countAdvisories(movable).advisories)
  }
  const found = formatMessage(words.found, { advisories: say('advisories', advisories), packages: say('packages', packages) })
  return `${found}${sum('direct', true)}${sum('others', false)}.`
}
