import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Data of a request that a script of PHP runs: as a command of the host, as code, as the name of a function, as a file that it includes, or as objects that it makes of it.
 * Facts: PHP manual, escapeshellarg, eval, unserialize (warning on untrusted data), include.
 * Impact: runs code on the server.
 */
export const phpCodeInjection: Rule = defineRule({
  id: 'btp/php-code-injection',
  impact: 'takeover',
  confidence: 'high',
  cwe: [78, 94, 98, 502],
  since: '0.3.0',
  docs: 'https://owasp.org/www-community/attacks/Code_Injection',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'code')
  },

  text: () => ({
    en: {
      title: 'Code injection through request data in PHP',
      message: '{sink} runs {part} from the request as code.',
      why: 'An attacker can run any PHP code on the server, with the permissions of the web server and access to all its data.',
      fix: 'Remove this call of {sink}. Choose what to do by comparing the value with constants: switch ($value) { case "list": … }.',
      variants: {
        command: {
          title: 'Command injection through request data in PHP',
          message: '{part} from the request is part of the command that {sink} runs.',
          why: 'An attacker can run any command on the server, with the permissions of the web server.',
          fix: 'Pass the value through escapeshellarg($value), or use a function of PHP instead of a command.',
        },
        unserialize: {
          title: 'Unsafe deserialization of request data in PHP',
          message: 'unserialize makes objects of {part} from the request.',
          why: 'An attacker can choose the classes and fields of the objects; their magic methods may delete files or run code on the server.',
          fix: 'Use json_decode($value, true), or pass ["allowed_classes" => false] as the second argument of unserialize.',
        },
        include: {
          title: 'File inclusion through request data in PHP',
          message: '{part} from the request determines which file is included and run.',
          why: 'An attacker can run any PHP file that the server can read, such as an upload, or one of a URL if allow_url_include is set.',
          fix: 'Take the file from a constant list: $pages = ["home" => "home.php"]; include $pages[$page] ?? "home.php";.',
        },
        function: {
          message: '{part} from the request is the name of the function that this script calls.',
          fix: 'Take the function from a constant list: $actions = ["list" => "listPets"]; if (isset($actions[$name])) $actions[$name]();.',
        },
      },
    },
    fr: {
      title: 'Injection de code par des données de la requête en PHP',
      message: '{sink} exécute comme code {part}, issu de la requête.',
      why: 'Un attaquant peut exécuter n’importe quel code PHP sur le serveur, avec les droits du serveur web et l’accès à toutes ses données.',
      fix: 'Supprimez cet appel de {sink}. Choisissez le traitement en comparant la valeur à des constantes : switch ($value) { case "list": … }.',
      variants: {
        command: {
          title: 'Injection de commandes par des données de la requête en PHP',
          message: '{part}, issu de la requête, fait partie de la commande exécutée par {sink}.',
          why: 'Un attaquant peut exécuter n’importe quelle commande sur le serveur, avec les droits du serveur web.',
          fix: 'Passez la valeur à escapeshellarg($value), ou utilisez une fonction de PHP à la place de la commande.',
        },
        unserialize: {
          title: 'Désérialisation dangereuse de données de la requête en PHP',
          message: 'unserialize crée des objets à partir de {part}, issu de la requête.',
          why: 'Un attaquant peut choisir les classes et les champs des objets ; leurs méthodes magiques peuvent supprimer des fichiers ou exécuter du code sur le serveur.',
          fix: 'Utilisez json_decode($value, true), ou passez ["allowed_classes" => false] en deuxième argument d’unserialize.',
        },
        include: {
          title: 'Inclusion de fichier par des données de la requête en PHP',
          message: '{part}, issu de la requête, détermine quel fichier est inclus et exécuté.',
          why: 'Un attaquant peut exécuter tout fichier PHP que le serveur peut lire, comme un fichier téléversé, ou celui d’une URL si allow_url_include est actif.',
          fix: 'Prenez le fichier dans une liste constante : $pages = ["home" => "home.php"]; include $pages[$page] ?? "home.php";.',
        },
        function: {
          message: '{part}, issu de la requête, est le nom de la fonction que ce script appelle.',
          fix: 'Prenez la fonction dans une liste constante : $actions = ["list" => "listPets"]; if (isset($actions[$name])) $actions[$name]();.',
        },
      },
    },
  }),
})
