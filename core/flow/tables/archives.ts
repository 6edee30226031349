/** Packages that unpack archives. Facts: their documentation at npm. */
export const UNPACKERS: ReadonlySet<string> = new Set(
  'adm-zip unzipper yauzl jszip tar tar-stream node-stream-zip decompress unzip extract-zip fflate @zip.js/zip.js'.split(' '),
)

/** What they call the name of an entry; `path` and `name` count where the object is called an entry, and parsers of uploads have a `filename` as well. */
export const ENTRY_NAMES: ReadonlySet<string> = new Set(['entryName', 'fileName', 'relativePath'])
export const ENTRY_NAMES_OF: ReadonlyMap<string, string> = new Map([['filename', '@zip.js/zip.js']])

/** Of those the one whose entries come to a function one by one. Fact: JSZip 3, "JSZip#forEach". */
export const EACH_ENTRY = 'jszip'

/** What reads workbooks, and how. Fact: documentation of exceljs 4, "Interface". */
export const WORKBOOKS = 'exceljs'
export const LOADING_WORKBOOK: RegExp = /^module:exceljs (?:default )?Workbook new (?:xlsx|csv) (?:load|read)$/
