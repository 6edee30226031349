import { ownerOf } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { accountAnswers, type AccountAnswer } from './_callers/account-answers.ts'
import { namedFaults, sentReasons } from './_callers/named-faults.ts'
import { errorSenders, type ErrorSender } from './_callers/failed-answers.ts'
import { isLimited } from './_callers/request-limits.ts'
import { dropsRejections } from './_routes/throwing-handlers.ts'

/**
 * A login, a registration or a reset of passwords whose answer tells whether an account exists.
 * Facts: OWASP Authentication Cheat Sheet, "Authentication and Error Messages"; OWASP Web Security Testing Guide, WSTG-IDNT-04.
 * Impact: anybody collects the accounts of a service, to guess their passwords or to write to their owners. Who logs in or has forgotten a password is not logged in; a registration
 * is told where its service or route asks nobody. Where a package around the file limits requests, few names can be tried; whether those of this handler are limited is not looked at.
 */
export const accountEnumeration: Rule = defineRule({
  id: 'cap/account-enumeration',
  impact: 'bounded',
  reach: 'anyone',
  confidence: 'medium',
  cwe: [204],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#authentication-and-error-messages',
  extracts: [accountAnswers, errorSenders, namedFaults, sentReasons],
  on: 'project',

  *check({ scripts, reach, capRoots, npm, step }) {
    const answers = scripts.get(accountAnswers)
    const told = new Set(answers.map(({ file, value }) => `${file} ${value.event}`))
    const isSentOn = scripts.get(sentReasons).length > 0
    const named = scripts
      .get(namedFaults)
      .filter(({ file, value }) => !told.has(`${file} ${value.event}`) && (value.isReason !== true || isSentOn))
      .map(({ file, value }) => ({ file, value: { ...value, kind: 'login', isOpen: true } satisfies AccountAnswer }))
    const isNamed = new Set<AccountAnswer>(named.map(({ value }) => value))
    const senders = scripts.get(errorSenders)
    const packageOf = (file: string): string | undefined => ownerOf(file, npm.byFolder)
    for (const { file, value } of [...answers, ...named]) {
      step(1 + senders.length)
      const { passing, status }: AccountAnswer = value
      const isSent = ({ codes }: ErrorSender): boolean => codes === undefined || (status !== undefined && codes.includes(status))
      if (passing !== undefined && !senders.some((one) => packageOf(one.file) === packageOf(file) && isSent(one.value))) continue
      if (passing === 'rejected' && dropsRejections(file, npm)) continue
      const at = { file, span: value.at }
      // an operation of that name says who calls it; a middleware may let some of its callers pass
      const known = capRoots.flatMap((root) =>
        root.root !== '' && !file.startsWith(`${root.root}/`)
          ? []
          : root.services.flatMap((service) =>
              service.elements.flatMap((one) =>
                one.name === value.event
                  ? { reach: reach.ofElement(service, one).reach, isPublic: PUBLIC.has((one.access ?? service.access).kind) }
                  : [],
              ),
            ),
      )
      const isReached = known.some((one) => one.reach === 'anyone')
      const isOpen = known.length === 0 ? value.isOpen || reach.at(at).reach === 'anyone' : isReached
      // which route a function of another file answers, is known of open routes
      const isAsked = known.length === 0 && !isOpen && value.kind === 'registration' && !value.event.startsWith('/')
      if (!isOpen && !isAsked && !known.some(({ isPublic }) => isPublic)) continue
      yield {
        at,
        args: { answer: value.answer, other: value.other },
        ...(value.kind !== 'login' && { variant: value.kind }),
        ...(isNamed.has(value) && { variant: 'named' }),
        ...(isAsked && { isOfOpenRoute: true as const }),
        ...(((!isOpen && !isAsked) || isLimited(file, npm)) && { evidence: 'assumed' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Account enumeration through different login responses',
      message: 'Before a password is checked, this handler answers "{answer}"; a wrong password is answered with "{other}".',
      why: 'An unauthenticated attacker finds out which accounts exist or what state they are in, and guesses passwords of these or sends them phishing mails.',
      fix: 'Respond with the same status and the same text, such as 401 "Invalid credentials", whether the account or the password is wrong. Compare with a fixed hash if there is no account, so that the time tells nothing either.',
      variants: {
        named: {
          message: 'This login answers "{answer}" for an unknown account, and "{other}" for a wrong password.',
        },
        registration: {
          title: 'Account enumeration through a registration',
          message: 'This registration answers "{answer}" if the account exists.',
          why: 'An unauthenticated attacker finds out who has an account, and guesses passwords of these accounts or sends them phishing mails.',
          fix: 'Respond with the same status and text in both cases, such as "We have sent you a message", and tell the owner of the address the rest by mail.',
        },
        reset: {
          title: 'Account enumeration through a password reset',
          message: 'This password reset answers "{answer}" if there is no such account.',
          why: 'An unauthenticated attacker finds out who has an account, and guesses passwords of these accounts or sends them phishing mails.',
          fix: 'Respond as if the account existed: the same status and text, such as "If there is such an account, we have sent you a message".',
        },
      },
    },
    fr: {
      title: 'Énumération de comptes par des réponses différentes',
      message:
        'Avant toute vérification du mot de passe, ce gestionnaire répond "{answer}" ; à un mot de passe erroné, il répond "{other}".',
      why: 'Un attaquant non authentifié découvre quels comptes existent ou dans quel état ils sont, puis en devine les mots de passe ou leur envoie des messages d’hameçonnage.',
      fix: 'Répondez avec le même statut et le même texte, par exemple 401 "Identifiants invalides", que le compte ou le mot de passe soit faux. Sans compte, comparez avec une empreinte fixe, pour que la durée ne révèle rien non plus.',
      variants: {
        named: {
          message: 'Cette connexion répond "{answer}" si le compte est inconnu, et "{other}" si le mot de passe est erroné.',
        },
        registration: {
          title: 'Énumération de comptes par une inscription',
          message: 'Cette inscription répond "{answer}" si le compte existe.',
          why: 'Un attaquant non authentifié découvre qui a un compte, puis devine les mots de passe de ces comptes ou leur envoie des messages d’hameçonnage.',
          fix: 'Répondez avec le même statut et le même texte dans les deux cas, par exemple "Nous vous avons envoyé un message", et dites le reste par courriel au propriétaire de l’adresse.',
        },
        reset: {
          title: 'Énumération de comptes par une réinitialisation de mot de passe',
          message: 'Cette réinitialisation de mot de passe répond "{answer}" si le compte n’existe pas.',
          why: 'Un attaquant non authentifié découvre qui a un compte, puis devine les mots de passe de ces comptes ou leur envoie des messages d’hameçonnage.',
          fix: 'Répondez comme si le compte existait : même statut et même texte, par exemple "Si ce compte existe, nous vous avons envoyé un message".',
        },
      },
    },
  }),
})

/** Services and operations that are meant for everybody. */
const PUBLIC: ReadonlySet<string> = new Set(['public', 'default-public'])
