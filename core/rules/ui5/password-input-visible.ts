import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Match } from '../../types.ts'
import type { Ui5App, Ui5Control } from '../../model/ui5/index.ts'
import { isPasswordName } from '../../model/script/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { shownPasswords } from './_shown-passwords.ts'

/** Scripts that change the type of a field: a button shows and hides what is typed. */
const typeChanges: Extract<true> = defineExtract({
  name: 'ui5-input-types',
  keywords: ['setType(', 'InputType.Password'],
  *collectText(text) {
    if (/assword/.test(text)) yield true
  },
})

/** A path or a key of a text at the end of a binding: `{/login/password}`, `{i18n>password}`, `{ path: 'login>/password', … }`. */
const PATH = /^\{(?:[^{}]{0,100}path:\s{0,4}["'])?(?:[^{}"']{0,100}[>/.])?(\w{1,60})(?:["'][^{}]{0,200})?\}$/
/** What a field asks for, in a word or two. */
const ASKED = /^(?:(?:enter|type|your|user|login|new|old|current|confirm|the)\s{1,2}){0,3}([A-Za-z]{2,20})\s?\*?\.{0,3}$/i

/**
 * A field for a password that shows what is typed.
 * Facts: SAPUI5 API reference, sap.m.Input (`type` is `Text` where nothing is set), sap.m.InputType; OWASP ASVS 5.0, 6.2.6 (fields for passwords are masked).
 * Impact: nothing by itself, somebody has to see the screen; browsers keep such a value as a text that was typed before.
 */
export const passwordInputVisible: Rule = defineRule({
  id: 'ui5/password-input-visible',
  impact: 'defence',
  reach: 'user',
  yieldsTo: ['ui5/passwords-read-by-page'],
  confidence: 'medium',
  cwe: [549],
  since: '0.3.0',
  docs: 'https://sapui5.hana.ondemand.com/#/api/sap.m.InputType',
  extracts: [typeChanges],
  on: 'ui5-app',

  *check({ views, scripts, manifest }) {
    yield* shownTexts({ views, manifest })
    if (scripts.get(typeChanges).length > 0) return
    for (const { file, controls, test } of views)
      for (const control of test ? [] : controls) {
        const name = control.type === 'sap.m.Input' && control.isWhole ? passwordOf(control) : undefined
        if (name === undefined) continue
        const type = control.properties.get('type')
        yield { at: { file, span: type?.at ?? control.at }, args: { name } }
      }
  },

  text: () => ({
    en: {
      title: 'Password field shows what is typed',
      message: 'The field "{name}" is an Input without type="Password": the password is shown while it is typed.',
      why: 'Anyone who sees the screen, a recording or a screenshot can read the password, and the browser may store it and suggest it like any other text.',
      fix: 'Set type="Password" at this Input.',
      variants: {
        text: {
          title: 'Password shown as text',
          message: '{control} shows the password "{name}" in clear text; the app hides passwords where they are typed.',
          why: 'Anyone who sees the screen, a recording or a screenshot can read the password, and the page gets it from the server.',
          fix: 'Remove this control, and leave the password out of what the service returns.',
        },
      },
    },
    fr: {
      title: 'Champ de mot de passe affiché en clair',
      message: 'Le champ "{name}" est un Input sans type="Password" : le mot de passe est affiché pendant la saisie.',
      why: 'Toute personne qui voit l’écran, un enregistrement ou une capture peut lire le mot de passe, et le navigateur peut le mémoriser et le proposer comme un texte ordinaire.',
      fix: 'Définissez type="Password" sur cet Input.',
      variants: {
        text: {
          title: 'Mot de passe affiché comme texte',
          message: '{control} affiche le mot de passe "{name}" en clair ; l’application masque les mots de passe à la saisie.',
          why: 'Toute personne qui voit l’écran, un enregistrement ou une capture peut lire le mot de passe, et la page le reçoit du serveur.',
          fix: 'Supprimez ce contrôle, et retirez le mot de passe de ce que le service renvoie.',
        },
      },
    },
  }),
})

/** Texts that show a password of the data in an app that has a field for one. */
function* shownTexts({ views, manifest }: Pick<Ui5App, 'views' | 'manifest'>): Generator<Match> {
  const isTyped = views.some(
    ({ test, controls }) => !test && controls.some(({ properties }) => properties.get('type')?.value === 'Password'),
  )
  if (!isTyped) return
  for (const { file, at, control, name } of shownPasswords({ views, manifest }))
    yield { at: { file, span: at }, args: { control, name }, variant: 'text' }
}

/** The name by which an input is one for a password that is shown. */
function passwordOf({ id, properties }: Ui5Control): string | undefined {
  const type = properties.get('type')?.value ?? 'Text'
  if (type !== 'Text' && type !== '') return undefined
  // something is picked from a list
  if (properties.get('showValueHelp')?.value === 'true' || properties.get('showSuggestion')?.value === 'true') return undefined
  const names = [
    id,
    properties.get('name')?.value,
    PATH.exec(properties.get('value')?.value ?? '')?.[1],
    PATH.exec(properties.get('placeholder')?.value ?? '')?.[1],
    ASKED.exec(properties.get('placeholder')?.value ?? '')?.[1],
  ]
  return names.find((name) => name !== undefined && isPasswordName(name))
}
