import { privilegesOf, wordsOf } from './access.ts'
import type { CapAnnotation, CapElement, CapRoot, CapService } from './types.ts'

/** Services that somebody outside can reach, in what is no test. */
export function servedServices({ test, services }: CapRoot): readonly CapService[] {
  return test ? [] : services.filter(({ exposure }) => exposure === 'served')
}

/** Elements for which nothing but their service decides. */
export function openElements({ elements }: CapService): readonly CapElement[] {
  return elements.filter(({ access }) => access === undefined)
}

/** No service says who may call it, and each of them takes callers without a login. */
export function isOpenToAll(root: CapRoot): boolean {
  const services = servedServices(root)
  return (
    services.length > 0 &&
    services.every(
      (service) => service.access.kind === 'default-public' && openElements(service).length === service.elements.length,
    )
  )
}

type Annotations = ReadonlyMap<string, CapAnnotation>

/** `@requires` or `@restrict` stand at a service and name no role at all; `null` takes them back on purpose. */
export function isEmptyRestriction(annotations: Annotations): boolean {
  return ['requires', 'restrict'].some((name) => restrictionWithoutRole(annotations, name) !== undefined)
}

/** The annotation of a service that names no role. */
export function restrictionWithoutRole(annotations: Annotations, name: string): CapAnnotation | undefined {
  const annotation = annotations.get(name)
  if (annotation === undefined || (annotation.value.kind !== 'array' && annotation.value.kind !== 'string')) return undefined
  const roles = name === 'requires' ? wordsOf(annotation.value) : privilegesOf(annotation.value).flatMap(({ to }) => to ?? [])
  return roles.length === 0 ? annotation : undefined
}

/** A service's or an element's `@restrict` or `@requires`; what several inherit comes once for each. */
export interface Restriction {
  readonly name: 'requires' | 'restrict'
  readonly annotation: CapAnnotation
  readonly service: CapService
  /** Undefined: the service itself. */
  readonly element?: CapElement
}

export function* restrictionsOf(root: CapRoot): Generator<Restriction> {
  for (const service of servedServices(root)) {
    for (const element of [undefined, ...service.elements]) {
      for (const name of ['requires', 'restrict'] as const) {
        const annotation = (element ?? service).annotations.get(name)
        if (annotation !== undefined) yield { name, annotation, service, ...(element !== undefined && { element }) }
      }
    }
  }
}
