import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { importedNames } from '../../../facts/index.ts'
import { functionOfThis } from '../../../facts/callbacks.ts'
import { resolveModule } from '../../../flow/index.ts'
import type { CapRoot, HandledEvent } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'

/** A file to whose class or function a service hands itself: `new OrderHandlers(this).register()`. */
export interface HandedService {
  readonly source: string
  /** The class of the service; undefined: where the script lies says which it is. */
  readonly service: string | undefined
}

/** Services that let classes and functions of other files register their handlers. */
export const handedServices: Extract<HandedService> = defineExtract({
  name: 'cap-handed-services',
  keywords: ['ApplicationService', 'init('],
  prefilter: (text) => /\(\s{0,4}this\s{0,4}[,)]/.test(text) && /["'`]\.{1,2}\//.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    for (const { callee, args } of facts.calls) {
      step()
      const [first] = args
      if (first?.kind !== 'this') continue
      const { owner } = functionOfThis(first.function)
      if (owner === undefined || !('members' in owner) || owner.parent === undefined) continue
      for (const { source } of importedNames(callee)) yield { source, service: owner.name }
    }
  },
})

/** Tells which script a service hands itself on in, where it is handed to a file by one script alone: there it is known of which service its handlers are. */
export function createHandedReader(root: CapRoot): (handled: HandledEvent) => HandledEvent {
  const handedTo = createHandingReader(root)
  return (handled) => {
    const only = handled.isConnected || handled.service !== undefined ? undefined : handedTo(handled.file)
    return only === undefined ? handled : { ...handled, ...only }
  }
}

type HandedEvent = Pick<HandledEvent, 'file' | 'service'>

/** The one script that hands a service to a file, with the class of the service. */
export function createHandingReader(root: CapRoot): (file: string) => HandedEvent | undefined {
  const files = new Map(root.files.map(({ path }) => [path, path]))
  const found = new Map<string, HandedEvent[]>()
  for (const { file, value } of root.scripts.get(handedServices)) {
    root.step()
    const target = resolveModule(file, value.source, files)
    if (target === undefined) continue
    const known = found.get(target) ?? []
    if (!known.some((one) => one.file === file)) found.set(target, [...known, { file, service: value.service }])
  }
  return (file) => {
    const [only, ...others] = found.get(file) ?? []
    return others.length > 0 ? undefined : only
  }
}
