import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The key of an object in an object store as a client sends it: each object of the bucket is the client's choice.
 * Facts: @aws-sdk/client-s3 3, GetObjectCommand, DeleteObjectCommand, CopyObjectCommand; aws-sdk 2, S3; cloudinary 2, `public_id` (API references).
 * Impact: a caller reads, deletes or replaces objects of others; what else the bucket holds is not in the project.
 */
export const objectKeyFromRequest: Rule = defineRule({
  id: 'cap/object-key-from-request',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [639],
  since: '0.3.0',
  docs: 'https://owasp.org/API-Security/editions/2023/en/0xa1-broken-object-level-authorization/',
  on: 'flow',

  *check(hit) {
    // below a folder that the server writes before it
    if (hit.concatenated) return
    const variant = hit.detail === 'kept' ? { variant: 'replaced' } : {}
    yield { ...gradeHit(hit), confidence: 'medium', args: { part: hit.quotedPart, sink: hit.quotedSink }, ...variant }
  },

  text: () => ({
    en: {
      title: 'Object store key chosen by the client',
      message: 'The key of the object that {sink} addresses is request data ({part}).',
      why: 'A caller who sends the key of another object reads or deletes it: the bucket checks the permissions of the application, not those of the caller.',
      fix: 'Store the key with its owner in the database, select it by the ID and the user of the request, and pass that one. Or put a folder of the user before it: `${userId}/${path.basename(name)}`.',
      variants: {
        replaced: {
          title: 'Name of an uploaded file chosen by the client',
          message: 'The name under which {sink} stores a file is request data ({part}).',
          why: 'A caller who sends the name of another file replaces it: the store checks the permissions of the application, not those of the caller.',
          fix: 'Leave the name out, so that the store draws one. Or make it on the server: crypto.randomUUID().',
        },
      },
    },
    fr: {
      title: 'Clé d’objet de stockage choisie par le client',
      message: 'La clé de l’objet que désigne {sink} vient de la requête ({part}).',
      why: 'Un appelant qui envoie la clé d’un autre objet le lit ou le supprime : le bucket contrôle les droits de l’application, pas ceux de l’appelant.',
      fix: 'Enregistrez la clé avec son propriétaire dans la base de données, sélectionnez-la d’après l’ID et l’utilisateur de la requête, et transmettez celle-ci. Ou faites-la précéder d’un dossier de l’utilisateur : `${userId}/${path.basename(nom)}`.',
      variants: {
        replaced: {
          title: 'Nom d’un fichier déposé choisi par le client',
          message: 'Le nom sous lequel {sink} enregistre un fichier vient de la requête ({part}).',
          why: 'Un appelant qui envoie le nom d’un autre fichier le remplace : le stockage contrôle les droits de l’application, pas ceux de l’appelant.',
          fix: 'Omettez le nom, pour que le stockage en tire un. Ou créez-le sur le serveur : crypto.randomUUID().',
        },
      },
    },
  }),
})
