import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Compress } from '../../handlers/index.ts'

const [packBrotli, packGzip] = [promisify(brotliCompress), promisify(gzip)]

/** Packs answers on the threads of Node.js, at the levels where a report costs milliseconds. */
export const compress: Compress = async (bytes, encoding) => {
  if (encoding === 'gzip') return packGzip(bytes, { level: 6 })
  return packBrotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength },
  })
}
