import { judge, readLabelledProjects, sum } from './labelled.ts'

// npx tsx test/flow/measure.ts ui5 [rule]: what the labelled projects say, line by line
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const [area = 'cap', only] = process.argv.slice(2)
const projects = readLabelledProjects(area)
const rules = new Set(
  projects.flatMap(({ labels }) => labels.map(({ rule }) => rule)).filter((rule) => only === undefined || rule === only),
)
const judged = await Promise.all(
  projects.map((project) => judge({ ...project, labels: project.labels.filter(({ rule }) => rules.has(rule)) }, rules)),
)
const perRule = new Map([...rules].sort().map((rule) => [rule, { hits: 0, missed: 0, wrong: 0 }]))
for (const { project, hits, missed, wrong } of judged) {
  for (const { label, found } of hits) {
    const counts = perRule.get(label.rule)
    if (counts !== undefined) counts.hits++
    if (label.severity !== undefined && label.severity !== found.severity)
      say(`GRADE  ${project} ${label.file}:${label.line} ${label.rule}: ${label.severity} wanted, ${found.severity} found`)
  }
  for (const { file, line, rule } of missed) {
    const counts = perRule.get(rule)
    if (counts !== undefined) counts.missed++
    say(`MISSED ${project} ${file}:${line} ${rule}`)
  }
  for (const { file, line, rule, severity } of wrong) {
    const counts = perRule.get(rule)
    if (counts !== undefined) counts.wrong++
    say(`WRONG  ${project} ${file}:${line} ${rule} ${severity}`)
  }
}
for (const [rule, { hits, missed, wrong }] of perRule) say(`${rule.padEnd(40)} hits ${hits}, missed ${missed}, wrong ${wrong}`)
const { recall, precision, severe } = sum(judged)
say(`recall ${recall.toFixed(3)}, precision ${precision.toFixed(3)}, at HIGH and above ${severe.toFixed(3)}`)
