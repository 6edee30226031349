type Words = Readonly<
  Record<string, { readonly title: string; readonly message: string; readonly why: string; readonly fix: string }>
>

/** What is told of elements that handlers set, or should set. */
export const SET_WORDS: Readonly<Record<'en' | 'fr', Words>> = {
  en: {
    created: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element}, which the action {action} is supposed to set, is not read-only, and handlers check it on UPDATE only: {writers:or} can set it in create requests.',
      why: 'A user can create a row with the decision already made, such as an approved one, bypassing the action and its checks.',
      fix: 'Add @readonly to this element in {file}: the action can still change it on the server. Or overwrite it on CREATE whatever the request holds.',
    },
    changed: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element}, which the action {action} is supposed to set, is not read-only, and handlers set or check it on CREATE only: {writers:or} can set it in update requests.',
      why: 'A user can make the decision with a plain update request after the row was created, bypassing the action and its checks.',
      fix: 'Add @readonly to this element in {file}: handlers and the action can still change it on the server. Or reject update requests that hold it.',
    },
    entity: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element}, which a handler sets when a row of {entity} is written, is not read-only: {writers:or} can set it in create and update requests.',
      why: 'A user can set the decision with a plain request, without a row of {entity} and the checks in front of it.',
      fix: 'Add @readonly to this element in {file}: the handler can still change it on the server.',
    },
    triggered: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element} is not read-only, and this handler changes other rows when a request sets it to {state}: {writers:or} can do so with a plain update request.',
      why: 'A user can approve a row without the approver, and so start what follows an approval.',
      fix: "Add @readonly to this element in {file}, and set it in an action with @requires: '<role>'. Or check the role of the caller in a handler before UPDATE, and reject the request (403) otherwise.",
    },
    late: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element} is not read-only, and this handler sets it only after next(), when the row is already stored: the value that {writers:or} send is kept.',
      why: 'A user can create a row with the decision already made, such as an approved one: the assignment has no effect on the stored row.',
      fix: 'Set the element before the handler calls next(). Or set it in a before handler, which runs before the row is written.',
    },
    kept: {
      title: 'Mass assignment of an element that the server calculates',
      message:
        'Code of the server calculates {element:and} of {entity}, but @readonly is missing, and no handler checks what requests hold: {writers:or} can send any value.',
      why: 'A user can add this to a create or update request, and so have points, counts, totals, scores or checks of their own choice.',
      fix: 'Add @readonly to {element:and} in {file}: handlers can still change it on the server.',
    },
    computed: {
      title: 'Mass assignment of a value that the server computes',
      message:
        '{element}, which a handler sets when a row is created, is not read-only, and no handler sets it on UPDATE: {writers:or} can change it with a plain update request.',
      why: 'A user can replace the computed value, such as a price or an approver, by any other one after the row was created.',
      fix: 'Add @readonly to this element in {file}: the handler can still set it. Or compute it on UPDATE too.',
    },
    entityCreated: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element}, which a handler sets when a row of {entity} is written, is not read-only, and handlers check it on UPDATE only: {writers:or} can set it in create requests.',
      why: 'A user can create a row with the decision already made, such as an approved one, without {entity} and the checks in front of it.',
      fix: 'Set this element on CREATE whatever the request holds, and not only where the request leaves it out. Or add @readonly to it in {file}: handlers can still change it on the server.',
    },
    booked: {
      title: 'Mass assignment of a value that the server computes',
      message:
        '{element}, which a handler computes when a row is created and which other code adds or subtracts, is not read-only, and no handler sets it on UPDATE: {writers:or} can change it with a plain update request.',
      why: 'A user can replace the computed value after the row was created, such as by 0 or a negative number: what is booked or deducted for the row follows from it.',
      fix: 'Add @readonly to this element in {file}: the handler can still set it. Or compute it on UPDATE too.',
    },
    listed: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element} is not read-only, and no handler of the service sets or checks it: {writers:or} can send each of its values, although another service keeps the same rows for those who decide.',
      why: 'A user can make the decision on their own row with a plain create or update request, such as to approve it.',
      fix: 'Add @readonly to this element in the service for users: annotate its entity there with { <element> @readonly }. The service of those who decide can still change it.',
    },
    leftOut: {
      title: 'Mass assignment of a value that the server sets',
      message:
        '{element}, which handlers set, is not read-only, and the handler before UPDATE that refuses {others:and} in requests does not refuse this element: {writers:or} can change it with a plain update request.',
      why: 'A user can replace what the server has set, such as a state or a count, by any other value after the row was created.',
      fix: 'Add @readonly to this element in {file}: handlers can still set it. Or refuse it before UPDATE as the others.',
    },
    preset: {
      title: 'Mass assignment of a status or approval',
      message:
        '{element}, which a handler sets when a row is created, is not read-only, and no handler sets or checks it on UPDATE: {writers:or} can send each of its values.',
      why: 'A user can make the decision with a plain update request, such as to approve a row of their own.',
      fix: "Add @readonly to this element in {file}, and set it in an action with @requires: '<role>'. Or check the role of the caller in a handler before UPDATE, and reject the request (403) otherwise.",
    },
    payment: {
      title: 'Mass assignment of a payment status',
      message:
        '{element} is not read-only, and no handler of the service sets or checks it: {writers:or} can send any payment status in create and update requests.',
      why: 'A user can mark an order as paid without a payment: shipping, invoices and refunds that rely on the status follow from it.',
      fix: 'Add @readonly to this element in {file}. Set it in a handler after the payment provider has confirmed the payment, and compare the amount with the one of the order.',
    },
  },
  fr: {
    created: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element}, que l’action {action} est censée définir, n’est pas en lecture seule, et les gestionnaires ne le vérifient que sur UPDATE : {writers:ou} peuvent le définir dans leurs requêtes de création.',
      why: 'Un utilisateur peut créer une ligne où la décision est déjà prise, par exemple approuvée, en contournant l’action et ses contrôles.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : l’action peut toujours le modifier côté serveur. Ou remplacez sa valeur sur CREATE, quoi que contienne la requête.',
    },
    changed: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element}, que l’action {action} est censée définir, n’est pas en lecture seule, et les gestionnaires ne le définissent ou ne le vérifient que sur CREATE : {writers:ou} peuvent le définir dans leurs requêtes de modification.',
      why: 'Un utilisateur peut prendre la décision par une simple requête de modification après la création de la ligne, en contournant l’action et ses contrôles.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : les gestionnaires et l’action peuvent toujours le modifier côté serveur. Ou rejetez les requêtes de modification qui le contiennent.',
    },
    entity: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element}, qu’un gestionnaire définit à l’écriture d’une ligne de {entity}, n’est pas en lecture seule : {writers:ou} peuvent définir cet élément dans leurs requêtes de création et de modification.',
      why: 'Un utilisateur peut définir la décision par une simple requête, sans ligne de {entity} ni les contrôles qui la précèdent.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : le gestionnaire peut toujours le modifier côté serveur.',
    },
    triggered: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element} n’est pas en lecture seule, et ce gestionnaire modifie d’autres lignes quand une requête lui donne la valeur {state} : {writers:ou} peuvent le faire par une simple requête de modification.',
      why: 'Un utilisateur peut approuver une ligne sans l’approbateur, et déclencher ainsi ce qui suit une approbation.',
      fix: "Ajoutez @readonly à cet élément dans {file}, et définissez-le dans une action avec @requires: '<rôle>'. Ou vérifiez le rôle de l’appelant dans un gestionnaire avant UPDATE, et rejetez la requête (403) sinon.",
    },
    late: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element} n’est pas en lecture seule, et ce gestionnaire ne le définit qu’après next(), quand la ligne est déjà stockée : la valeur qu’envoient {writers:ou} est conservée.',
      why: 'Un utilisateur peut créer une ligne où la décision est déjà prise, par exemple approuvée : l’affectation n’a pas d’effet sur la ligne stockée.',
      fix: 'Définissez l’élément avant que le gestionnaire appelle next(). Ou définissez-le dans un gestionnaire before, qui s’exécute avant l’écriture de la ligne.',
    },
    kept: {
      title: 'Affectation de masse d’un élément que le serveur calcule',
      message:
        'Le code du serveur calcule {element:et} de {entity}, mais @readonly manque et aucun gestionnaire ne vérifie ce que contiennent les requêtes : {writers:ou} peuvent envoyer n’importe quelle valeur.',
      why: 'Un utilisateur peut l’ajouter à une requête de création ou de modification, et disposer ainsi de points, de compteurs, de totaux, de scores ou de contrôles de son choix.',
      fix: 'Ajoutez @readonly à {element:et} dans {file} : les gestionnaires peuvent toujours le modifier côté serveur.',
    },
    computed: {
      title: 'Affectation de masse d’une valeur calculée par le serveur',
      message:
        '{element}, qu’un gestionnaire définit à la création d’une ligne, n’est pas en lecture seule, et aucun gestionnaire ne le définit sur UPDATE : {writers:ou} peuvent le modifier par une simple requête.',
      why: 'Un utilisateur peut remplacer la valeur calculée, par exemple un prix ou un approbateur, par une autre après la création de la ligne.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : le gestionnaire peut toujours le définir. Ou calculez-le aussi sur UPDATE.',
    },
    entityCreated: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element}, qu’un gestionnaire définit à l’écriture d’une ligne de {entity}, n’est pas en lecture seule, et les gestionnaires ne le vérifient que sur UPDATE : {writers:ou} peuvent le définir dans leurs requêtes de création.',
      why: 'Un utilisateur peut créer une ligne où la décision est déjà prise, par exemple approuvée, sans {entity} ni les contrôles qui la précèdent.',
      fix: 'Définissez cet élément sur CREATE quoi que contienne la requête, et pas seulement quand elle l’omet. Ou ajoutez-lui @readonly dans {file} : les gestionnaires peuvent toujours le modifier côté serveur.',
    },
    booked: {
      title: 'Affectation de masse d’une valeur calculée par le serveur',
      message:
        '{element}, qu’un gestionnaire calcule à la création d’une ligne et que d’autre code ajoute ou soustrait, n’est pas en lecture seule, et aucun gestionnaire ne le définit sur UPDATE : {writers:ou} peuvent le modifier.',
      why: 'Un utilisateur peut remplacer la valeur calculée après la création de la ligne, par exemple par 0 ou un nombre négatif : ce qui est imputé ou déduit pour la ligne en découle.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : le gestionnaire peut toujours le définir. Ou calculez-le aussi sur UPDATE.',
    },
    listed: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element} n’est pas en lecture seule, et aucun gestionnaire du service ne le définit ni ne le contrôle : {writers:ou} peuvent en envoyer chaque valeur, alors qu’un autre service tient les mêmes lignes pour ceux qui décident.',
      why: 'Un utilisateur peut prendre la décision sur sa propre ligne par une simple requête de création ou de modification, par exemple l’approuver.',
      fix: 'Ajoutez @readonly à cet élément dans le service des utilisateurs : annotez-y son entité avec { <élément> @readonly }. Le service de ceux qui décident peut toujours le modifier.',
    },
    leftOut: {
      title: 'Affectation de masse d’une valeur définie par le serveur',
      message:
        '{element}, que des gestionnaires définissent, n’est pas en lecture seule, et le gestionnaire avant UPDATE qui refuse {others:et} dans les requêtes ne refuse pas cet élément : {writers:ou} peuvent le modifier par une simple requête.',
      why: 'Un utilisateur peut remplacer ce que le serveur a défini, par exemple un état ou un décompte, par une autre valeur après la création de la ligne.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : les gestionnaires peuvent toujours le définir. Ou refusez-le avant UPDATE comme les autres.',
    },
    preset: {
      title: 'Affectation de masse d’un statut ou d’une approbation',
      message:
        '{element}, qu’un gestionnaire définit à la création d’une ligne, n’est pas en lecture seule, et aucun gestionnaire ne le définit ni ne le vérifie sur UPDATE : {writers:ou} peuvent en envoyer chaque valeur.',
      why: 'Un utilisateur peut prendre la décision par une simple requête de modification, par exemple approuver sa propre ligne.',
      fix: "Ajoutez @readonly à cet élément dans {file}, et définissez-le dans une action avec @requires: '<rôle>'. Ou vérifiez le rôle de l’appelant dans un gestionnaire avant UPDATE, et rejetez la requête (403) sinon.",
    },
    payment: {
      title: 'Affectation de masse d’un statut de paiement',
      message:
        '{element} n’est pas en lecture seule, et aucun gestionnaire du service ne le définit ni ne le vérifie : {writers:ou} peuvent envoyer n’importe quel statut de paiement dans leurs requêtes de création et de modification.',
      why: 'Un utilisateur peut marquer une commande comme payée sans paiement : livraison, factures et remboursements qui se fient au statut en découlent.',
      fix: 'Ajoutez @readonly à cet élément dans {file}. Définissez-le dans un gestionnaire après confirmation du prestataire de paiement, et comparez le montant à celui de la commande.',
    },
  },
}
