import { readFileSync } from 'node:fs'
import { allFindings, scanFiles } from './scan-files.ts'
const files = new Map<string,string>()
for (const m of readFileSync(process.argv[2]!, 'utf8').matchAll(/^```\S* (\S+)\n([^]*?)^```/gm)) files.set(m[1]!, m[2]!)
const { en } = await scanFiles(files)
for (const f of allFindings(en) as any[]) if (!process.argv[3] || f.ruleId.includes(process.argv[3])) console.log(f.severity, f.ruleId, `${f.file}:${f.line}`, f.message, '\n    ', (f.flow ?? []).map((s: any) => `${s.file}:${s.line} ${s.text ?? s.message}`).join(' | '))
