import { defineExtract, type Extract } from '../../extracts/extract.ts'

/** Where CAP looks for the data that it deploys (capire, "Providing Initial Data"). */
export const DATA_TABLE: RegExp = /(?:^|\/)(?:data|csv)\/[^/]{1,200}\.csv$/

/** One item for a table that its head alone is written of, as `cds add data` does: what it will hold, users write. */
export const emptyTables: Extract<true> = defineExtract({
  name: 'reach-empty-tables',
  everywhere: true,
  inTables: true,
  isFor: (path) => DATA_TABLE.test(path),
  *collectText(text) {
    const end = /[\r\n]/.exec(text)?.index ?? text.length
    if (text.slice(end).trim() === '') yield true
  },
})
