/** Impact, reach, usage and evidence of a finding, and the one table that makes its severity of them. */
export {
  advisoryLevel,
  atMost,
  claimOf,
  highestLevel,
  levelOf,
  provisionalSeverity,
  toGrade,
  toldAs,
  type GradedMatch,
  type GradedRule,
} from './grade.ts'
export { levelAt, levelsOf, type Level } from './table.ts'
export { rowsOf, type GradeRow } from './rows.ts'
