/** The vocabulary of Parapet. Types only: read this file and you know the program. */
import type { AffectedPackage, AssumedAdvisories } from './affected-packages.ts'
import type {
  Circumstance,
  Confidence,
  Evidence,
  Impact,
  Locale,
  ProjectType,
  Reach,
  RiskLevel,
  Severity,
  Usage,
} from './terms.ts'

export type * from './affected-packages.ts'
export type * from './terms.ts'

// ── places ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** UTF-16 offsets into the decoded text of a file; `end` is exclusive. Every node and every fact is one. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Where a match is: a span of a file, or (without `span`) the file as a whole. */
export interface Place {
  readonly file: string
  readonly span?: Span
}

/** A place as the report tells it: lines and columns are 1-based, columns in UTF-16 units; all four left out for a whole file. */
export interface Location {
  readonly file: string
  readonly line?: number
  readonly column?: number
  readonly endLine?: number
  readonly endColumn?: number
}

// ── how severe a finding is ───────────────────────────────────────────────────────────────────────────────────────

/** What a rule, one of its variants or a match says of the grade; the narrower one wins, member by member. */
export interface GradeFacts {
  readonly impact?: Impact
  readonly circumstance?: Circumstance
  /** Where the rule knows it by what it looks at; left out, the project tells who reaches the place. */
  readonly reach?: Reach
  /** `shown` where nobody says anything else. */
  readonly evidence?: Evidence
  /** The evidence where the place turns out to answer a route that asks nobody who calls: whoever reaches the server then reaches it. */
  readonly inOpenRoute?: Evidence
  /** The impact there, where whoever calls such a route could do most of it anyway. */
  readonly impactInOpenRoute?: Impact
  /** The impact where the deployed project lets any caller pass as a user, so that its runtime has verified nothing of what it is sent. */
  readonly impactUnverified?: Impact
  /** Where the place turns out to answer a route that asks nobody who calls, it is no finding beside the one of that route. */
  readonly isToldByRoute?: true
  /** Unless the place turns out to answer a route that asks nobody who calls, it is no finding. */
  readonly isOfOpenRoute?: true
  /** It is about the repository: a file that a .gitignore of the project covers lies in the folder of its developer alone. */
  readonly isOfRepository?: true
  /** The password of somebody who is made up: where no code of the project knows of passwords, nothing takes it. */
  readonly isOfInvented?: true
  /** A credential without a host: the variable of the environment that holds it. Where code of the project sends that to a public host, or a server of its own with an address asks for it, nothing is missing. */
  readonly variable?: string
  /** A JSON Web Token with a symmetric signature. Where a value in the settings of the project has made that, whatever verifies with it takes the token. */
  readonly token?: string
  /** Where the usage of the file does not count (a credential is one wherever it lies), or the rule knows better. */
  readonly usage?: Usage
  /** The level of a published advisory, which stands in the place of impact and reach. */
  readonly advisory?: Severity
}

/** Who reaches a place, as the project tells it. */
export interface Exposure {
  readonly reach: Reach
  /** A link is not in the project. */
  readonly evidence?: 'assumed'
  /** Whoever it reaches gets nothing but demo data. */
  readonly isDemo?: true
  /** What says so: an annotation, a route, a middleware. */
  readonly by?: Place
}

/** Against the table by one level; the doc comment of the rule has the reason. */
export type Shift = 'higher' | 'lower'

/** Whom the words of a grade name in the place of a caller; the reach then says who may sit on the network path. */
export type Attacker = 'network'

/** All that a finding says of its grade, before the project is asked: plain data. */
export interface GradeClaim extends GradeFacts {
  readonly impact: Impact
  readonly attacker?: Attacker
  readonly shift?: Shift
  /** What a rule on models asked of the project itself. */
  readonly exposure?: Exposure
}

/** Why a finding has its severity. */
export interface Grade {
  readonly impact: Impact
  readonly circumstance?: Circumstance
  readonly reach: Reach
  readonly usage: Usage
  readonly evidence: Evidence
  readonly advisory?: Severity
  readonly attacker?: Attacker
  readonly shift?: Shift
  /** The reason of the project's own setting that decided it. */
  readonly setting?: string
}

// ── rules and what they yield ─────────────────────────────────────────────────────────────────────────────────────

/** What one finding says, `{name}` filled from `Match.args`. */
export interface RuleText {
  readonly title: string
  readonly message: string
  readonly why: string
  readonly fix: string
}

/** The words of a rule in one language. A match that names a variant has those parts replaced; `steps` words its flow. */
export interface RuleMessages extends RuleText {
  readonly variants?: Readonly<Record<string, Partial<RuleText>>>
  readonly steps?: Readonly<Record<string, string>>
}

/** One step from source to sink; `step` is a key of `RuleMessages.steps`. */
export interface FlowStep {
  readonly at: Place
  readonly step: string
  readonly args?: Readonly<Record<string, string>>
}

/** What a rule yields. The engine makes the finding: fingerprint, masking, snippet and words are never a rule's business. */
export interface Match extends GradeFacts {
  readonly at: Place
  readonly args?: Readonly<Record<string, string>>
  readonly variant?: string
  /** What the project tells of who reaches it; asked of the place where a rule does not know better. */
  readonly exposure?: Exposure
  readonly confidence?: Confidence
  readonly flow?: readonly FlowStep[]
  /** The plain value of a credential at `at`. It masks every snippet, is hashed into the fingerprint, and never leaves the engine. */
  readonly secret?: string
  /** What is meant, where one place may have several matches of one rule (an advisory's id): part of the fingerprint. */
  readonly key?: string
  /** What it is identified by in its file, instead of the text at `at` and what encloses it: places that move within the file keep their fingerprint. */
  readonly identity?: string
  /** Matches of earlier versions that this one stands for, by rule and key; a suppression of all of them still holds. */
  readonly formerly?: readonly { readonly ruleId: string; readonly key: string }[]
  /** What a finding about a package rests on. */
  readonly affected?: AffectedPackage
  readonly assumes?: AssumedAdvisories
  /** Where else the same is written, in other files: told among the `occurrences` of the finding. */
  readonly alsoAt?: readonly Place[]
  /** Two matches of one rule with the same key are one finding with `occurrences` (of a secret without one its value is). */
  readonly groupKey?: string
}

/** A match that waits to become a finding, with the id of the rule that yielded it. */
export interface PendingMatch {
  readonly ruleId: string
  readonly match: Match
}

/** An inline suppression: what it hides on which line (1-based), and why. */
export interface Marker {
  readonly line: number
  /** Rule ids; `secrets/*` for the markers of other scanners. */
  readonly rules: readonly string[]
  readonly reason: string
  /** Of another scanner. */
  readonly foreign: boolean
}

/** A match of the engine's making: masked, in no language yet, plain data that may cross a thread. */
export interface Finding {
  readonly id: string
  /** Ids that it had under former ids of its rule: suppressions that name one of them still hold. */
  readonly formerIds?: readonly string[]
  /** Ids of the findings of earlier versions that it stands for: hidden only where each of them is. */
  readonly replaces?: readonly string[]
  readonly ruleId: string
  /** Before the project is asked: what the claim comes to with what the path alone tells. */
  readonly severity: Severity
  readonly claim: GradeClaim
  /** Once the project was asked. */
  readonly grade?: Grade
  readonly confidence: Confidence
  readonly at: Location
  readonly args: Readonly<Record<string, string>>
  readonly variant?: string
  readonly affected?: AffectedPackage
  readonly assumes?: AssumedAdvisories
  readonly snippet?: string
  readonly flow?: readonly { readonly at: Location; readonly step: string; readonly args: Readonly<Record<string, string>> }[]
  readonly occurrences?: readonly { readonly file: string; readonly line?: number }[]
  /** Findings with the same group become one, with occurrences; means nothing outside its scan. */
  readonly group?: string
  /** The project's own reason to hide it. */
  readonly suppressed?: string
}

/** What a full report has no room for: findings, findings that the project hides, places of findings. */
export interface LeftOut {
  readonly findings: number
  readonly suppressed: number
  readonly places: number
}

export type NoticeCode =
  | 'file-unreadable'
  | 'file-too-large'
  | 'file-skipped'
  | 'rule-failed'
  | 'time-limit'
  | 'memory-limit'
  | 'findings-capped'
  | 'advisories-unavailable'
  | 'catalogue-unavailable'
  | 'suppressions-ignored'
  | 'settings-applied'

/** Something that was not looked at, or not as it should be. `reason` is a key of the notice's words; `partial`: the report is not complete. */
export interface Notice {
  readonly code: NoticeCode
  readonly reason: string
  readonly file?: string
  readonly ruleId?: string
  readonly args?: Readonly<Record<string, string>>
  readonly partial: boolean
}

// ── from the outside to a project ─────────────────────────────────────────────────────────────────────────────────

/** What is scanned, as plain data that may cross a thread. */
export type SourceData =
  | { readonly kind: 'archive'; readonly bytes: Uint8Array; readonly name: string }
  | { readonly kind: 'directory'; readonly path: string; readonly name: string }

/** One file that could be read. `path` has `/` separators, is NFC and safe; it is a label, never a path on a disk. */
export interface SourceEntry {
  readonly path: string
  /** Bytes, as declared; `read` gives exactly as many or throws. */
  readonly size: number
  /** Reads the whole file. Throws a Refusal where the archive is damaged; `undefined`: a directory's file is gone, has changed or can't be opened. */
  read(): Uint8Array | undefined
  /** Whether its first bytes say that it is binary, where they can be had without reading all of it. */
  startsBinary?(): boolean
}

/** An opened archive or directory, its entries in any order. */
export interface ProjectSource {
  readonly entries: readonly SourceEntry[]
  readonly notices: readonly Notice[]
  /** Folders that were not entered (installed dependencies, version control). */
  readonly leftOut: readonly string[]
  /** An archive: one top folder that only wraps the project, as in downloads, is no part of its paths. */
  readonly isArchive?: true
}

/** Limits of one scan. Sizes in bytes, times in milliseconds; `limits.ts` has the defaults and their reasons. */
export interface ScanLimits {
  readonly entries: number
  readonly inflated: number
  readonly file: number
  readonly parse: number
  readonly lockFile: number
  readonly scanTime: number
}

// ── running a scan ────────────────────────────────────────────────────────────────────────────────────────────────

/** What is scanned as version control knows it: said by whoever asks for the scan, never guessed. */
export interface ScanOrigin {
  readonly branch?: string
  readonly commit?: string
  /** The name of a release that it is: a tag, a version. */
  readonly release?: string
  /** Where the source is shown: an address with `{path}` and `{line}`, or that of the project's folder. */
  readonly sourceUrl?: string
}

/** The inputs of a scan beside its source: plain data, no clock, no randomness. */
export interface ScanOptions {
  readonly scanId: string
  /** ISO 8601 UTC with milliseconds: the clock of all rules. */
  readonly scannedAt: string
  readonly projectName: string
  readonly limits: ScanLimits
  readonly suppressions: boolean
  readonly fingerprintKey?: string
  readonly origin?: ScanOrigin
  /** Set when an earlier run had to be ended: its findings stand, rules are not run again, the rest is only read. */
  readonly resume?: Resumption
}

/** What an earlier run of the same scan left when it had to be ended. */
export interface Resumption {
  readonly findings: readonly Finding[]
  readonly leftOut?: LeftOut
  readonly notice: Notice
  /** How many files it had read: the descriptors and models among them are read again, without rules, for what the report lists beside its findings. */
  readonly filesRead?: number
}

export type ScanPhase = 'waiting' | 'reading' | 'asking' | 'checking' | 'reporting'
export type ScanProgress = Readonly<{ phase: ScanPhase; done: number; total: number }>

/** How a running scan is watched and stopped. */
export interface ScanControl {
  /** The name space whose scan it is: where many share a queue, they take turns. */
  readonly space?: string
  readonly onProgress?: (progress: ScanProgress) => void
  /** Findings as they are finished (masked), so that a scan that must be ended still has a report; and what was counted instead so far. */
  readonly onFindings?: (findings: readonly Finding[], leftOut: LeftOut) => void
  /** All that the report tells is known, and what it was made of is let go of; the report is written next. */
  readonly onKnown?: () => void
  /** What a rule or a model threw: for the log, never for a report. */
  readonly onFault?: (fault: ScanFault) => void
  readonly signal?: AbortSignal
  /** The flag that the step counter reads; a worker's is shared memory. `time`: stop the rules, read the rest, report what was found. */
  readonly interruption?: () => Interruption | undefined
  /** Awaited between files and phases by a runner that shares its thread with others. */
  readonly pause?: () => Promise<void>
  /** Somebody waits for the findings of some files; other threads and processes never hear of it. */
  readonly ahead?: Ahead
}

/** What is told before the whole is scanned, where that takes much longer. The scan itself is the same with it and without. */
export interface Ahead {
  /** Files of the project, asked for when the scan knows all of them. */
  readonly paths: () => readonly string[]
  /** The outcome without the code of other modules. It is about these of the paths, and tells too much or too little of everything else. */
  readonly tell: (outcome: Outcome, paths: readonly string[]) => void
}

/** Something that was thrown where nothing should be; `file`: what was read then. */
export interface ScanFault {
  readonly error: unknown
  readonly ruleId?: string
  readonly file?: string
}

export type Interruption = 'cancelled' | 'time'

export interface SeverityCounts {
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  readonly info: number
  readonly total: number
}

/** A row of the history: exactly these members. */
export interface HistoryEntry {
  readonly scanId: string
  readonly projectName: string
  readonly scannedAt: string
  readonly riskScore: number
  readonly riskLevel: RiskLevel
  readonly summary: SeverityCounts
  readonly projectTypes: readonly ProjectType[]
}

/** What a project keeps of a scan beside its row. */
export interface ScanFacts {
  readonly branch?: string
  readonly commit?: string
  readonly release?: string
  /** Of Parapet, that made the report. */
  readonly scannerVersion?: string
  readonly complete: boolean
  /** The ids of its findings with their severities, as one text. */
  readonly marks: string
}

/** A finished scan: its row of the history and the rendered report (JSON, UTF-8), one record per language. */
export interface Outcome {
  readonly entry: HistoryEntry
  readonly records: Readonly<Record<Locale, Uint8Array>>
  /** Where a runner does not tell them, they are read from the report. */
  readonly facts?: ScanFacts
}

/** How a handler gets a scan done without knowing the platform. The runner owns the bytes that it is handed. Rejects with a Refusal, or with an AbortError when cancelled. */
export type ScanRunner = (source: SourceData, options: ScanOptions, control: ScanControl) => Promise<Outcome>
