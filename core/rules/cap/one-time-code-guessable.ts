import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { checkedCodes } from './_secrets/checked-codes.ts'
import { ACTION_LIMITERS, REQUEST_LIMITERS } from '../../server-frameworks.ts'

/**
 * A one-time code of a few digits that a request may send any number of times: nothing counts the attempts or limits the requests.
 * Or one that the project sets to a constant.
 * Facts: OWASP Authentication Cheat Sheet, "Login Throttling"; NIST SP 800-63B-4, sections 3.1.3.2 and 3.2.2 (a secret of 6 digits needs rate limiting: at most 100 failed attempts in a row);
 * OWASP API Security Top 10 2023, API2.
 * Impact: a million tries find a code of six digits, a few thousand one of four. What the code proves is lost: little, unless the handler gives a session or a new password for an
 * account that the request names. Whether something in front of a route limits requests is not in the project; an operation of CAP that callers reach without a login shows its way in.
 */
export const oneTimeCodeGuessable: Rule = defineRule({
  id: 'cap/one-time-code-guessable',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [307],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#login-throttling',
  grades: {
    session: { impact: 'takeover', reach: 'anyone', evidence: 'assumed' },
    // whether a password is asked for as well is not looked at
    'constant-session': { impact: 'takeover', reach: 'anyone', evidence: 'assumed' },
  },
  extracts: [checkedCodes],
  on: 'project',

  *check({ scripts, reach, capRoots, npm, step }) {
    const found = scripts.get(checkedCodes)
    if (found.length === 0) return
    const isLimited = npm.packages.some(({ dependencies }) =>
      dependencies.some(({ name }) => REQUEST_LIMITERS.test(name) || ACTION_LIMITERS.test(name)),
    )
    for (const { file, value } of found) {
      step()
      const { start, end, client, event, givesSession, constant } = value
      // no number of tries is needed for a constant
      if (isLimited && constant === undefined) continue
      const called = capRoots.flatMap(({ services }) =>
        services.flatMap((service) =>
          service.elements.flatMap((one) => (one.name === event ? [reach.ofElement(service, one).reach] : [])),
        ),
      )
      const [known] = called.includes('anyone') ? ['anyone' as const] : called
      yield {
        at: { file, span: constant ?? { start, end } },
        args: { value: client },
        ...variantOfCases(constant !== undefined && 'constant', givesSession && 'session'),
        ...(known === undefined ? !givesSession && { inOpenRoute: 'shown' as const } : { reach: known }),
        // the model says that nobody has to log in for it
        ...(known === 'anyone' && givesSession && constant === undefined && { evidence: 'shown' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'One-time code without a limit of attempts',
      message: '{value} is compared with a stored one-time code, and nothing in the project counts attempts or limits requests.',
      why: 'An attacker sends code after code until one fits: a code of four digits takes minutes, one of six digits hours. It then proves nothing.',
      fix: 'Count failed attempts beside the code and delete the code after five of them. Also put a limiter in front of the route, such as rateLimit({ windowMs: 900000, limit: 10 }) of express-rate-limit, with the account as its key.',
      variants: {
        constant: {
          title: 'One-time code with a constant value',
          message:
            'The project stores this constant as a one-time code, and compares it with {value}: each user gets the same code, forever.',
          why: 'An attacker who has read the code or got it once passes this check for every account: the code proves nothing.',
          fix: 'Draw the code where it is stored, with crypto.randomInt(100000, 1000000), send it to the address of the user, and let it expire after some minutes. Count failed attempts beside it.',
        },
        'constant-session': {
          title: 'Login by a one-time code with a constant value',
          message:
            'The project stores this constant as a one-time code, and compares it with {value} in a login: each user gets the same code, forever.',
          why: 'An attacker who has read the code or got it once passes this part of the login for every account.',
          fix: 'Draw the code where it is stored, with crypto.randomInt(100000, 1000000), send it to the address of the user, and let it expire after some minutes. Count failed attempts beside it.',
        },
        session: {
          title: 'Login by a one-time code without a limit of attempts',
          why: 'An unauthenticated attacker has a code sent to any account, tries code after code until one fits, and is logged in as that user.',
        },
      },
    },
    fr: {
      title: 'Code à usage unique sans limite de tentatives',
      message:
        '{value} est comparé à un code à usage unique enregistré, et rien dans le projet ne compte les tentatives ni ne limite les requêtes.',
      why: 'Un attaquant envoie un code après l’autre jusqu’à ce que l’un convienne : quelques minutes pour quatre chiffres, quelques heures pour six. Le code ne prouve alors plus rien.',
      fix: 'Comptez les échecs à côté du code et supprimez le code au bout de cinq. Placez aussi un limiteur devant la route, par exemple rateLimit({ windowMs: 900000, limit: 10 }) de express-rate-limit, avec le compte comme clé.',
      variants: {
        constant: {
          title: 'Code à usage unique de valeur constante',
          message:
            'Le projet enregistre cette constante comme code à usage unique et la compare à {value} : chaque utilisateur reçoit toujours le même code.',
          why: 'Un attaquant qui a lu le code source ou reçu ce code une fois passe cette vérification pour tout compte : le code ne prouve rien.',
          fix: 'Tirez le code au moment de l’enregistrer, avec crypto.randomInt(100000, 1000000), envoyez-le à l’adresse de l’utilisateur et faites-le expirer après quelques minutes. Comptez les échecs à côté du code.',
        },
        'constant-session': {
          title: 'Connexion par un code à usage unique de valeur constante',
          message:
            'Le projet enregistre cette constante comme code à usage unique et la compare à {value} dans une connexion : chacun reçoit toujours le même code.',
          why: 'Un attaquant qui a lu le code source ou reçu ce code une fois passe cette partie de la connexion pour tout compte.',
          fix: 'Tirez le code au moment de l’enregistrer, avec crypto.randomInt(100000, 1000000), envoyez-le à l’adresse de l’utilisateur et faites-le expirer après quelques minutes. Comptez les échecs à côté du code.',
        },
        session: {
          title: 'Connexion par code à usage unique sans limite de tentatives',
          why: 'Un attaquant non authentifié fait envoyer un code à n’importe quel compte, essaie un code après l’autre jusqu’à ce que l’un convienne, et se connecte au nom de cet utilisateur.',
        },
      },
    },
  }),
})
