import { createSeedScriptReader, knownAdministrators, ownLoads } from './_callers/known-administrators.ts'
import { copiedPasswords } from './_secrets/copied-passwords.ts'
import { defaultPasswords } from './_secrets/default-passwords.ts'
import { passwordHashes } from './_secrets/password-rows.ts'
import { askingScripts, knownAccounts, plainLogins } from './_secrets/known-accounts.ts'
import { storedAccounts } from './_secrets/table-passwords.ts'
import { quoteWord } from '../../quote.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A server stores an account of an administrator whose password stands in the code, or gives each new account the same one.
 * Facts: OWASP Top 10 2021, A07 (default, weak or well-known passwords, "admin/admin"); OWASP ASVS 4.0, 2.5.4 (no shared or default accounts).
 * Impact: who reads the code or guesses the password logs in as administrator; that nobody has changed it since is assumed. A password of all new accounts opens those
 * whose owners have not logged in yet, where the project compares hashes at a login; so does one that is another detail of the person, for those who know it.
 */
export const knownAdministrator: Rule = defineRule({
  id: 'cap/known-administrator',
  impact: 'takeover',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { fallback: { impact: 'session' }, everyone: { impact: 'session' }, copied: { impact: 'session' } },
  confidence: 'medium',
  cwe: [798, 1392],
  since: '0.3.0',
  docs: 'https://owasp.org/Top10/2021/A07_2021-Identification_and_Authentication_Failures/',
  extracts: [
    storedAccounts,
    plainLogins,
    askingScripts,
    knownAdministrators,
    copiedPasswords,
    defaultPasswords,
    passwordHashes,
    ownLoads,
  ],
  on: 'project',

  *check({ scripts, capRoots }): Generator<Match> {
    for (const { file, account, login, isKept } of knownAccounts(scripts, capRoots))
      yield {
        at: { file, span: { start: account.start, end: account.end } },
        args: { field: quoteWord(account.column), login },
        variant: 'table',
        // where it only says whether the password fits, or no script asks who calls, the server knows nobody later
        ...(!(account.isAdministrator && isKept) && { impact: 'session' as const }),
      }
    const found = scripts.get(knownAdministrators)
    const defaults = scripts.get(defaultPasswords)
    const isByHand = createSeedScriptReader(
      scripts,
      [...found, ...defaults].map(({ file }) => file),
    )
    for (const { file, value } of found) {
      if (isByHand(file)) continue
      const { start, end, password, field, isFallback } = value
      yield {
        at: { file, span: { start, end } },
        secret: password,
        args: { field: quoteWord(field) },
        ...(isFallback && { variant: 'fallback' }),
      }
    }
    const isCompared = scripts.get(passwordHashes).some(({ value }) => value === 'compared')
    for (const { file, value } of defaults) {
      const { start, end, password, field } = value
      const isAdministrators = found.some((own) => own.file === file && own.value.start === start)
      if (isAdministrators || isByHand(file)) continue
      yield {
        at: { file, span: { start, end } },
        secret: password,
        args: { field: quoteWord(field) },
        variant: 'everyone',
        ...(isCompared && { impact: 'takeover' }),
      }
    }
    for (const { file, value } of scripts.get(copiedPasswords))
      yield {
        at: { file, span: { start: value.start, end: value.end } },
        args: { field: quoteWord(value.field), source: quoteWord(value.source) },
        variant: 'copied',
      }
  },

  text: () => ({
    en: {
      title: 'Administrator account with a password in the code',
      message: 'This code stores an account that {field} makes an administrator, with a password written in the code.',
      why: 'An attacker who reads the code or tries common passwords logs in as administrator wherever nobody has changed this password.',
      fix: 'Read the first password from an environment variable or a bound service, refuse to start without it, and have it changed at the first login. Change it wherever this account exists: it counts as known.',
      variants: {
        everyone: {
          title: 'Default password of new accounts in the code',
          message: 'Accounts that this code stores get a password written in the code, whose hash becomes {field}.',
          why: 'An attacker who reads the code, or was given an account once, logs in to every account whose owner has not changed this password yet.',
          fix: 'Draw a password for each account, randomBytes(12).toString("base64url"), or let its owner set one by a link that is valid once. Change it wherever it is still set: it counts as known.',
        },
        copied: {
          title: 'Default password of new accounts that others know',
          message: 'Accounts that this code stores get {source} of the same row as their password, {field}.',
          why: 'An attacker who knows or looks up this detail of a person logs in to every account whose owner has not changed the password yet.',
          fix: 'Draw a password for each account, randomBytes(12).toString("base64url"), or let its owner set one by a link that is valid once. Replace those that are still set: they count as known.',
        },
        table: {
          title: 'Default account with a known password in initial data',
          message:
            'This initial data deploys an account with its password in the column {field}, which the login in {login} compares unhashed.',
          why: 'An attacker who reads the repository, or tries common passwords, logs in with this account. A deployment can also restore a password that was changed.',
          fix: 'Delete the rows of accounts from this file, and create the first account with a random password when the app is set up. Change the password wherever this account exists: it counts as known.',
        },
        fallback: {
          message:
            'Where no other password is set, this code stores an account that {field} makes an administrator, with a password written in the code.',
          fix: 'Remove the default and refuse to start without the variable. Change the password wherever this account exists: it counts as known.',
        },
      },
    },
    fr: {
      title: 'Compte d’administrateur dont le mot de passe est dans le code',
      message: 'Ce code enregistre un compte que {field} rend administrateur, avec un mot de passe écrit dans le code.',
      why: 'Un attaquant qui lit le code ou essaie des mots de passe courants se connecte en administrateur partout où personne n’a changé ce mot de passe.',
      fix: 'Lisez le premier mot de passe dans une variable d’environnement ou un service lié, refusez de démarrer sans lui, et imposez son changement à la première connexion. Changez-le partout où ce compte existe : il est réputé connu.',
      variants: {
        everyone: {
          title: 'Mot de passe par défaut des nouveaux comptes dans le code',
          message:
            'Les comptes que ce code enregistre reçoivent un mot de passe écrit dans le code, dont le hachage devient {field}.',
          why: 'Un attaquant qui lit le code, ou qui a reçu un compte un jour, se connecte à tout compte dont le titulaire n’a pas encore changé ce mot de passe.',
          fix: 'Générez un mot de passe aléatoire par compte, randomBytes(12).toString("base64url"), ou laissez le titulaire le définir par un lien à usage unique. Changez-le partout où il est encore défini : il est réputé connu.',
        },
        copied: {
          title: 'Mot de passe par défaut des nouveaux comptes connu d’autrui',
          message: 'Les comptes que ce code enregistre reçoivent {source} de la même ligne comme mot de passe, {field}.',
          why: 'Un attaquant qui connaît ou trouve cette donnée d’une personne se connecte à tout compte dont le titulaire n’a pas encore changé le mot de passe.',
          fix: 'Générez un mot de passe aléatoire par compte, randomBytes(12).toString("base64url"), ou laissez le titulaire le définir par un lien à usage unique. Remplacez ceux qui sont encore en place : ils sont réputés connus.',
        },
        table: {
          title: 'Compte par défaut au mot de passe connu dans les données initiales',
          message:
            'Ces données initiales déploient un compte avec son mot de passe dans la colonne {field}, que la connexion dans {login} compare sans hachage.',
          why: 'Un attaquant qui lit le dépôt ou essaie des mots de passe courants se connecte avec ce compte. Un déploiement peut aussi rétablir un mot de passe qui avait été changé.',
          fix: 'Supprimez de ce fichier les lignes de comptes, et créez le premier compte avec un mot de passe aléatoire à l’installation. Changez le mot de passe partout où ce compte existe : il est réputé connu.',
        },
        fallback: {
          message:
            'Si aucun autre mot de passe n’est défini, ce code enregistre un compte que {field} rend administrateur, avec un mot de passe écrit dans le code.',
          fix: 'Supprimez la valeur par défaut et refusez de démarrer sans la variable. Changez le mot de passe partout où ce compte existe : il est réputé connu.',
        },
      },
    },
  }),
})
