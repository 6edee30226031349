import type { ProjectFile } from '../../files.ts'
import { folderOf } from '../../paths.ts'
import { at, booleanOf, itemsOf, memberOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { isPackageName } from '../../parse/lock/index.ts'
import type { Dependency, DependencyMember, NpmPackage, OverrideMember, PackageOverride, PackageScript } from './types.ts'

/** What a package.json says by itself; what other files say of it is added by `findNpmProject`. */
export type PackageManifest = Omit<NpmPackage, 'memberOf' | 'deployedBy' | 'isStopped' | 'isOfFiles' | 'locks' | 'manager'>

const MEMBERS: readonly DependencyMember[] = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
const MAX_RANGE = 2000
const MAX_COMMAND = 5000
const MAX_OVERRIDES = 1000
const MAX_OVERRIDE_DEPTH = 10

/** Reads each package.json (npm documentation, "package.json"); those of tests are left out. Members of any type are left out one by one. */
export function readManifests(files: ReadonlyMap<string, ProjectFile>): PackageManifest[] {
  const manifests: PackageManifest[] = []
  for (const { path, kind, content, scope } of files.values()) {
    if (kind.role !== 'package' || kind.test || scope !== 'all' || content.as !== 'data') continue
    const [root] = content.roots
    const name = stringOf(at(root, 'name'))
    const listed = memberOf(root, 'dependencies')
    const engine = at(root, 'engines', 'node')
    const range = stringOf(engine)
    const packageManager = stringOf(at(root, 'packageManager'))
    manifests.push({
      file: path,
      folder: folderOf(path),
      ...(name !== undefined && { name }),
      isPrivate: booleanOf(at(root, 'private')) === true,
      ...(packageManager !== undefined && { packageManager: packageManager.slice(0, MAX_RANGE) }),
      dependencies: MEMBERS.flatMap((member) => readDependencies(root, member)),
      ...(listed !== undefined && { dependenciesSpan: listed.keySpan }),
      scripts: membersOf(at(root, 'scripts')).flatMap(({ key, value }): PackageScript[] => {
        const command = stringOf(value)
        return command === undefined
          ? []
          : [{ name: key, command: command.slice(0, MAX_COMMAND), start: value.start, end: value.end }]
      }),
      ...(engine !== undefined &&
        range !== undefined && { node: { range: range.slice(0, MAX_RANGE), start: engine.start, end: engine.end } }),
      overrides: [
        ...readOverrides('overrides', at(root, 'overrides')),
        ...readOverrides('resolutions', at(root, 'resolutions')),
        ...readOverrides('pnpm.overrides', at(root, 'pnpm', 'overrides')),
      ],
      workspaces: [...itemsOf(at(root, 'workspaces')), ...itemsOf(at(root, 'workspaces', 'packages'))].flatMap(
        (item) => stringOf(item) ?? [],
      ),
    })
  }
  return manifests
}

function readDependencies(root: DataNode | undefined, member: DependencyMember): Dependency[] {
  return membersOf(at(root, member)).flatMap(({ key, keySpan, value }): Dependency[] => {
    const range = stringOf(value)
    if (range === undefined || range.length > MAX_RANGE || !isPackageName(key)) return []
    return [{ name: key, member, range: range.trim(), nameSpan: keySpan, start: value.start, end: value.end }]
  })
}

/** npm nests what holds below one package only; yarn and pnpm write that as a path: `parent/child`, `parent>child`, `name@range`. */
function readOverrides(member: OverrideMember, node: DataNode | undefined): PackageOverride[] {
  const found: PackageOverride[] = []
  const open: { node: DataNode | undefined; name: string; depth: number }[] = [{ node, name: '', depth: 0 }]
  for (let next = open.pop(); next !== undefined && found.length < MAX_OVERRIDES; next = open.pop()) {
    for (const { key, value } of membersOf(next.node)) {
      const name = key === '.' ? next.name : nameOfOverride(key)
      const range = stringOf(value)
      if (range !== undefined && isPackageName(name)) found.push({ name, member, range, start: value.start, end: value.end })
      else if (value.kind === 'object' && next.depth < MAX_OVERRIDE_DEPTH) open.push({ node: value, name, depth: next.depth + 1 })
    }
  }
  return found
}

function nameOfOverride(key: string): string {
  if (key.length > MAX_RANGE) return ''
  const last = key.slice(key.lastIndexOf('>') + 1)
  return /((?:@[^@/\s]{1,100}\/)?[^@/\s]{1,214})(?:@[^@]{0,300})?$/.exec(last)?.[1] ?? ''
}
