import { getsVersionsWithin } from '../../model/npm/index.ts'
import { processListeners } from './_routes/process-listeners.ts'
import { throwingAnswers } from './_routes/throwing-answers.ts'
import { resolveModule } from '../../flow/index.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { dropsRejections, throwingPlaces } from './_routes/throwing-handlers.ts'
import { schemaFields } from './_rows/schema-fields.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A handler of Express 4 that a request makes throw where nobody catches it, by what is missing, malformed, no text, or no key of a row: in an async function, or in a callback that runs later, such as one that reads the answer
 * of another system as JSON, although the request decides what that is asked for.
 * Facts: Express 5, "Moving to Express 5" (rejected promises: before, nobody handles them); Express, "Error handling" (what asynchronous callbacks throw, the app must catch);
 * Node.js 15 and later, `--unhandled-rejections` (`throw` by default), "uncaughtException" (the process ends).
 * @sap/cds 9.9.3, bin/serve.js: `_shutdown` listens to both, unless `cds.server.shutdown_on_uncaught_errors` is false. multer 2: without a file, `req.file` is undefined.
 * Impact: one request ends the process, for all users. The platform starts it again, and the attacker sends the next request.
 */
export const expressUnhandledRejection: Rule = defineRule({
  id: 'cap/express-unhandled-rejection',
  impact: 'bounded',
  reach: 'user',
  inOpenRoute: 'shown',
  confidence: 'high',
  cwe: [248, 755],
  since: '0.3.0',
  docs: 'https://expressjs.com/en/guide/error-handling.html#catching-errors',
  extracts: [throwingPlaces, throwingAnswers, schemaFields, processListeners],
  on: 'project',

  *check({ scripts, npm, files, step }) {
    const found = scripts.get(throwingPlaces)
    const answers = scripts.get(throwingAnswers)
    if (found.length + answers.length === 0 || scripts.get(processListeners).length > 0) return
    for (const { file, value } of answers) {
      step()
      const { start, end, code } = value
      if (getsVersionsWithin(file, 'express', '>=3.0.0', npm))
        yield { at: { file, span: { start, end } }, args: { code }, groupKey: `answer ${file}`, variant: 'answer' }
    }
    // `_id: String` takes any key
    const areKeysTexts = scripts.get(schemaFields).some(({ value }) => value.name === '_id')
    for (const { file, value } of found) {
      step()
      const { start, end, kind, code, isBeforeLogin, by, source, why } = value
      if (by !== undefined && (!getsVersionsWithin(file, by, '*', npm) || (by === 'mongoose' && areKeysTexts))) continue
      if (by === 'mongoose' && source !== undefined && isNoModel(resolveModule(file, source, files)?.path, scripts)) continue
      const isLater = kind === 'callback'
      if (isLater ? !getsVersionsWithin(file, 'express', '>=3.0.0', npm) : !dropsRejections(file, npm)) continue
      yield {
        at: { file, span: { start, end } },
        args: { code },
        groupKey: `${kind} ${why ?? ''} ${file}`,
        ...((isLater || why !== undefined) && { variant: isLater ? 'callback' : why }),
        ...(isBeforeLogin === true && { reach: 'anyone' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unhandled rejection in an async Express route',
      message:
        '`{code}` throws for some requests, in an async handler without try and catch. Express 4 does not handle the rejection, and Node.js ends the process.',
      why: 'An attacker ends the whole server, for all users and services, with one malformed request such as one without the file or the field, and repeats it after each restart.',
      fix: 'Put the body of the handler in try { … } catch (error) { next(error) } and respond with 400 to what is missing or malformed, or upgrade to Express 5, which handles rejected promises.',
      variants: {
        callback: {
          title: 'Uncaught exception in a callback of an Express route',
          message:
            '`{code}` throws for some requests, in a callback that runs after the handler has returned. Express does not catch it, and Node.js ends the process.',
          fix: 'Pass errors on in the callback: if (err) return next(err). Put code that may throw in try { … } catch (error) { next(error) } inside the callback.',
        },
        type: {
          message:
            '`{code}` throws if a list or an object is sent instead of a text (?name=a&name=b, JSON), in an async handler without try and catch. Express 4 does not handle the rejection, and Node.js ends the process.',
          why: 'An attacker ends the whole server, for all users and services, with one request that sends the field twice or as JSON of another type, and repeats it after each restart.',
          fix: 'Check the type before this line: if (typeof … !== "string") return res.status(400).end(). Or put the body of the handler in try { … } catch (error) { next(error) }, or upgrade to Express 5.',
        },
        row: {
          message:
            '`{code}` throws if the request names a row that does not exist, in an async handler without try and catch. Express 4 does not handle the rejection, and Node.js ends the process.',
          why: 'An attacker ends the whole server, for all users and services, with one request for a row that does not exist, and repeats it after each restart.',
          fix: 'Return 404 where the query finds no row, before its members are used. Or put the body of the handler in try { … } catch (error) { next(error) }, or upgrade to Express 5.',
        },
        answer: {
          title: 'Uncaught exception in a callback of an Express route',
          message:
            '`{code}` throws if the response of the other system is not JSON, in a callback that runs after the handler has returned. Express does not catch it, and Node.js ends the process.',
          why: 'An attacker sends a request for which the other system responds with an error page, ends the whole server with it, for all users and services, and repeats it after each restart.',
          fix: 'Put this call and the code that uses its result in try { … } catch { … } inside the callback, and respond with 502 in the catch block.',
        },
      },
    },
    fr: {
      title: 'Rejet de promesse non géré dans une route Express',
      message:
        '`{code}` lève une exception pour certaines requêtes, dans un gestionnaire async sans try ni catch. Express 4 ne gère pas ce rejet, et Node.js arrête le processus.',
      why: 'Un attaquant arrête tout le serveur, pour tous les utilisateurs et services, avec une seule requête mal formée (sans le fichier ou le champ), et recommence après chaque redémarrage.',
      fix: 'Placez le corps du gestionnaire dans try { … } catch (error) { next(error) } et répondez 400 à ce qui manque ou est mal formé, ou passez à Express 5, qui gère les promesses rejetées.',
      variants: {
        callback: {
          title: 'Exception non interceptée dans un callback de route Express',
          message:
            '`{code}` lève une exception pour certaines requêtes, dans un callback exécuté après le retour du gestionnaire. Express ne l’intercepte pas, et Node.js arrête le processus.',
          fix: 'Transmettez les erreurs dans le callback : if (err) return next(err). Placez le code qui peut échouer dans try { … } catch (error) { next(error) } à l’intérieur du callback.',
        },
        type: {
          message:
            '`{code}` lève une exception si une liste ou un objet est envoyé au lieu d’un texte (?name=a&name=b, JSON), dans un gestionnaire async sans try ni catch. Express 4 ne gère pas ce rejet, et Node.js arrête le processus.',
          why: 'Un attaquant arrête tout le serveur, pour tous les utilisateurs et services, avec une seule requête qui envoie le champ deux fois ou avec un autre type JSON, et recommence après chaque redémarrage.',
          fix: 'Vérifiez le type avant cette ligne : if (typeof … !== "string") return res.status(400).end(). Ou placez le corps du gestionnaire dans try { … } catch (error) { next(error) }, ou passez à Express 5.',
        },
        row: {
          message:
            '`{code}` lève une exception si la requête désigne une ligne qui n’existe pas, dans un gestionnaire async sans try ni catch. Express 4 ne gère pas ce rejet, et Node.js arrête le processus.',
          why: 'Un attaquant arrête tout le serveur, pour tous les utilisateurs et services, avec une seule requête pour une ligne qui n’existe pas, et recommence après chaque redémarrage.',
          fix: 'Répondez 404 si la requête ne trouve aucune ligne, avant d’en utiliser les champs. Ou placez le corps du gestionnaire dans try { … } catch (error) { next(error) }, ou passez à Express 5.',
        },
        answer: {
          title: 'Exception non interceptée dans un callback de route Express',
          message:
            '`{code}` lève une exception si la réponse de l’autre système n’est pas du JSON, dans un callback exécuté après le retour du gestionnaire. Express ne l’intercepte pas, et Node.js arrête le processus.',
          why: 'Un attaquant envoie une requête à laquelle l’autre système répond par une page d’erreur, arrête ainsi tout le serveur, pour tous les utilisateurs et services, et recommence après chaque redémarrage.',
          fix: 'Placez cet appel et le code qui utilise son résultat dans try { … } catch { … } à l’intérieur du callback, et répondez 502 dans le bloc catch.',
        },
      },
    },
  }),
})

/** A file of the project without a schema, such as a store by the name of what it keeps; one that passes models on has none either. */
function isNoModel(path: string | undefined, scripts: Scripts): boolean {
  return (
    path !== undefined && !/model|schema|entit|(?:^|\/)index\.\w{2,3}$/i.test(path) && scripts.of(path, schemaFields).length === 0
  )
}
