import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { namesAround } from '../../facts/function-table.ts'
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
import { createUnloadedReader, mentionedControllers } from './unloaded-controllers.ts'
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
function* handlersIn(
  text: string,
  handles = placesOf('handle', text),
): Generator<{ readonly name: string; readonly start: number }> {
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
  for (const { name, start: index } of handlersIn(text, handles)) {
    if (found.has(name)) continue
    const end = index + name.length
    PROPERTY.lastIndex = end
    METHOD.lastIndex = end
    const isDefinition =
      (PROPERTY.test(text) && isKeyAt(text, index)) ||
      (METHOD.test(text) && MODIFIERS.test(lineBefore(text, index, LONGEST_LINE)))
    if (!isDefinition) found.add(name)
  }
  for (const at of placesOf('_', text)) {
    const index = at - 1
    BEGINNING.lastIndex = index
    const name = index < 0 ? undefined : BEGINNING.exec(text)?.[2]
    // `id + '_' + kind` begins with something else
    if (name !== undefined && !/\+\s{0,9}$/.test(text.slice(Math.max(0, index - SPACES), index))) found.add(`${name}*`)
  }
  return found
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
    mentions ??= findMentions([], scripts)
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

function findMentions(files: Iterable<ProjectFile>, scripts: Scripts): Mentions {
  const names = new Set(scripts.get(mentionedHandlers).map(({ value }) => value))
  for (const file of files) for (const text of textsOf(file)) for (const { name } of handlersIn(text)) names.add(name)
  const isBegun = (name: string): boolean => Array.from(name).some((_, index) => names.has(`${name.slice(0, index + 1)}*`))
  return { names, of: (name) => names.has(name) || isBegun(name) }
}

/**
 * Tells places in handlers and in methods of its own of a controller that no view, fragment, descriptor or script of the project speaks of: only where a view has that controller and another handler of it is called, so that
 * the way in which this app calls them is known. Nobody starts what stands there.
 */
function createControllerReader(files: ReadonlyMap<string, ProjectFile>, scripts: Scripts): (place: Place) => boolean {
  let mentions: Mentions | undefined
  let controllers: ReadonlySet<string> | undefined
  let bases: ReadonlyMap<string, readonly { readonly value: string }[]> | undefined
  let known: ReadonlySet<string> | undefined
  const used = new Map<string, boolean>()
  return ({ file, span }) => {
    const name = CONTROLLER.exec(file)?.[1]
    const functions = files.get(file)?.functions
    if (name === undefined || functions === undefined || span === undefined) return false
    const handler = methodOf(namesAround(functions, span.start)[0])
    if (handler === undefined || BY_FRAMEWORK.test(handler)) return false
    controllers ??= new Set([...files.values()].flatMap(controllersOf))
    if (!controllers.has(name)) return false
    mentions ??= findMentions(files.values(), scripts)
    if (mentions.of(handler)) return false
    if (handler.startsWith('_')) {
      bases ??= groupBy(scripts.get(extendedClasses), ({ file: from }) => from)
      known ??= new Set([...files.keys()].map((path) => withoutEnding(path.slice(path.lastIndexOf('/') + 1))))
      if (bases.get(file)?.some(({ value }) => known?.has(value) !== true) === true) return false
    }
    const isUsed = used.get(file) ?? functions.names.some((one) => isCalled(methodOf(one), mentions?.names))
    used.set(file, isUsed)
    return isUsed
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

function isCalled(name: string | undefined, mentioned: ReadonlySet<string> | undefined): boolean {
  return name !== undefined && !name.startsWith('_') && !BY_FRAMEWORK.test(name) && mentioned?.has(name) === true
}

/** `Orders.controller.js`, `Orders.controller.ts`. */
const CONTROLLER = /(?:^|\/)([^/]{1,100})\.controller\.[jt]s$/

/** The name behind that of the class. */
function methodOf(name = ''): string | undefined {
  const own = lastName(name)
  return handlersIn(own).next().value?.name === own ? own : undefined
}

/** The last part of a controller's name, as its file has it. */
function controllersOf({ kind, content }: ProjectFile): readonly string[] {
  if (kind.role !== 'view' || kind.test || content.as !== 'markup') return []
  return content.document.children.flatMap((root) => attributeOf(root, 'controllerName')?.value.split('.').at(-1) ?? [])
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
