import { entityWords, type CapElement, type CapRoot } from '../../model/cap/index.ts'
import { isCodeList, isNameList } from './_entity-rights.ts'
import { sensitivityOf } from './_sensitive-data.ts'

/** No list of names, and no record of what happened, of which a rule of its own tells. */
export function isTelling(element: CapElement): boolean {
  const isRecord = RECORDS.test(entityWords(element.source?.name ?? element.name))
  return !isRecord && !isCodeList(element) && !isNameList(element) && element.members().some(({ key }) => !key)
}

const RECORDS = /(?:^| )(?:audit|history|histories|logs?|trails?|journal)(?: |$)/

const CLOSE =
  /(?:^| )(?:salar(?:y|ies)|pay ?rolls?|pay ?slips?|loans?|loan ?applications?|payments?|bank ?accounts?|employees?|patients?)$/

/** What no organization lets all its users change: pay, loans, accounts, and data of persons. */
export function isClose(element: CapElement, root: CapRoot): boolean {
  return CLOSE.test(entityWords(element.source?.name ?? element.name)) || sensitivityOf(element, root) === 'close'
}
