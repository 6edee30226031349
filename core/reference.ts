/** The door to the rule reference: what a build, and a host that serves the pages, makes them with. */
export { renderRuleIndex, renderRulePage } from './report/writers/rule-page.ts'
export { readSamples, type RuleSample } from './report/writers/rule-samples.ts'
