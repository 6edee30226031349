export const USAGE = `Usage: parapet scan <folder or zip> [options]
       parapet scan-all <path...> --output DIR      many projects: folders, ZIPs, folders of repositories, text files with a path a line
       parapet watch [folder] [options]             again after each change, what is new and what is gone; text or json (a line each)
       parapet lsp                                  for editors: findings while you type, by the Language Server Protocol
       parapet compare <before> <after> [options]   reports in JSON, folders or ZIPs
       parapet explain <rule> [--lang en|fr]
       parapet rules [text] [--area AREA]           all rules, or those with the text in their id or title
       parapet advisories fetch FILE [folder or zip]   for PARAPET_ADVISORIES=/absolute/FILE: of a project, or of SAP packages
       parapet init                                 writes parapet.config.json
       parapet serve
       parapet worker                               carries out scans of the queue that PARAPET_QUEUE names

  -f, --format FORMAT     text, json, sarif, sbom, html, markdown, junit or gitlab; several with an --output each
  -o, --output FILE       where the format beside it goes (-f sarif -o FILE, or -o FILE -f sarif); without: standard output
      --fail-on SEVERITY  exit code 1 for findings at or above critical, high, medium, low or info
      --min-severity SEVERITY, --area AREA, --rule RULE   tell only these (--area and --rule several times)
      --baseline FILE     tell only what FILE doesn't list; --write-baseline accepts what is found now
      --changed-since REF tell only what touches lines changed since a commit of Git
      --details           code, why, how to repair, data flow, how to suppress, every advisory
      --source-url URL    where HTML and Markdown lead to: an address with {path} and {line}; without: the Git remote and commit
      --server URL        have a service scan it, with Git's branch, commit and tag (or --branch NAME,
                          --release NAME); its token comes from PARAPET_TOKEN
      --fail-on-new SEVERITY   exit code 1 for what is new since the scan before and not decided, as the service knows it
      --sarif-include-suppressed, --rules-url URL
      --no-cache          read every file anew; --cache-dir DIR keeps results of files there instead of in the user's cache folder
  -j, --jobs N            threads that share a scan; without: as many as there are processors (8 at most), where the project is large enough
      --resume            scan-all: leave out what an earlier run into the same folder has done and what has not changed since
  -q, --quiet             only the totals, no progress
      --lang en|fr

Exit codes: 0 done · 1 findings at or above --fail-on · 2 usage, settings or a refused project · 3 not everything could be looked at · 4 internal fault; scan-all: the worst of 4, 2, 1, 3 and 0, and 130 when it was interrupted
`

/** Wrong usage: exit code 2. */
export class UsageFault extends Error {}

export const EXIT = { done: 0, findings: 1, usage: 2, incomplete: 3, internal: 4, interrupted: 130 } as const
