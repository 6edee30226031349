import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * SQL that a script of PHP puts together with what a request sends: the value neither bound, nor a number, nor escaped within quotes.
 * Facts: PHP manual, "SQL Injection"; PDO::prepare and mysqli_prepare (placeholders); mysqli_real_escape_string protects within quotes alone.
 * Impact: reads and changes data of the database with one request.
 */
export const phpSqlInjection: Rule = defineRule({
  id: 'btp/php-sql-injection',
  impact: 'data',
  confidence: 'high',
  cwe: [89],
  since: '0.3.0',
  docs: 'https://www.php.net/manual/en/security.database.sql-injection.php',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'sql')
  },

  text: () => ({
    en: {
      title: 'SQL injection through request data in PHP',
      message: '{part} from the request is concatenated into the SQL statement passed to {sink}.',
      why: 'An attacker can inject SQL and read, change or delete everything that the database user of this script can access.',
      fix: 'Use placeholders and bind the values: $stmt = $con->prepare("… WHERE id = ?"); $stmt->bind_param("s", $id); $stmt->execute(). With PDO, pass them to execute([$id]).',
      variants: {
        prepared: {
          message:
            '{part} from the request is concatenated into the SQL statement before {sink} prepares it; what is part of the text is not bound.',
          fix: 'Write a placeholder (? or :name) in the text instead of the value, and bind the value afterwards: $stmt->execute([$id]) or bind_param.',
        },
        name: {
          message: '{part} from the request is used as the name of a table or column in the SQL statement passed to {sink}.',
          fix: 'Take the name from a constant list: if (!in_array($name, ["title", "year"], true)) exit;. Placeholders stand for values only, not for names.',
        },
      },
    },
    fr: {
      title: 'Injection SQL par des données de la requête en PHP',
      message: '{part}, issu de la requête, est concaténé dans l’instruction SQL passée à {sink}.',
      why: 'Un attaquant peut injecter du SQL et lire, modifier ou supprimer tout ce à quoi l’utilisateur de la base de ce script a accès.',
      fix: 'Utilisez des marqueurs de paramètre et liez les valeurs : $stmt = $con->prepare("… WHERE id = ?"); $stmt->bind_param("s", $id); $stmt->execute(). Avec PDO, passez-les à execute([$id]).',
      variants: {
        prepared: {
          message:
            '{part}, issu de la requête, est concaténé dans l’instruction SQL avant que {sink} ne la prépare ; ce qui fait partie du texte n’est pas lié.',
          fix: 'Écrivez un marqueur (? ou :nom) dans le texte à la place de la valeur, puis liez celle-ci : $stmt->execute([$id]) ou bind_param.',
        },
        name: {
          message: '{part}, issu de la requête, sert de nom de table ou de colonne dans l’instruction SQL passée à {sink}.',
          fix: 'Prenez le nom dans une liste constante : if (!in_array($name, ["title", "year"], true)) exit;. Un marqueur remplace une valeur, jamais un nom.',
        },
      },
    },
  }),
})
