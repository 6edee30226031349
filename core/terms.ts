/** Languages, grades and areas: the terms that everything else is said in. */
export type Locale = 'en' | 'fr'
/** The same thing in every language. */
export type Localized<Thing> = Readonly<Record<Locale, Thing>>
export type Severity = 'CRITICAL' | 'HIGH' | 'MEDIUM' | 'LOW' | 'INFO'
export type Confidence = 'high' | 'medium' | 'low'
export type RiskLevel = 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL'
export type Area = 'ui5' | 'cap' | 'secrets' | 'btp' | 'npm' | 'approuter'
export type ProjectType = 'UI5' | 'CAP'

/** What an attack gives: code or an identity · data beyond the caller's rights · somebody else's session · little · nothing by itself · nothing. */
export type Impact = 'takeover' | 'data' | 'session' | 'bounded' | 'defence' | 'hygiene'
/** Who can start it; `self`: it touches the attacker's own session alone, `pipeline`: whoever may open a pull request or push. */
export type Reach = 'anyone' | 'user' | 'privileged' | 'self' | 'local' | 'pipeline' | 'nobody'
/** What a file is for. */
export type Usage = 'deployed' | 'library' | 'boilerplate' | 'unused'
/** How complete the proof is: everything is in the project · a link of the attack is not · a name alone says it. */
export type Evidence = 'shown' | 'assumed' | 'guessed'
/**
 * What lowers or raises an impact within its row. Of data: `demo`, of CSV files or of CAP's sample model; `visible`, users may read it anyway; `public`, it is probably for everybody. Of a session:
 * `unseen`, others don't see it. Of hygiene: `unfixed`, it stops getting fixes; `ended`, half a year after that; `unloadable`, the app can't load it any more;
 * of an advisory: `unused`, nothing in the project does what it is about; `unloaded`, nothing loads the package; `off`, no setting or route lets a client reach it; `idle`,
 * nothing that is deployed starts or loads it; `offline`, only development, building and deploying need it; `unlocked`, the deployed version is another;
 * `tab`, only pages need it, and it can stop no more than the tab of their user; `undeployed`, only a part that nothing deploys needs it.
 */
export type Circumstance =
  | 'demo'
  | 'visible'
  | 'public'
  | 'unseen'
  | 'unfixed'
  | 'ended'
  | 'unloadable'
  | 'unused'
  | 'unloaded'
  | 'off'
  | 'idle'
  | 'offline'
  | 'unlocked'
  | 'tab'
  | 'undeployed'
