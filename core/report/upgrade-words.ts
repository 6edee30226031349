import type { Locale, Localized } from '../types.ts'
import { formatMessage } from './notices.ts'
import type { Report } from './types.ts'
import { countAdvisories } from './upgrades.ts'

interface Words {
  readonly found: string
  readonly direct: string
  readonly others: string
}

const WORDS: Localized<Words> = {
  en: {
    found: '{advisories} advisories in {packages} packages',
    direct: '; upgrading {count} direct dependencies repairs {repaired}',
    others: '; updating {count} others in the lock file repairs {repaired}',
  },
  fr: {
    found: '{advisories} avis de sécurité dans {packages} paquets',
    direct: ' ; mettre à niveau {count} dépendances directes en corrige {repaired}',
    others: ' ; actualiser {count} autres paquets dans le fichier de verrouillage en corrige {repaired}',
  },
}

/** How many advisories there are, and what ends them; '' where there is none. */
export function summarizeUpgrades({ results: { npm } }: Pick<Report, 'results'>, locale: Locale): string {
  const { advisories, packages } = countAdvisories(npm.findings)
  if (advisories === 0) return ''
  const direct = npm.upgrades.filter((upgrade) => upgrade.direct)
  const others = npm.upgrades.filter((upgrade) => !upgrade.direct)
  const say = (words: string, upgrades: typeof direct): string => {
    const repaired = upgrades.reduce((sum, { repairs }) => sum + repairs.advisories, 0)
    return upgrades.length === 0 ? '' : formatMessage(words, { count: String(upgrades.length), repaired: String(repaired) })
  }
  const words = WORDS[locale]
  const found = formatMessage(words.found, { advisories: String(advisories), packages: String(packages) })
  return `${found}${say(words.direct, direct)}${say(words.others, others)}.`
}
