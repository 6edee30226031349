import { readLabelledProjects } from '/work/wt/cap/test/flow/labelled.ts'
import { allFindings, scanFiles } from '/work/wt/cap/test/scan-files.ts'
const [only='', ...rest] = process.argv.slice(2)
for (const p of readLabelledProjects('cap')) { if (!p.name.includes(only)) continue
  const { en } = await scanFiles(p.files)
  for (const f of allFindings(en)) console.log(p.name, f.severity, f.ruleId, f.file, f.line, f.message.slice(0,140)) }
