import { foldersAround, joinPath } from '../../paths.ts'

/** Folders of libraries and applications that are copied into projects as they are. */
const KNOWN =
  /(?:^|\/)(?:wp-(?:admin|includes|content)|phpmyadmin|m?pdf\d?|tc?pdf|fpd[fi]\w{0,5}|dompdf|php-?mailer\w{0,10}|php-?excel|phpspreadsheet|adodb\d?|smarty|simplesamlphp|nusoap|slim|laminas|zend|symfony|doctrine|guzzle\w{0,10}|composer|vendors?|third_?party|lib(?:raries)?\/[^/]{1,60})\//i
const LICENSE =
  /@license\b|licensed under|GNU (?:Lesser |Affero )?General Public|MIT License|Apache License|BSD License|@package\s/i
/** Where the comment at the head of a file stands. */
const HEAD = 3000

/** Code of others: by its folder, or by the license at its head. */
export function isPhpLibrary(path: string, text: string): boolean {
  if (KNOWN.test(path)) return true
  const head = text.slice(0, HEAD)
  const comment = head.indexOf('/*')
  return comment >= 0 && comment < 200 && LICENSE.test(head)
}

/** A package of its own stands around it, deeper in a project that is one itself. */
export function isOfPackage(path: string, files: ReadonlyMap<string, unknown>): boolean {
  return (
    files.has('composer.json') &&
    [...foldersAround(path)].some((folder) => folder.includes('/') && files.has(joinPath(folder, 'composer.json')))
  )
}
