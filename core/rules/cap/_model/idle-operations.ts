import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { lastName } from '../../../paths.ts'
import {
  findHandlers,
  isImplementedIn,
  isTrue,
  withoutComments,
  withoutEnding,
  type CapElement,
  type CapRoot,
  type CapService,
  HANDLER_PACKAGES,
} from '../../../model/cap/index.ts'
import type { RuleText } from '../../../types.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import { reachedFrom } from '../_rows/decided-states.ts'

/** A handler of an operation that is bound to no entity, or of events of entities. */
interface OperationHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** `*`: all, or nothing tells which. */
  readonly events: readonly string[]
  /** Last parts of the names of its entities; undefined: it is for none. */
  readonly entities: readonly string[] | undefined
  /** It works with nothing but what the request holds: no query, no call of another system or file, no function of another file. */
  readonly isIdle: boolean
  /** The same, but for a language model or another service that works on texts, which it asks. */
  readonly isForward: boolean
}

export const operationHandlers: Extract<OperationHandler> = defineExtract({
  name: 'cap-operation-handlers',
  keywords: ['.on(', ...HANDLER_PACKAGES],
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const callsIn = createInnerIndex(facts.calls)
    return findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, isTargeted, service, fact } = handler
      const named = events.flatMap((name = '*') => (name !== '*' && CRUD.test(name) !== isTargeted ? [] : name))
      if (phase !== 'on' || named.length === 0 || (isTargeted && entities === undefined)) return []
      const functions = reachedFrom(handler, facts, callsIn)
      step(functions.length)
      const uses = (more: RegExp): boolean => functions.some((one) => more.test(text.slice(one.start, one.end)))
      const isAlone = fact !== undefined && functions.every((one) => callsIn(one).every(({ callee }) => !isOfOtherFile(callee)))
      const isIdle = isAlone && !uses(USES_MORE)
      const mayForward = isAlone && !isIdle && uses(ASKS) && !uses(USES_DATA)
      const isForward =
        mayForward && functions.every((one) => callsIn(one).every((call) => !isOutside(call) || asksForText(call)))
      const isConnected = service.kind === 'connected'
      return [
        { service: service.name, isConnected, events: named, entities: isTargeted ? entities : undefined, isIdle, isForward },
      ]
    })
  },
})

/** A function of another file may do anything; errors of the project's own do nothing. */
function isOfOtherFile(callee: Value): boolean {
  return accessesOf(callee).some(({ root }) => root.startsWith('module:.')) && !(lastNameOf(callee) ?? '').endsWith('Error')
}

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|\*)$/
/** What answers later, or is asked at once: the database, files, processes, other systems, settings of the server. */
const USES_MORE =
  /\bawait\b|\.then\s{0,4}\(|Sync\s{0,4}\(|\b(?:SELECT|INSERT|UPDATE|DELETE|UPSERT|fetch|axios|require|import)\b|\bcds\s{0,4}\.\s{0,4}(?!log\b)|process\s{0,4}\.\s{0,4}env|\.(?:run|tx|send|emit|publish|entities)\b/

/** Services that work on the text that they get. */
const OF_TEXTS =
  /hugging_?face|open_?ai|anthropic|claude|gemini|generativelanguage|generative-ai|mistral|cohere|deep_?l\b|translat|sentiment|text_?analysis|ai-sdk|langchain|chat\/completions/i
/** What such a service may be given beside the text: documents, rows, tools. */
const HOLDS = /retriev|vector|embed|store|tool|agent|sql|database|loader/i

/** A call of a package, of what was made with one, or of another system; what a function is given or makes itself has its origin in other calls. */
function isOutside({ callee }: CallValue): boolean {
  let here = callee
  while (here.kind === 'member' || here.kind === 'call') here = here.kind === 'member' ? here.object : here.callee
  if (here.kind !== 'reference') return false
  const { binding, name } = here
  if (binding === undefined) return /^(?:fetch|axios|require)$/.test(name)
  if (binding.function.kind !== 'file' || functionOf(here) !== undefined) return false
  return !/^(?:cds|log|logger|console)$|Error$/i.test(name)
}

/** The package, or the address, is that of a service that works on texts; the answer of one says nothing of who gets it. */
function asksForText({ callee, args: [first] }: CallValue): boolean {
  const names: string[] = first === undefined ? [] : addressOf(first)
  findPart(callee, (part) => {
    names.push(...wordsOf(part))
    return false
  })
  return names.some((name) => OF_TEXTS.test(name)) && !names.some((name) => HOLDS.test(name))
}

function wordsOf(part: Value): readonly string[] {
  if (part.kind === 'literal') return typeof part.value === 'string' ? [part.value] : []
  if (part.kind === 'reference') return [part.name, part.binding?.module?.source ?? '']
  return part.kind === 'member' ? [part.name ?? ''] : []
}

/** The texts of an address, or of the settings of a request: `{ url }`. */
function addressOf(given: Value): string[] {
  const made = resolveValue(given)
  if (made.kind === 'object')
    return made.fields.flatMap(({ key, value }) => (/^(?:url|baseURL|destinationName)$/.test(key ?? '') ? addressOf(value) : []))
  if (made.kind === 'template' || made.kind === 'concat')
    return [...('texts' in made ? made.texts : []), ...made.parts.flatMap((one) => wordsOf(resolveValue(one)))]
  // the address of a destination: `(await getDestination({ destinationName: 'OpenAI' })).url`
  const asked = findPart(made, (part) => part.kind === 'call' && lastNameOf(part.callee) === 'getDestination')
  const [destination] = asked?.kind === 'call' ? asked.args : []
  return [...wordsOf(made), ...(destination === undefined ? [] : addressOf(destination))]
}

/** What asks another system. */
const ASKS = /\b(?:axios|fetch|executeHttpRequest|got|openai|ai)\b|\.(?:chatCompletion|generateContent|invoke|post)\s{0,4}\(/
/** Rows, files, processes, services of the project, and what other systems keep. */
const USES_DATA =
  /Sync\s{0,4}\(|\b(?:SELECT|INSERT|UPDATE|DELETE|UPSERT|require|import|readFile|writeFile|similarity\w{0,20}|retriever|vector\w{0,10}|embed\w{0,20})\b|\bcds\s{0,4}\.\s{0,4}(?!log\b|env\b)|\.(?:run|tx|emit|publish|entities|read|exec|query)\b/

/**
 * Tells whether operations are bound to no entity and give callers nothing but what they send, and whether entities without a table answer with nothing else, as
 * `me` does with the user of the request; the handlers of a root are looked at once. Needs the extract `operationHandlers`.
 */
export function createIdleReader(
  root: CapRoot,
): (service: CapService, elements: readonly CapElement[]) => 'idle' | 'forward' | undefined {
  let handlers: readonly PlacedHandler[] | undefined
  return (service, elements) => {
    if (root.runtime === 'java' || elements.some(({ kind, entity }) => kind !== 'entity' && entity !== undefined))
      return undefined
    const known = (handlers ??= placedHandlers(root)).filter(({ services }) => services?.includes(service) !== false)
    const found = elements.flatMap((element) => {
      const last = lastName(element.name)
      const own = known.filter(({ events, entities }) =>
        element.kind === 'entity' ? entities?.includes(last) === true : entities === undefined && events.includes(element.name),
      )
      root.step(1 + known.length)
      return own.length > 0 && (element.kind !== 'entity' || isWithoutTable(element)) ? own : [undefined]
    })
    if (found.every((one) => one?.isIdle === true)) return 'idle'
    return found.every((one) => one?.isIdle === true || one?.isForward === true) ? 'forward' : undefined
  }
}

/** The words of `cap/service-without-auth` for operations that ask such a service. */
export const FORWARD_WORDS: Readonly<Record<'en' | 'fr', Partial<RuleText>>> = {
  en: {
    message:
      'Service {service} exposes {elements:and} without an authorization check (no @requires or @restrict). The handlers send texts of the request to another service, and use no data of the application.',
    why: 'Callers get no data of others, but each of them uses up what the application pays for that service.',
  },
  fr: {
    message:
      'Le service {service} expose {elements:et} sans contrôle d’autorisation (ni @requires ni @restrict). Les gestionnaires envoient des textes de la requête à un autre service, sans données de l’application.',
    why: 'Un appelant n’obtient aucune donnée d’autrui, mais chacun consomme ce que l’application paie pour ce service.',
  },
}

/**
 * Tells operations that are bound to no entity and that no handler answers, where handlers answer others of the service: CAP refuses them.
 * Fact: @sap/cds 8.9.10, lib/srv/srv-dispatch.js (501). Needs the extract `operationHandlers`.
 */
export function createUnansweredReader(root: CapRoot): (service: CapService, element: CapElement) => boolean {
  let handlers: readonly PlacedHandler[] | undefined
  return (service, { kind, name, entity }) => {
    if (root.runtime === 'java' || kind === 'entity' || entity !== undefined) return false
    handlers ??= placedHandlers(root).filter(({ entities }) => entities === undefined)
    root.step(1 + handlers.length)
    const own = handlers.filter(({ services }) => services?.includes(service) !== false)
    const answers = ({ events }: PlacedHandler): boolean => events.some((event) => event === '*' || event === name)
    return own.some(({ services }) => services !== undefined) && !own.some(answers)
  }
}

/**
 * Words of scripts, by any of which an operation may be answered without a call of `on` that the handlers tell: classes of services offer methods under the names of operations.
 * Besides, ways to register that no word tells (`*`), and that a script lets others register at its service (`!`).
 * Facts: @sap/cds 9.9.3, lib/srv/srv-methods.js; lib/srv/factory.js (the class itself, or one that it extends).
 */
export const offeredMethods: Extract<string> = defineExtract({
  name: 'cap-offered-methods',
  keywords: ['ApplicationService', 'cds.Service', 'cds.service', 'cds-ts-dispatcher', '.on (', '.on<', '.handle', '.prepend'],
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (REGISTERS_OTHERWISE.test(text)) yield '*'
    if (!SERVES.test(text)) return
    const code = withoutComments(text)
    if (letsOthersRegister(code)) yield '!'
    if (OFFERS_ALL.test(code)) yield '*'
    yield* new Set(code.match(WORD))
  },
})

const REGISTERS_OTHERWISE = /cds-ts-dispatcher|\.on\s{0,4}[ <]|\.handle\w{0,20}\s{0,4}=/
/** Methods of a service that answer whatever is sent, as a class or an assignment gives them. */
const OFFERS_ALL = /(?<![.\w])(?:handle|dispatch)\s{0,4}\(|(?:\.|^[ \t]{0,40})(?:handle|dispatch)\s{0,4}=(?![=>])/m
const SERVES = /ApplicationService|cds\.[Ss]ervice/
const WORD = /\w{1,80}/g
const OTHER_CLASS =
  /\bextends\s{1,4}(?!(?:cds\s{0,4}\.\s{0,4})?(?:ApplicationService|Service)\b)|\.prototype\b|\bObject\s{0,4}\.\s{0,4}(?:assign|define\w{1,20})\b/
/** `register(this)`, `require('…')(srv)`, `register(name, this)`, and no parameters. */
const HANDS_ON =
  /(?:\b(\w{1,40})|\))\s{0,4}\(\s{0,8}(?:this|self|srv|service)\s{0,8}(?:,|\)(?!\s{0,4}(?:=>|\{)))|,\s{0,8}(?:this|self|srv|service)\s{0,8}\)(?!\s{0,4}(?:=>|\{))/g

/** Of packages nothing shows what they register, nor what a class inherits. */
function letsOthersRegister(code: string): boolean {
  if (OTHER_CLASS.test(code)) return true
  for (const [, name] of code.matchAll(HANDS_ON)) if (name !== 'bind') return true
  return false
}

/**
 * Tells operations that are bound to no entity and that nothing in the project answers, though the service has a class of its own where CAP looks for it: CAP refuses them.
 * Fact: @sap/cds 9.9.3, lib/srv/srv-dispatch.js (501). Needs the extracts `operationHandlers` and `offeredMethods`. `isUsed`: what runs loads a script.
 */
export function createSilentReader(
  root: CapRoot,
  isUsed: (file: string) => boolean,
): (service: CapService, element: CapElement) => boolean {
  const isUnloaded = createUnloadedReader(root, isUsed)
  const scripts = root.files.filter(({ path }) => withoutEnding(path) !== path)
  let handlers: readonly PlacedHandler[] | undefined
  let offered: ReadonlySet<string> | undefined
  const methods = root.scripts.get(offeredMethods)
  const files = [...new Set(methods.map(({ file }) => file))]
  const unclear = new Set(methods.flatMap(({ file, value }) => (value === '!' ? [file] : [])))
  return (service, element) => {
    const { kind, name, entity } = element
    if (root.runtime === 'java' || kind === 'entity' || entity !== undefined) return false
    // what stands in a script that nothing loads answers nothing
    offered ??= new Set(methods.flatMap(({ file, value }) => (isUsed(file) ? value : [])))
    if (offered.has('*') || offered.has(name)) return false
    root.step(1 + files.length + scripts.length)
    const own = files.filter((file) => isImplementedIn(file, service, root))
    if (own.length === 0) return !scripts.some(({ path }) => isImplementedIn(path, service, root)) && isUnloaded(service, name)
    if (own.some((file) => unclear.has(file))) return false
    handlers ??= placedHandlers(root).filter(({ file }) => isUsed(file))
    root.step(1 + handlers.length)
    return !handlers.some(
      ({ services, events }) => services?.includes(service) !== false && events.some((event) => event === '*' || event === name),
    )
  }
}

/**
 * Tells operations that are bound to no entity and that CAP refuses, since no handler answers them: of a service with a class of its own, or of one whose handlers answer others,
 * where no class offers a method of this name. Needs the extracts `operationHandlers` and `offeredMethods`.
 */
export function createRefusedReader(
  root: CapRoot,
  isUsed: (file: string) => boolean,
): (service: CapService, element: CapElement) => boolean {
  const isSilent = createSilentReader(root, isUsed)
  const isUnanswered = createUnansweredReader(root)
  const offered = new Set(root.scripts.get(offeredMethods).map(({ value }) => value))
  const isOffered = (name: string): boolean => ['*', '!', name].some((one) => offered.has(one))
  return (service, element) => isSilent(service, element) || (isUnanswered(service, element) && !isOffered(element.name))
}

/**
 * Tells operations that handlers of scripts alone answer which nothing loads: CAP finds an implementation by the name of the model's file or by `@impl`.
 * Fact: @sap/cds 9.9.3, lib/srv/factory.js, lib/srv/srv-dispatch.js (501). Needs the extract `operationHandlers`.
 */
function createUnloadedReader(root: CapRoot, isUsed: (file: string) => boolean): (service: CapService, name: string) => boolean {
  let handlers: readonly PlacedHandler[] | undefined
  return (service, name) => {
    handlers ??= placedHandlers(root)
    root.step(1 + handlers.length)
    const own = handlers.filter(
      ({ services, events }) => services?.includes(service) !== false && events.some((event) => event === '*' || event === name),
    )
    return own.length > 0 && !own.some(({ file }) => isUsed(file))
  }
}

/** Only the handlers answer for it. Fact: capire, "Persistence Annotations". */
function isWithoutTable({ annotations }: CapElement): boolean {
  return isTrue(annotations.get('cds.persistence.skip')?.value)
}

interface PlacedHandler extends OperationHandler {
  readonly file: string
  /** Undefined: nothing tells which. */
  readonly services: readonly CapService[] | undefined
}

function placedHandlers(root: CapRoot): readonly PlacedHandler[] {
  return root.scripts.get(operationHandlers).map(({ file, value }) => {
    root.step()
    const { services, isCertain } = root.eventOf({ file, ...value })
    return { ...value, file, services: isCertain ? services : undefined }
  })
}
