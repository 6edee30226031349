import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Passwords of users that scripts of PHP store or compare as they are, or as a hash without salt.
 * Facts: PHP manual, password_hash and password_verify; OWASP Password Storage Cheat Sheet.
 * Impact: whoever reads the database, a backup or a dump logs in as any of its users, there and where they have the same password.
 */
export const phpPasswordPlainText: Rule = defineRule({
  id: 'btp/php-password-plain-text',
  impact: 'takeover',
  reach: 'privileged',
  grades: { hashed: { evidence: 'assumed' } },
  confidence: 'medium',
  cwe: [256, 916],
  since: '0.3.0',
  docs: 'https://www.php.net/manual/en/faq.passwords.php',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'password', 'rule')
  },

  text: () => ({
    en: {
      title: 'Passwords compared in plain text in PHP',
      message:
        'The password from the request ({part}) is compared with the stored one as it is: passwords are stored in plain text.',
      why: 'An attacker who reads the database or a backup of it gets the passwords of all users, and can log in as them here and elsewhere.',
      fix: 'Store password_hash($password, PASSWORD_DEFAULT). For the login, read the hash by the user name and check it with password_verify($password, $row["password"]).',
      variants: {
        stored: {
          title: 'Password stored in plain text in PHP',
          message: 'The password from the request ({part}) is stored as it is.',
          fix: 'Store password_hash($password, PASSWORD_DEFAULT) instead of the password.',
        },
        hashed: {
          title: 'Passwords hashed with a fast algorithm in PHP',
          message: 'The password from the request ({part}) is hashed with {sink}, without a salt and in one step.',
          why: 'An attacker who reads the database or a backup of it finds most of the passwords in seconds, and can log in with them here and elsewhere.',
          fix: 'Use password_hash($password, PASSWORD_DEFAULT) to store and password_verify($password, $row["password"]) to check passwords.',
        },
      },
    },
    fr: {
      title: 'Mots de passe comparés en clair en PHP',
      message:
        'Le mot de passe de la requête ({part}) est comparé tel quel à celui qui est stocké : les mots de passe sont stockés en clair.',
      why: 'Un attaquant qui lit la base de données ou l’une de ses sauvegardes obtient les mots de passe de tous les utilisateurs et peut se connecter à leur place, ici et ailleurs.',
      fix: 'Stockez password_hash($password, PASSWORD_DEFAULT). Pour la connexion, lisez le hachage par le nom d’utilisateur et contrôlez-le avec password_verify($password, $row["password"]).',
      variants: {
        stored: {
          title: 'Mot de passe stocké en clair en PHP',
          message: 'Le mot de passe de la requête ({part}) est stocké tel quel.',
          fix: 'Stockez password_hash($password, PASSWORD_DEFAULT) à la place du mot de passe.',
        },
        hashed: {
          title: 'Mots de passe hachés par un algorithme rapide en PHP',
          message: 'Le mot de passe de la requête ({part}) est haché avec {sink}, sans sel et en une seule étape.',
          why: 'Un attaquant qui lit la base de données ou l’une de ses sauvegardes retrouve la plupart des mots de passe en quelques secondes et peut s’en servir ici et ailleurs.',
          fix: 'Utilisez password_hash($password, PASSWORD_DEFAULT) pour stocker et password_verify($password, $row["password"]) pour contrôler les mots de passe.',
        },
      },
    },
  }),
})
