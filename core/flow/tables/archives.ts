/** Packages that unpack archives. Facts: their documentation at npm. */
export const UNPACKERS: ReadonlySet<string> = new Set(
  'adm-zip unzipper yauzl jszip tar tar-stream node-stream-zip decompress unzip extract-zip fflate @zip.js/zip.js'.split(' '),
)

/** What they call the name of an entry; `path` and `name` count where the object is called an entry, and parsers of uploads have a `filename` as well. */
export const ENTRY_NAMES: ReadonlySet<string> = new Set(['entryName', 'fileName', 'relativePath'])
export const ENTRY_NAMES_OF: ReadonlyMap<string, string> = new Map([['filename', '@zip.js/zip.js']])
