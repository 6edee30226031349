import { inEachLanguage } from '../../arguments.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Localized } from '../../types.ts'

/** How an attacker supplies a value from outside the app: what is enough for that, and what the value comes from. */
interface Way {
  readonly bait: Localized<string>
  readonly source: Localized<string>
}

const WAYS: ReadonlyMap<FlowHit['origin'], Way> = new Map<FlowHit['origin'], Way>([
  [
    'url',
    {
      bait: { en: 'A crafted link', fr: 'Un lien forgé' },
      source: { en: 'the URL of the page', fr: 'l’URL de la page' },
    },
  ],
  [
    'referrer',
    {
      bait: { en: 'A malicious page that links to the app', fr: 'Une page malveillante qui mène à l’application' },
      source: { en: 'the URL of the page that the user came from', fr: 'l’URL de la page d’où vient l’utilisateur' },
    },
  ],
  [
    'window-message',
    {
      bait: { en: 'A message from a malicious page', fr: 'Un message d’une page malveillante' },
      source: { en: 'another window (postMessage)', fr: 'une autre fenêtre (postMessage)' },
    },
  ],
])

const ANY_WAY: Way = {
  bait: { en: 'A crafted link or a message from a malicious page', fr: 'Un lien forgé ou un message d’une page malveillante' },
  source: { en: 'outside the app', fr: 'l’extérieur de l’application' },
}

/** Arguments of texts on values from outside the app: `{bait}` begins a sentence, `{source}` follows "from". */
export function outsideArgs({ origin }: FlowHit): { readonly bait: string; readonly source: string } {
  const { bait, source } = WAYS.get(origin) ?? ANY_WAY
  return { bait: inEachLanguage(bait), source: inEachLanguage(source) }
}

const MEANS: ReadonlyMap<FlowHit['origin'], Localized<string>> = new Map<FlowHit['origin'], Localized<string>>([
  ['url', { en: 'with a crafted link', fr: 'par un lien forgé' }],
  ['referrer', { en: 'with a page that links to the app', fr: 'par une page qui mène à l’application' }],
  ['window-message', { en: 'with a message from another page', fr: 'par un message d’une autre page' }],
  ['backend', { en: 'by writing data in the backend', fr: 'en écrivant des données dans le backend' }],
  ['input', { en: 'by tricking the user into entering it', fr: 'en amenant l’utilisateur à la saisir' }],
  ['storage', { en: 'by writing to the browser storage', fr: 'en écrivant dans le stockage du navigateur' }],
  ['imported', { en: 'in a file that the user imports', fr: 'dans un fichier que l’utilisateur importe' }],
])

const ANY_MEANS: Localized<string> = { en: 'through a link or in data', fr: 'par un lien ou dans des données' }

/** How an attacker may choose a value: "An attacker who can choose that value {means} …". */
export function meansOf({ origin }: FlowHit): string {
  return inEachLanguage(MEANS.get(origin) ?? ANY_MEANS)
}
