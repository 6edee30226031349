import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Paths and addresses that a script of PHP opens, of which a request says the name or the host.
 * Facts: PHP manual, basename, file_get_contents (URLs are opened as files where allow_url_fopen is on, which is the default).
 * Impact: reads, changes or deletes files of the server, or sends requests from it to hosts that it alone reaches.
 */
export const phpFileAccess: Rule = defineRule({
  id: 'btp/php-file-access',
  impact: 'data',
  confidence: 'high',
  cwe: [22, 918],
  since: '0.3.0',
  docs: 'https://owasp.org/www-community/attacks/Path_Traversal',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'file')
  },

  text: () => ({
    en: {
      title: 'Path traversal through request data in PHP',
      message: '{part} from the request determines which file {sink} reads.',
      why: 'With ../ in the value an attacker can read any file that the web server can read, such as scripts with passwords of the database.',
      fix: 'Use the file name alone in a fixed folder: $name = basename($name); $path = "files/$name";. If the files are known, take the name from a constant list.',
      variants: {
        change: {
          message: '{part} from the request determines which file {sink} creates, changes or deletes.',
          why: 'With ../ in the value an attacker can overwrite or delete any file that the web server may write, or store a script that the server runs.',
        },
        address: {
          title: 'Server-side request forgery (SSRF) in PHP',
          message: '{part} from the request determines the host that {sink} requests, or the file that it reads.',
          why: 'An attacker can reach systems behind the firewall from this server, such as metadata services and admin pages, and read the answer.',
          fix: 'Keep the scheme and host constant and encode what varies: $id = rawurlencode($id); $url = "https://api.example.com/pets/$id";.',
        },
      },
    },
    fr: {
      title: 'Traversée de chemin par des données de la requête en PHP',
      message: '{part}, issu de la requête, détermine le fichier que {sink} lit.',
      why: 'Avec ../ dans la valeur, un attaquant peut lire tout fichier que le serveur web peut lire, comme les scripts qui contiennent les mots de passe de la base.',
      fix: 'Utilisez seulement le nom du fichier dans un dossier fixe : $name = basename($name); $path = "files/$name";. Si les fichiers sont connus, prenez le nom dans une liste constante.',
      variants: {
        change: {
          message: '{part}, issu de la requête, détermine le fichier que {sink} crée, modifie ou supprime.',
          why: 'Avec ../ dans la valeur, un attaquant peut écraser ou supprimer tout fichier que le serveur web peut écrire, ou déposer un script que le serveur exécute.',
        },
        address: {
          title: 'Falsification de requête côté serveur (SSRF) en PHP',
          message: '{part}, issu de la requête, détermine l’hôte que {sink} interroge, ou le fichier lu.',
          why: 'Un attaquant peut atteindre depuis ce serveur des systèmes situés derrière le pare-feu, comme des services de métadonnées et des pages d’administration, et lire la réponse.',
          fix: 'Gardez constants le schéma et l’hôte et encodez ce qui varie : $id = rawurlencode($id); $url = "https://api.example.com/pets/$id";.',
        },
      },
    },
  }),
})
