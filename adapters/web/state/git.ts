import { describeSource } from '../../../core/report/source-hosts.ts'

/** What a scan is told of the project beside its files. */
export type Origin = Readonly<Partial<Record<'branch' | 'commit' | 'sourceUrl', string>>>

/** Addresses that every server takes: one that it refuses would end the scan. */
const TAKEN = /^https:[\w./:%~+{}#?&=-]{1,1500}$/

/** Reads a file of a folder by its path; undefined where there is none. */
export type ReadText = (path: string) => Promise<string | undefined>

/** Branch, commit and address of a folder that is a Git checkout: with them each place of the report leads to the source. Nothing else of `.git` is looked at. */
export async function readOrigin(read: ReadText): Promise<Origin> {
  const head = (await read('.git/HEAD'))?.trim() ?? ''
  const ref = head.startsWith('ref: refs/heads/') ? head.slice('ref: '.length) : undefined
  const commit = ref === undefined ? head : ((await read(`.git/${ref}`))?.trim() ?? (await readPacked(read, ref)))
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return {}
  const remote = remoteIn((await read('.git/config')) ?? '')
  const source = remote === undefined ? undefined : describeSource(remote, commit)
  return {
    commit,
    ...(ref !== undefined && { branch: ref.slice('refs/heads/'.length) }),
    ...(source !== undefined && TAKEN.test(source) && { sourceUrl: source }),
  }
}

async function readPacked(read: ReadText, ref: string): Promise<string> {
  const lines = (await read('.git/packed-refs'))?.split('\n') ?? []
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? ''
}

/** The address of `origin` in a configuration of Git. */
function remoteIn(config: string): string | undefined {
  const [, section = ''] = config.split('[remote "origin"]')
  const [own = ''] = section.split('\n[')
  return /^\s*url\s*=\s*(\S+)\s*$/m.exec(own)?.[1]
}
