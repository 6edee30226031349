import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { namesAround, type FunctionTable } from '../../facts/function-table.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import type { ProjectFile } from '../../files.ts'
import { holdsAt } from '../../keywords/index.ts'
import { groupBy } from '../../lists.ts'
import { attributeOf, textsOfMarkup } from '../../parse/markup.ts'
import { lineBefore } from '../../parse/position.ts'
import type { Place, Span } from '../../types.ts'
import { behind, isNameAt, placesOf } from './code-words.ts'
import { computedMembers, createTakenReader } from './computed-members.ts'
import { withoutEnding } from './modules.ts'
import { CONTROLLER, controllerIn, createUnloadedReader, mentionedControllers } from './unloaded-controllers.ts'
import { textsBelow } from '../../parse/data.ts'
import { lastName } from '../../paths.ts'

/** Names that handlers of events have by custom, `onSavePress`; or the end of another name. What stands before is looked at afterwards: asked first, it costs three times as much. */
const ON_EVENT = /on[A-Z][\w$]{0,80}/g
/** `handleDelete`. */
const HANDLE = /handle[A-Z][\w$]{0,80}/y
/** Those that methods for a controller alone have, `_showDetails`. */
const OWN_METHOD = /_[a-z][\w$]{3,80}/y
/** The beginning of a name that is put together: `this['_show' + kind]()`, of which an underscore may be all. */
const BEGINNING = /(["'`])(_[\w$]{0,80})(?:\1\s{0,9}\+|\$\{)/y
/** What UI5 and Fiori elements call themselves. Facts: API of sap.ui.core.mvc.Controller; SAPUI5 documentation, "Controller Extensions". */
const BY_FRAMEWORK = /^on(?:Init|Exit|Before|After|PageReady|NavBack)|Extension$/
const PROPERTY = /\s{0,20}:\s{0,20}(?:async\s{1,20})?(?:function\b|\([^()]{0,300}\)\s{0,20}=>|[\w$]{1,60}\s{0,20}=>)/y
const METHOD = /\s{0,20}\([^(){}]{0,300}\)\s{0,20}(?::[^{};=]{0,100})?\{/y
/** `public async`; no call is followed by a block. */
const MODIFIERS = /^[\w\s]*$/
const LONGEST_LINE = 200
const SPACES = 10

/** Handlers and methods that a script or JSON speaks of elsewhere than where it defines them: comments count too. Of a name that is put together, its beginning and an asterisk. */
const mentionedHandlers: Extract<string> = defineExtract({
  name: 'reach-mentioned-handlers',
  everywhere: true,
  words: ['handle'],
  inPages: true,
  inJson: true,
  collectText: (text, hits) => mentionsIn(text, hits.places(text, ['handle'])),
})

/** Where a controller speaks of handlers and methods, which may be its own: a function that nobody runs calls none. */
const controllerMentions: Extract<Mention> = defineExtract({
  name: 'reach-controller-mentions',
  everywhere: true,
  words: ['handle'],
  isFor: (path) => CONTROLLER.test(path),
  collectText: (text, hits) => Array.from(mentionedIn(text, hits.places(text, ['handle']))),
})

interface Mention {
  readonly name: string
  readonly start: number
}

/** What a script extends, unless UI5 has it: a class outside of the project may call methods that it leaves to others, whatever their names. */
const extendedClasses: Extract<string> = defineExtract({
  name: 'reach-extended-classes',
  keywords: ['.extend(', 'extends '],
  isFor: (path) => CONTROLLER.test(path),
  collectText: (text) => {
    const ofUi5 = new Set([...text.matchAll(/["']sap\/[\w/]{0,200}\/(\w{1,80})["']/g)].map(([, name]) => name))
    const extended = [...text.matchAll(/\b([A-Z]\w{0,80})\.extend\(|\bextends\s{1,9}([A-Z]\w{0,80})/g)]
    return extended
      .map(({ 1: called, 2: named }) => called ?? named ?? '')
      .filter((name) => name !== 'Controller' && !ofUi5.has(name))
  },
})

/** `handles`: where the word stands, in whatever case. */
function* handlersIn(text: string, handles = placesOf('handle', text)): Generator<Mention> {
  for (const { 0: name, index } of text.matchAll(ON_EVENT)) if (!isNameAt(text, index - 1)) yield { name, start: index }
  yield* namesAt(text, handles, HANDLE)
  yield* namesAt(text, placesOf('_', text), OWN_METHOD)
}

function* namesAt(text: string, places: readonly number[], sticky: RegExp): ReturnType<typeof handlersIn> {
  for (const start of places) {
    if (isNameAt(text, start - 1)) continue
    sticky.lastIndex = start
    const name = sticky.exec(text)?.[0]
    if (name !== undefined) yield { name, start }
  }
}

function mentionsIn(text: string, handles: readonly number[]): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { name } of mentionedIn(text, handles, found)) found.add(name)
  for (const at of placesOf('_', text)) {
    const index = at - 1
    BEGINNING.lastIndex = index
    const name = index < 0 ? undefined : BEGINNING.exec(text)?.[2]
    // `id + '_' + kind` begins with something else
    if (name !== undefined && !/\+\s{0,9}$/.test(text.slice(Math.max(0, index - SPACES), index))) found.add(`${name}*`)
  }
  return found
}

/** Each place but definitions; of names that are found already none. */
function* mentionedIn(text: string, handles: readonly number[], found?: ReadonlySet<string>): Generator<Mention> {
  for (const { name, start } of handlersIn(text, handles)) {
    if (found?.has(name) === true) continue
    const end = start + name.length
    PROPERTY.lastIndex = end
    METHOD.lastIndex = end
    const isDefinition =
      (PROPERTY.test(text) && isKeyAt(text, start)) ||
      (METHOD.test(text) && MODIFIERS.test(lineBefore(text, start, LONGEST_LINE)))
    if (!isDefinition) yield { name, start }
  }
}

/** The key of an object, behind a comment too: not what a choice takes where a function is its other option. */
function isKeyAt(text: string, index: number): boolean {
  const [before, at] = behind(text, index)
  if (before === '{' || before === ',') return true
  return (before === '/' && text[at - 1] === '*') || lineBefore(text, at, LONGEST_LINE).includes('//')
}

/** `class Orders {`, `class Orders extends Base`, `class extends Base`: comments speak of classes, too. */
const CLASS = /class\s{1,99}(?:[\w$\x80-\uffff]{1,200}\s{0,99})?(?:[{</]|(?:extends|implements)\b)/y

/** Methods that a class keeps to itself by their names; what it extends, or what stands before a method, may call it. */
const ownMethods: Extract<Span> = defineExtract({
  name: 'reach-own-methods',
  keywords: ['class '],
  isFor: (path) => /\.[cm]?[jt]s$/.test(path),
  prefilter: (text, hits) => holdsAt(text, hits.places(text, ['class ']), CLASS),
  withFlow: true,
  *collect({ facts }) {
    for (const { parent, decorators = [], members } of facts.classes)
      for (const { name = '', value, start, end, decorators: own = [] } of parent === undefined ? members : []) {
        if (value === undefined || decorators.length + own.length > 0) continue
        OWN_METHOD.lastIndex = 0
        if (OWN_METHOD.exec(name)?.[0] === name) yield { start, end }
      }
  },
})

/** What the readers below ask of scripts. */
export const HANDLER_EXTRACTS: readonly Extract[] = [
  mentionedHandlers,
  controllerMentions,
  extendedClasses,
  ownMethods,
  computedMembers,
  mentionedControllers,
]

/** Tells places in such methods of which no script of the project speaks, and that nobody may ask for by a name made at run time. */
function createMethodReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (place: Place) => boolean {
  let mentions: Mentions | undefined
  const isTaken = createTakenReader(scripts)
  const known = new Map<string, (offset: number) => readonly Span[]>()
  const methodsAround = (file: string, offset: number): readonly Span[] => {
    const around = known.get(file) ?? createSpanIndex(scripts.of(file, ownMethods), (one) => one)
    known.set(file, around)
    return around(offset)
  }
  return ({ file, span }) => {
    const functions = files.get(file)?.functions
    if (functions === undefined || span === undefined || methodsAround(file, span.start).length === 0 || isTaken(file))
      return false
    mentions ??= toMentions(scripts.get(mentionedHandlers).map(({ value }) => value))
    const isMentioned = mentions.of
    return namesAround(functions, span.start).some((name) => {
      const own = lastName(name)
      return own.startsWith('_') && methodOf(name) === own && !isMentioned(own)
    })
  }
}

interface Mentions {
  /** Whether something speaks of a name, or of its beginning where it is put together. */
  readonly of: (name: string) => boolean
  readonly names: ReadonlySet<string>
}

function toMentions(all: Iterable<string>): Mentions {
  const names = new Set(all)
  const isBegun = (name: string): boolean => Array.from(name).some((_, index) => names.has(`${name.slice(0, index + 1)}*`))
  return { names, of: (name) => names.has(name) || isBegun(name) }
}

/** Whether something outside of a controller speaks of a handler of it. */
type MentionReader = (name: string, file: string, controller: string) => boolean

/** A view calls handlers of its own controller: not those of another one, unless its own extends a class that isn't known. */
function createMentionReader(
  files: ReadonlyMap<string, ProjectFile>,
  scripts: Scripts,
  isRooted: (file: string) => boolean,
): MentionReader {
  const ofScripts = groupBy(scripts.get(mentionedHandlers), ({ value }) => value)
  const begun = toMentions([...ofScripts.keys()].filter((name) => name.endsWith('*')))
  const controllers = groupBy(
    [...files.keys()].filter((path) => CONTROLLER.test(path)),
    controllerIn,
  )
  const ofAll = new Set<string>()
  const ofViews = new Map<string, Set<string>>()
  for (const file of files.values()) {
    const owners = controllersOf(file)
    const isOwn = owners.length > 0 && owners.every((owner) => controllers.get(owner)?.every(isRooted) ?? false)
    for (const text of textsOf(file))
      for (const { name } of handlersIn(text))
        if (!isOwn) ofAll.add(name)
        else for (const owner of owners) ofViews.set(owner, (ofViews.get(owner) ?? new Set()).add(name))
  }
  return (name, file, controller) =>
    ofAll.has(name) ||
    begun.of(name) ||
    ofViews.get(controller)?.has(name) === true ||
    (ofScripts.get(name)?.some((one) => one.file !== file) ?? false)
}

/**
 * Tells places in handlers and in methods of its own of a controller that no view, fragment, descriptor or script of the project speaks of, or that such handlers alone call: only where a view has that controller and another
 * handler of it is called, so that the way in which this app calls them is known. Nobody starts what stands there.
 */
function createControllerReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (place: Place) => boolean {
  let isSpokenOf: MentionReader | undefined
  let controllers: ReadonlySet<string> | undefined
  const isRooted = createRootReader(files, scripts)
  const known = new Map<string, ControllerCalls>()
  const callsOf = (file: string, controller: string, functions: FunctionTable): ControllerCalls => {
    const isSpoken = (isSpokenOf ??= createMentionReader(files, scripts, isRooted))
    const isMentioned = (name: string): boolean => isSpoken(name, file, controller)
    const own = groupBy(scripts.of(file, controllerMentions), ({ name }) => name)
    const handlers = functions.names.flatMap((name) => methodOf(name) ?? []).filter((name) => !name.startsWith('_'))
    return {
      isMentioned,
      callersOf: (name) => own.get(name)?.map(({ start }) => methodOf(namesAround(functions, start)[0])) ?? [],
      isUsed: handlers.some((name) => !BY_FRAMEWORK.test(name) && (isMentioned(name) || own.has(name))),
    }
  }
  return ({ file, span }) => {
    const name = controllerIn(file)
    const functions = files.get(file)?.functions
    if (name === undefined || functions === undefined || span === undefined) return false
    const handler = methodOf(namesAround(functions, span.start)[0])
    if (handler === undefined || BY_FRAMEWORK.test(handler)) return false
    controllers ??= new Set([...files.values()].flatMap(controllersOf))
    if (!controllers.has(name) || (handler.startsWith('_') && !isRooted(file))) return false
    const calls = known.get(file) ?? callsOf(file, name, functions)
    known.set(file, calls)
    return calls.isUsed && areUncalled(handler, calls)
  }
}

interface ControllerCalls {
  /** Something outside of the script speaks of it, or a script puts together a name that begins like it. */
  readonly isMentioned: (handler: string) => boolean
  /** The methods of the script that speak of it; undefined: what is in none, or in one of another kind. */
  readonly callersOf: (handler: string) => readonly (string | undefined)[]
  /** Handlers of it are called by their names. */
  readonly isUsed: boolean
}

/** Neither a method nor any that calls it is called from elsewhere. */
function areUncalled(handler: string, { isMentioned, callersOf }: ControllerCalls): boolean {
  const found = new Set([handler])
  for (const one of found) {
    if (BY_FRAMEWORK.test(one) || isMentioned(one)) return false
    for (const caller of callersOf(one)) {
      if (caller === undefined) return false
      found.add(caller)
    }
  }
  return true
}

/** Tells controllers of which all is known that they extend. */
function createRootReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (file: string) => boolean {
  let bases: ReadonlyMap<string, readonly { readonly value: string }[]> | undefined
  let known: ReadonlySet<string> | undefined
  return (file) => {
    bases ??= groupBy(scripts.get(extendedClasses), ({ file: from }) => from)
    known ??= new Set([...files.keys()].map((path) => withoutEnding(path.slice(path.lastIndexOf('/') + 1))))
    return bases.get(file)?.every(({ value }) => known?.has(value) === true) ?? true
  }
}

/** Tells places in functions that nobody calls by their names: all of a controller that nothing loads, handlers and methods of one, and methods that a class keeps to itself. */
export function createHandlerReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (place: Place) => boolean {
  const isUnloaded = createUnloadedReader(files, scripts)
  const readers = [
    ({ file }: Place) => isUnloaded(file),
    createControllerReader(files, scripts),
    createMethodReader(files, scripts),
  ]
  return (place) => readers.some((isUncalled) => isUncalled(place))
}

/** The name behind that of the class. */
function methodOf(name = ''): string | undefined {
  const own = lastName(name)
  return handlersIn(own).next().value?.name === own ? own : undefined
}

/** The last part of a controller's name, in lower case. */
function controllersOf({ kind, content }: ProjectFile): readonly string[] {
  if (kind.role !== 'view' || kind.test || content.as !== 'markup') return []
  return content.document.children.flatMap(
    (root) => attributeOf(root, 'controllerName')?.value.split('.').at(-1)?.toLowerCase() ?? [],
  )
}

function textsOf({ content }: ProjectFile): readonly string[] {
  switch (content.as) {
    case 'markup':
      return textsOfMarkup(content.document)
    case 'data':
      // manifests of Fiori elements have names of handlers deep inside
      return content.roots.flatMap((root) => textsBelow(root).map(({ text }) => text))
    case 'text':
      return content.text === undefined ? [] : [content.text]
    default:
      return []
  }
}
