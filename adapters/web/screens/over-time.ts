/** What belongs to projects and decisions: loaded as one when the first of it is wanted. */
export { DecisionDialog } from '../parts/decision-dialog.tsx'
export { ProjectScreen } from './project.tsx'
export { ProjectsScreen } from './projects.tsx'
