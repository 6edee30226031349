import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../../model/script/index.ts'
import { findHeaderOwners } from '../_rows/header-owners.ts'
import { findBranchedUsers, findChosenRoles, findChosenUsers, findOverridingUsers, type ChosenUser } from './chosen-users.ts'

/** Headers that stand for the user in productive code. */
export const chosenUsers: Extract<ChosenUser> = defineExtract({
  name: 'cap-chosen-users',
  keywords: ['user', 'tenant', 'employee', 'actor', 'impersonate', 'on-behalf-of', 'role', 'scope', 'permission', 'admin'],
  prefilter: (text) =>
    /\bheaders?\b|\.get\(/.test(text) &&
    /['"](?:x-)?[\w-]{0,60}(?:user|employee|actor|tenant|impersonate|behalf|role|scope|permission|admin)/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !path.includes('/webapp/'),
  *collect({ facts, text, step }) {
    const isForDevelopers = createDevelopmentReader(facts)
    for (const found of findHeaderOwners(facts, text, step)) if (!isForDevelopers(found)) yield found
    for (const found of findChosenUsers(facts)) if (!isForDevelopers(found)) yield found
    for (const found of findOverridingUsers(facts)) if (!isForDevelopers(found)) yield found
    for (const found of findBranchedUsers(facts)) if (!isForDevelopers(found)) yield found
    for (const found of findChosenRoles(facts, text)) if (!isForDevelopers(found)) yield found
  },
})
