import { isLeftOutFolder } from '../../../core/project/kinds.ts'
import type { ReadText } from './git.ts'
import type { FolderFile, Packed } from './zip-worker.ts'
// oxlint-disable-next-line import/default -- the build makes the address of the worker
import workerUrl from './zip-worker.ts?worker&url'

/** What was dropped or picked: a file as it is, or the files of folders. */
export type Chosen =
  | { readonly kind: 'file'; readonly file: File }
  | {
      readonly kind: 'folder'
      readonly name: string
      readonly files: readonly FolderFile[]
      /** Also of what is left out of the files. */
      readonly read: ReadText
    }

/** Installed packages and version control are never analysed: the server leaves the same folders out. */
const isAnalysed = (path: string): boolean => !path.split('/').slice(0, -1).some(isLeftOutFolder)

/** What a reader dropped. The entries are taken at once: after the event they are gone. */
export async function readDropped(transfer: DataTransfer): Promise<Chosen | undefined> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const [first, ...others] = entries
  const [file] = transfer.files
  if (others.length === 0 && first?.isDirectory !== true) return file === undefined ? undefined : { kind: 'file', file }
  const files: FolderFile[] = []
  // of one folder the paths within it, of several things their own
  for (const entry of entries) await collect(entry, others.length === 0 ? '' : `${entry.name}/`, files)
  const name = others.length === 0 ? (first?.name ?? 'project') : 'project'
  return { kind: 'folder', name, files, read: readerOf(others.length === 0 ? first : undefined) }
}

function readerOf(folder: FileSystemEntry | undefined): ReadText {
  if (folder === undefined || !isDirectory(folder)) return () => Promise.resolve(undefined)
  return async (path) => {
    const entry = await new Promise<FileSystemEntry | undefined>((resolve) =>
      folder.getFile(path, {}, resolve, () => resolve(undefined)),
    )
    return entry === undefined || !isFile(entry)
      ? undefined
      : new Promise<string | undefined>((resolve) =>
          entry.file(
            (file) => resolve(file.text()),
            () => resolve(undefined),
          ),
        )
  }
}

async function collect(entry: FileSystemEntry, path: string, files: FolderFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    files.push({ path: path === '' ? entry.name : path.replace(/\/$/, ''), file })
    return
  }
  if (!isDirectory(entry) || isLeftOutFolder(entry.name)) return
  const reader = entry.createReader()
  for (;;) {
    // a browser gives a hundred at a time, and none at the end
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return
    for (const one of some) await collect(one, `${path}${one.name}${one.isDirectory ? '/' : ''}`, files)
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

/** What a reader picked with an input that takes folders. */
export function readPicked(list: FileList): Chosen | undefined {
  const [name] = list[0]?.webkitRelativePath.split('/') ?? []
  if (name === undefined) return undefined
  const all = [...list].map((file) => ({ path: file.webkitRelativePath.slice(name.length + 1), file }))
  const read: ReadText = async (wanted) => all.find(({ path }) => path === wanted)?.file.text()
  return { kind: 'folder', name, files: all.filter(({ path }) => isAnalysed(path)), read }
}

interface Packing {
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

/** Packs a folder as an archive, beside the page. Rejects with the path of a file that can't be read, and where the signal is raised. */
export function packFolder(files: readonly FolderFile[], { onProgress, signal }: Packing): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const worker = openWorker()
    const end = (finish: () => void): void => {
      worker.terminate()
      finish()
    }
    worker.addEventListener('message', ({ data }: MessageEvent<Packed>) => {
      if (data.kind === 'progress') onProgress(data.done)
      else if (data.kind === 'archive') end(() => resolve(data.blob))
      else end(() => reject(new Error(data.path)))
    })
    worker.addEventListener('error', () => end(() => reject(new Error(''))))
    signal.addEventListener('abort', () => end(() => reject(new Error(''))), { once: true })
    worker.postMessage(files)
  })
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): { createScriptURL(url: string): string }
}
declare const trustedTypes: TrustedTypes | undefined

let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The policy of the page takes scripts of trusted addresses alone: this one is its own. */
function openWorker(): Worker {
  const address = new URL(workerUrl, import.meta.url).href
  if (typeof trustedTypes !== 'undefined')
    policy ??= trustedTypes.createPolicy('parapet-worker', { createScriptURL: (url) => (url === address ? url : '') })
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module' })
}
