import type { Extract } from '../../../extracts/extract.ts'
import { roleChecks } from '../../../model/cap/index.ts'
import { handlerRegistrations } from '../_callers/caller-checks.ts'
import { ownRowEntities } from '../_callers/own-row-entities.ts'
import { askedScopes } from '../_callers/scopes.ts'
import { roleTalk } from '../_callers/unasked-roles.ts'
import { entityHandlers } from '../_handlers/write-handlers.ts'
import { ownedQueries } from '../_rows/owned-queries.ts'
import { rowFilters } from '../_rows/row-filters.ts'
import { storedCredentials } from './stored-credentials.ts'

/** What `openEntities` asks of scripts. */
export const openEntityExtracts: readonly Extract[] = [
  entityHandlers,
  handlerRegistrations,
  ownedQueries,
  ownRowEntities,
  rowFilters,
  roleChecks,
  roleTalk,
  askedScopes,
  storedCredentials,
]
