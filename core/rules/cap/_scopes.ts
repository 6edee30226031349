import { lastName } from '../../flow/dotted-names.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf } from '../../facts/constants.ts'
import type { CallValue, ScriptFacts } from '../../facts/types.ts'
import { textItems, textsBelow, type ServiceInstance } from '../../model/deployment/index.ts'
import { capSecurityOf, isPlatformRole } from '../../model/authorization/index.ts'
import { at, itemsOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'

/** Roles and scopes that code asks for; undefined: one that is no constant. Tests that ask for one show that it is meant. */
export const askedScopes: Extract<string | undefined> = defineExtract({
  name: 'cap-asked-scopes',
  keywords: ['user.is', 'user.has', '.checkScope', '.checkLocalScope', 'hasScope', 'hasLocalScope'],
  inTests: true,
  collect: ({ facts }) =>
    askingCalls(facts).flatMap(({ args }) =>
      args.map((argument) => {
        const role = constantOf(argument)
        return role === undefined ? undefined : String(role)
      }),
    ),
})

const ASKS = /^(?:is|has|checkScope|checkLocalScope|hasScope|hasLocalScope)$/

function askingCalls({ calls }: ScriptFacts): readonly CallValue[] {
  return calls.filter(({ callee }) => {
    if (callee.kind !== 'member' || callee.name === undefined || !ASKS.test(callee.name)) return false
    const { object } = callee
    const owner = object.kind === 'member' || object.kind === 'reference' ? object.name : undefined
    return callee.name.length > 3 || owner === 'user'
  })
}

export interface UnusedScope {
  readonly scope: string
  readonly node: DataNode
  readonly instance: ServiceInstance
}

/** The scopes of descriptors that nothing asks for: no model, no route, no app, no code. None where something isn't sure. */
export function unusedScopes(instances: Iterable<ServiceInstance>, project: Project): readonly UnusedScope[] {
  // Java code isn't read
  if (project.capRoots.some(({ runtime }) => runtime === 'java') || hasOtherServers(project)) return []
  const used = usedNames(project)
  if (used === undefined) return []
  const found: UnusedScope[] = []
  for (const instance of instances) {
    const authorities = new Set(textItems(at(instance.config, 'authorities')).map(({ text }) => lastName(text)))
    for (const scope of itemsOf(at(instance.config, 'scopes'))) {
      const node = at(scope, 'name')
      const name = stringOf(node)
      const prefix = /^\$XSAPPNAME(?:\([^()]{0,200}\))?\./.exec(name ?? '')?.[0]
      const isForOthers = ['grant-as-authority-to-apps', 'granted-apps'].some((key) => at(scope, key) !== undefined)
      if (node === undefined || name === undefined || prefix === undefined || isForOthers) continue
      const role = name.slice(prefix.length)
      if (!isPlatformRole(role) && !used.has(role) && !used.has(lastName(role)) && !authorities.has(lastName(role)))
        found.push({ scope: role, node, instance })
    }
  }
  return found
}

/** Applications of other sorts may ask for scopes in ways that are not read. */
function hasOtherServers({ deployment, capRoots, files }: Project): boolean {
  const known = new Set(capRoots.flatMap(({ deployments }) => deployments.map(({ file, name }) => `${file} ${name}`)))
  const isOther = deployment.applications.some(
    ({ file, name, type, isApprouter }) =>
      /^(?:nodejs|java|python|go|custom)/.test(type) && !isApprouter && !known.has(`${file} ${name}`),
  )
  return isOther || [...files.keys()].some((path) => /\.(?:java|py|go|xsjs|hdbrole)$/.test(path))
}

/** Names that models, routes, apps and code ask for; undefined: code asks for what is no constant. */
function usedNames({ files, scripts, capRoots }: Project): ReadonlySet<string> | undefined {
  const used = new Set(capSecurityOf(capRoots).roles.keys())
  for (const { kind, content } of files.values()) {
    if (content.as === 'data' && (kind.role === 'xs-app' || kind.role === 'manifest')) {
      const parts =
        kind.role === 'xs-app' ? [content.roots[0]] : [at(content.roots[0], 'sap.platform.cf'), at(content.roots[0], 'sap.app')]
      for (const part of parts) for (const { text } of textsBelow(part)) used.add(lastName(text))
    }
  }
  for (const { value: role } of scripts.get(askedScopes)) {
    if (role === undefined) return undefined
    used.add(role).add(lastName(role))
  }
  return used
}
