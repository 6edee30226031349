import { constantOf, fieldOf, pathsOf, type CallValue, type Value } from '../../facts/index.ts'
import { AUTHENTICATES } from '../../flow/tables/routes.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { quoteValue } from '../../quote.ts'
import { numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { annotatedValue, keyIn, productionSettings, servedServices } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A limit for request bodies so high that a few of them exhaust the memory.
 * Facts: capire, "cds.server", configuration (`server.body_parser.limit`); body-parser reads 100kb by default, and units as `bytes` does;
 * @sap/cds 9.9.3, lib/srv/protocols/http.js: a router checks the service’s @requires, then parses the body.
 * Express 5, "express.json" and "Using middleware" (what is registered first runs first); body-parser 2 (README, "limit").
 * A parser for one path may be meant for large uploads; one for all requests that runs before any login reads them for strangers.
 * Impact: a missing limit against denial of service.
 */
export const bodyLimitExcessive: Rule = defineRule({
  id: 'cap/body-limit-excessive',
  impact: 'defence',
  confidence: 'high',
  cwe: [770],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-server#maximum-request-body-size',
  keywords: ['limit'],
  prefilter: (text) => PARSED.test(text),

  checks: {
    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isToolFile(path) || isDeveloperFile(path)) return
      let from: number | undefined
      for (const { callee, args } of facts.calls) {
        budget.step()
        if (!('object' in callee) || callee.name !== 'use' || args.length !== 1) continue
        const [parser] = args
        if (parser === undefined || !('callee' in parser) || !isBodyParser(parser)) continue
        const limit = parser.args[0] && fieldOf(parser.args[0], 'limit')?.value
        const size = sizeOf(limit && constantOf(limit))
        if (limit === undefined || size === undefined || size < LARGE_BODY) continue
        from ??= firstLogin(facts.calls, text)
        if (callee.end > from) continue
        const { start, end } = limit
        const value = text.slice(start, end).replace(/^["'`]|["'`]$/g, '')
        yield {
          at: { file: path, span: { start, end } },
          args: { value: quoteValue(value) },
          variant: 'parser',
          groupKey: path,
        }
      }
    },

    *'cap-root'(root) {
      for (const setting of productionSettings(root, 'server', 'body_parser', 'limit')) {
        const size = bytesOf(setting.node)
        if (size === undefined || size <= MAX_SIZE) continue
        const value = stringOf(setting.node) ?? String(size)
        yield {
          at: setting.place,
          args: {
            key: keyIn(setting, 'server', 'body_parser', 'limit'),
            value: quoteValue(value),
            file: setting.place.file,
            size: '"1mb"',
          },
          ...variantOf(value),
        }
      }
      if (root.runtime === 'java') return
      for (const { annotations } of servedServices(root)) {
        const found = annotatedValue(annotations, ANNOTATION)
        const value = found?.value.kind === 'string' || found?.value.kind === 'number' ? found.value.value : undefined
        const size = sizeOf(value)
        if (found === undefined || size === undefined || size <= MAX_SIZE) continue
        const args = { key: `@${ANNOTATION}`, value: quoteValue(String(value)), file: found.place.file, size: "'1mb'" }
        yield { at: found.place, args, ...variantOf(String(value)) }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Excessive size limit for request bodies',
      message: '{key} is {value} in {file}; the default is 100kb.',
      why: 'CAP Node.js checks only the roles required for the service before it reads the whole body into memory: an attacker who passes that check can exhaust the memory with a few large concurrent requests.',
      fix: 'Set {key} in {file} to the size of the largest body (JSON or $batch) that a client actually sends, for example {size}. Upload files as media streams (@Core.MediaType), to which the limit does not apply.',
      variants: {
        bytes: { message: '{key} is {value} bytes in {file}; the default is 100kb.' },
        parser: {
          message:
            'This parser reads bodies of up to {value} of all requests, before any login in this file; its default is 100kb.',
          why: 'The whole body is read into memory and parsed before anything knows who calls: an attacker without a login can exhaust the memory with a few large concurrent requests.',
          fix: 'Register the parser behind the login and for the path that needs it: app.use("/<path>", <login>, express.json({ limit: "1mb" })), with the size of the largest body that a client actually sends.',
        },
      },
    },
    fr: {
      title: 'Taille maximale excessive pour le corps des requêtes',
      message: '{key} vaut {value} dans {file} ; la valeur par défaut est 100kb.',
      why: 'CAP Node.js ne vérifie que les rôles exigés pour le service avant de lire tout le corps en mémoire : un attaquant qui passe ce contrôle peut épuiser la mémoire avec quelques requêtes volumineuses simultanées.',
      fix: 'Limitez {key} dans {file} à la taille du plus grand corps (JSON ou $batch) qu’un client envoie réellement, par exemple {size}. Téléversez les fichiers sous forme de flux (@Core.MediaType), auxquels la limite ne s’applique pas.',
      variants: {
        bytes: { message: '{key} vaut {value} octets dans {file} ; la valeur par défaut est 100kb.' },
        parser: {
          message:
            'Cet analyseur lit des corps allant jusqu’à {value} pour toutes les requêtes, avant toute connexion dans ce fichier ; par défaut, 100kb.',
          why: 'Tout le corps est lu en mémoire et analysé avant que l’appelant soit connu : un attaquant sans connexion peut épuiser la mémoire avec quelques requêtes volumineuses simultanées.',
          fix: 'Enregistrez l’analyseur après la connexion et pour le chemin qui en a besoin : app.use("/<chemin>", <connexion>, express.json({ limit: "1mb" })), avec la taille du plus grand corps qu’un client envoie réellement.',
        },
      },
    },
  }),
})

const ANNOTATION = 'cds.server.body_parser.limit'
/** A number without a unit counts bytes. */
function variantOf(value: string): { readonly variant?: string } {
  return /^[\d.]+$/.test(value.trim()) ? { variant: 'bytes' } : {}
}

/** What a parser that runs before any login should not read. */
const LARGE_BODY = 20 * 1024 * 1024

const PARSED = /\b(?:json|urlencoded|text|raw)\(\s{0,20}\{/
const PARSER = /^module:(?:express|body-parser) (?:json|urlencoded|text|raw) \(\)$/

function isBodyParser(given: CallValue): boolean {
  return pathsOf(given).some((path) => PARSER.test(path.join(' ')))
}

/** Where the first middleware is registered whose text speaks of a login. */
function firstLogin(calls: readonly CallValue[], text: string): number {
  const asks = ({ start, end }: Value): boolean => AUTHENTICATES.test(text.slice(start, Math.min(end, start + MOST_OF_LOGIN)))
  return calls.find(({ callee, args }) => 'object' in callee && callee.name === 'use' && args.some(asks))?.start ?? Infinity
}

const MOST_OF_LOGIN = 2000

const MAX_SIZE = 50 * 1024 * 1024

const UNITS: ReadonlyMap<string, number> = new Map([
  ['b', 1],
  ['kb', 1024],
  ['mb', 1024 ** 2],
  ['gb', 1024 ** 3],
  ['tb', 1024 ** 4],
])

function bytesOf(node: DataNode): number | undefined {
  return sizeOf(stringOf(node) ?? numberOf(node))
}

function sizeOf(text: unknown): number | undefined {
  if (typeof text !== 'string') return typeof text === 'number' ? text : undefined
  if (text === 'Infinity') return Number.POSITIVE_INFINITY
  const [, digits, unit = 'b'] = /^(\d{1,15}(?:\.\d{1,5})?) ?([kmgt]?b)?$/i.exec(text.trim()) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS.get(unit.toLowerCase()) ?? 1)
}
