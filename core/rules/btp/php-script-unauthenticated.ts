import { defineRule, type Rule } from '../rule.ts'
import { phpFindings, type DataUse } from '../../model/php/index.ts'
import { folderOf } from '../../paths.ts'
import { tellCut } from './_php-faults.ts'

/** Folders of scripts that the command line runs; whether the web server does as well, the project doesn't tell. */
const OF_COMMANDS = /(?:^|\/)(?:cron(?:jobs?)?|bin|cli|commands?|jobs?|tasks?|migrations?|seed(?:er)?s?)\//i

/**
 * A script of PHP that reads or changes data, and in which nothing looks at who calls, nor in what it includes: no session, no token, no header.
 * Facts: OWASP API Security Top 10 2023, API2 "Broken Authentication"; PHP manual, "Sessions" and "HTTP authentication with PHP".
 * What is only read, and names no people, may be meant for all.
 * Impact: reads or changes what the script gives access to.
 */
export const phpScriptUnauthenticated: Rule = defineRule({
  id: 'btp/php-script-unauthenticated',
  impact: 'data',
  reach: 'anyone',
  grades: {
    reads: { evidence: 'assumed' },
    passwords: { impact: 'takeover' },
    changed: { impact: 'takeover' },
    columns: { impact: 'takeover' },
  },
  confidence: 'medium',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa2-broken-authentication/',
  on: 'project',

  *check(project) {
    const found = project.once(phpFindings)
    for (const use of found.open) {
      const { at, sink, isChange, by, passwordColumn } = use
      const of = kindOf(use)
      yield {
        at,
        args: { sink, column: passwordColumn ?? '' },
        ...(of === 'passwords' || of === 'changed' || of === 'columns' ? { variant: of } : !isChange && { variant: 'reads' }),
        ...(of === 'public' && { circumstance: 'public', evidence: 'shown' }),
        ...(OF_COMMANDS.test(at.file) && { evidence: 'assumed' }),
        // one check that all of them include
        groupKey: `${of} ${by ?? folderOf(at.file)}`,
      }
    }
    tellCut(found)
  },

  text: () => ({
    en: {
      title: 'PHP script changes data without authentication',
      message: 'This script changes data with {sink}; neither it nor what it includes checks a session, a token or a header.',
      why: 'An unauthenticated attacker who sends a request to this script changes its data. A login that only the app shows does not protect the script.',
      fix: 'Begin the script with a check: session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }. Put it into a file that all scripts require.',
      variants: {
        reads: {
          title: 'PHP script reads data without authentication',
          message: 'This script reads data with {sink}; neither it nor what it includes checks a session, a token or a header.',
          why: 'Unless the data is public, an unauthenticated attacker who sends a request to this script reads it. A login that only the app shows does not protect the script.',
        },
        changed: {
          title: 'PHP script resets passwords without authentication',
          message:
            'This script sets the password of a user that the request names, with {sink}; it checks no session, old password or mailed token, nor does what it includes.',
          why: 'An unauthenticated attacker sets the password of any user, an administrator included, and logs in as this user.',
          fix: 'Check the session and the old password with password_verify() before the UPDATE, or find the user by a random, expiring token that was mailed: WHERE reset_token = ?.',
        },
        columns: {
          title: 'PHP script writes password columns without authentication',
          message:
            'This list lets requests read and write the column {column}: a script that checks no session, token or header builds its statements from it ({sink}).',
          why: 'An unauthenticated attacker reads the password hashes of all users, or replaces the one of an administrator, and logs in as this user.',
          fix: 'Remove {column} from the list and from what the SELECT returns, set passwords in a script of its own, and begin the scripts with a check: session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }.',
        },
        passwords: {
          title: 'PHP script gives passwords away without authentication',
          message:
            'This script reads rows with their passwords by {sink} and answers; neither it nor what it includes checks a session, a token or a header.',
          why: 'An unauthenticated attacker who sends a request to this script gets the passwords or their hashes, and can log in as these users.',
          fix: 'Take the column of passwords out of the SELECT, and begin the script with a check: session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }. Change the passwords that were given away.',
        },
      },
    },
    fr: {
      title: 'Un script PHP modifie des données sans authentification',
      message:
        'Ce script modifie des données avec {sink} ; ni lui ni ce qu’il inclut ne contrôle une session, un jeton ou un en-tête.',
      why: 'Un attaquant non authentifié qui envoie une requête à ce script modifie ses données. Une connexion que seule l’application affiche ne protège pas le script.',
      fix: 'Commencez le script par un contrôle : session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }. Placez-le dans un fichier que tous les scripts incluent.',
      variants: {
        reads: {
          title: 'Un script PHP lit des données sans authentification',
          message:
            'Ce script lit des données avec {sink} ; ni lui ni ce qu’il inclut ne contrôle une session, un jeton ou un en-tête.',
          why: 'Si les données ne sont pas publiques, un attaquant non authentifié qui envoie une requête à ce script les lit. Une connexion que seule l’application affiche ne protège pas le script.',
        },
        changed: {
          title: 'Un script PHP change des mots de passe sans authentification',
          message:
            'Ce script change, au moyen de {sink}, le mot de passe d’un utilisateur que la requête désigne ; ni lui ni ce qu’il inclut ne contrôle une session, l’ancien mot de passe ou un jeton envoyé par e-mail.',
          why: 'Un attaquant non authentifié choisit le mot de passe de n’importe quel utilisateur, administrateur compris, et se connecte à sa place.',
          fix: 'Contrôlez la session et l’ancien mot de passe avec password_verify() avant l’UPDATE, ou recherchez l’utilisateur par un jeton aléatoire à durée limitée, envoyé par e-mail : WHERE reset_token = ?.',
        },
        columns: {
          title: 'Un script PHP écrit des mots de passe sans authentification',
          message:
            'Cette liste permet aux requêtes de lire et d’écrire la colonne {column} : un script qui ne contrôle ni session, ni jeton, ni en-tête en construit ses instructions ({sink}).',
          why: 'Un attaquant non authentifié lit les empreintes de mots de passe de tous les utilisateurs, ou remplace celle d’un administrateur, et se connecte à sa place.',
          fix: 'Retirez {column} de la liste et de ce que renvoie le SELECT, définissez les mots de passe dans un script à part, et commencez les scripts par un contrôle : session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }.',
        },
        passwords: {
          title: 'Un script PHP divulgue des mots de passe sans authentification',
          message:
            'Ce script lit des lignes avec leurs mots de passe au moyen de {sink} et répond ; ni lui ni ce qu’il inclut ne contrôle une session, un jeton ou un en-tête.',
          why: 'Un attaquant non authentifié qui envoie une requête à ce script obtient les mots de passe ou leurs empreintes, et peut se connecter à la place de ces utilisateurs.',
          fix: 'Retirez la colonne des mots de passe du SELECT et commencez le script par un contrôle : session_start(); if (!isset($_SESSION["user"])) { http_response_code(401); exit; }. Changez les mots de passe divulgués.',
        },
      },
    },
  }),
})

function kindOf({ changesPasswords, givesPasswords, passwordColumn, isChange, isPersonal }: DataUse): string {
  if (passwordColumn !== undefined) return 'columns'
  if (changesPasswords === true) return 'changed'
  return givesPasswords === true ? 'passwords' : isChange ? 'changes' : isPersonal ? 'personal' : 'public'
}
