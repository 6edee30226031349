import { defineRule, type Rule } from '../rule.ts'
import { findPythonPageFaults } from './_python-pages.ts'

/**
 * A route of a deployed Python application that answers with a page in which a value of its request stands as it came, or that makes a template of it.
 * Facts: FastAPI, "Custom Response" (HTMLResponse escapes nothing); Flask 3, "Quickstart" (HTML Escaping) and `render_template_string`; Django, `mark_safe`.
 * Impact: runs scripts in the session of a victim who follows a link; a template runs code on the server.
 */
export const pythonReflectedXss: Rule = defineRule({
  id: 'btp/python-reflected-xss',
  impact: 'session',
  // a link or a form reaches every user
  reach: 'anyone',
  confidence: 'high',
  cwe: [79],
  since: '0.3.0',
  docs: 'https://flask.palletsprojects.com/en/stable/quickstart/#html-escaping',
  docsByVariant: { template: 'https://flask.palletsprojects.com/en/stable/api/#flask.render_template_string' },
  grades: { template: { impact: 'takeover' } },
  on: 'project',

  *check(project) {
    for (const { file, span, part, sink, isTemplate } of findPythonPageFaults(project)) {
      const { exposure } = project.reach.ofServer(file)
      yield {
        at: { file, span },
        args: { part, sink },
        ...(isTemplate && { variant: 'template', reach: exposure.reach }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Reflected cross-site scripting (XSS) in a Python page',
      message: '{sink} returns request data ({part}) as HTML without escaping it.',
      why: 'An attacker who gets a user to open a crafted link or page can run a script in that user’s browser, with the user’s permissions.',
      fix: 'Escape the value with html.escape(value), or render the page with a Jinja2 template in which autoescape is enabled.',
      variants: {
        template: {
          title: 'Server-side template injection in Python',
          message: 'Request data ({part}) becomes part of the template that {sink} runs.',
          why: 'An attacker can write template expressions, which run code on the server with the permissions of the application.',
          fix: 'Write a constant template, and pass the value to it: render_template_string("<p>{{ name }}</p>", name=value).',
        },
      },
    },
    fr: {
      title: 'XSS réfléchi dans une page Python',
      message: '{sink} renvoie en HTML des données de la requête ({part}) sans les échapper.',
      why: 'Un attaquant qui amène un utilisateur à ouvrir un lien ou une page piégés peut exécuter un script dans le navigateur de cet utilisateur, avec ses droits.',
      fix: 'Échappez la valeur avec html.escape(valeur), ou produisez la page avec un modèle Jinja2 dans lequel autoescape est activé.',
      variants: {
        template: {
          title: 'Injection de modèle côté serveur en Python',
          message: 'Des données de la requête ({part}) deviennent une partie du modèle que {sink} exécute.',
          why: 'Un attaquant peut écrire des expressions de modèle, qui exécutent du code sur le serveur avec les droits de l’application.',
          fix: 'Écrivez un modèle constant, et passez-lui la valeur : render_template_string("<p>{{ nom }}</p>", nom=valeur).',
        },
      },
    },
  }),
})
