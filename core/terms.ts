/** Languages, grades and areas: the terms that everything else is said in. */
export type Locale = 'en' | 'fr'
/** The same thing in every language. */
export type Localized<Thing> = Readonly<Record<Locale, Thing>>
export type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'
export type Confidence = 'high' | 'medium' | 'low'
export type RiskLevel = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
export type Area = 'ui5' | 'cap' | 'secrets' | 'btp' | 'npm' | 'approuter'
export type ProjectType = 'UI5' | 'CAP'
