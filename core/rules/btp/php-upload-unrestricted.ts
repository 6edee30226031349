import { defineRule, type Rule } from '../rule.ts'
import { phpMatches } from './_php-faults.ts'

/**
 * Uploads that a script of PHP keeps under the name that the client sends, and of which it asks neither type nor extension.
 * Facts: PHP manual, move_uploaded_file and "Handling file uploads" (the name and the type of $_FILES come from the client).
 * Impact: an upload that ends in .php runs on the server as soon as it is requested.
 */
export const phpUploadUnrestricted: Rule = defineRule({
  id: 'btp/php-upload-unrestricted',
  impact: 'takeover',
  confidence: 'medium',
  cwe: [434],
  since: '0.3.0',
  docs: 'https://owasp.org/www-community/vulnerabilities/Unrestricted_File_Upload',
  on: 'project',

  *check(project) {
    yield* phpMatches(project, 'upload')
  },

  text: () => ({
    en: {
      title: 'Unrestricted file upload in PHP',
      message: 'move_uploaded_file stores the upload under a name from the request ({part}); nothing here checks the extension.',
      why: 'An attacker can upload a file that ends in .php and request it: the web server then runs it, if the folder is below its root.',
      fix: 'Accept only extensions of a constant list, and make the name with uniqid: if (!in_array($extension, ["png", "pdf"], true)) exit;. Store uploads outside of the web root.',
    },
    fr: {
      title: 'Téléversement de fichiers sans restriction en PHP',
      message:
        'move_uploaded_file enregistre le fichier sous un nom issu de la requête ({part}) ; rien ici ne contrôle l’extension.',
      why: 'Un attaquant peut téléverser un fichier qui se termine par .php et le demander : le serveur web l’exécute alors, si le dossier se trouve sous sa racine.',
      fix: 'N’acceptez que les extensions d’une liste constante et créez le nom avec uniqid : if (!in_array($extension, ["png", "pdf"], true)) exit;. Enregistrez les fichiers hors de la racine web.',
    },
  }),
})
