/** Tables of the value checks: what people write where no credential stands, and the passwords that everybody tries first. All in lower case. */

/** A value with one of these as a word of its own stands for another value. */
export const PLACEHOLDER_WORDS: ReadonlySet<string> = new Set(
  (
    'your yours change changeme changeit changethis replace replaceme insert enter example examples sample dummy placeholder todo tbd redacted ' +
    'removed masked hidden fake mock fill put here some any foo bar baz foobar lorem ipsum xxx xxxx xxxxx n/a mein dein ihr beispiel ersetzen ' +
    'exemple votre remplacer remplacez changez saisir motdepasse ejemplo cambiar cambiame reemplazar contrasena clave exemplo troque altere seu sua senha ' +
    'esempio inserisci inserire sostituisci tuo tua cambia voorbeeld wijzig vervang wachtwoord jouw twoje haslo zmien przyklad sifre ornek degistir heslo losenord ' +
    'changer remplace suasenha minhasenha tucontrasena micontrasena votremotdepasse monmotdepasse ihrpasswort deinpasswort meinpasswort ' +
    'exempel aqui hier eintragen einfuegen einfugen ausfuellen aendern andern platzhalter geheimnis passworthier'
  ).split(' '),
)

/** A value that is one of these as a whole names what should stand there. */
export const NAMES_OF_VALUES: ReadonlySet<string> = new Set(
  (
    'password passwd pass pw pwd passphrase passwort kennwort motdepasse mypassword mypass mypwd mypw userpass userpassword dbpassword dbpass ' +
    'thepassword yourpassword somepassword password123 pass123 secret mysecret supersecret secretkey topsecret verysecret shh clientsecret client_secret ' +
    'token mytoken accesstoken apikey api_key key value credentials credential auth authorization login user username name test tests testing ' +
    'string text null none nil undefined true false empty unset default void object number boolean optional required basic bearer ' +
    'abc abcd abc123 asdf asdfasdf demo demo123 p@ss p@ssw0rd passw0rd pa55word pa$$word pa$$w0rd x-oauth-basic oauth2 anonymous'
  ).split(' '),
)

/** Passwords that are real and known to everybody: initial ones of products, the top of every list. */
export const WEAK_PASSWORDS: ReadonlySet<string> = new Set(
  (
    'admin admin1 admin123 admin1234 administrator root root123 toor initial initial1 init1234 welcome welcome1 welcome123 letmein qwerty qwertz qwerty123 ' +
    'manager master superuser system sysadmin guest test1 test123 test1234 testtest postgres postgresql mysql mariadb mongo mongodb redis rabbitmq rabbit oracle ' +
    'sa sapsap sap123 sapadmin hana hana123 hdb manager1 down1oad minisap abcd1234 abcd123 iloveyou monkey dragon sunshine football summer winter 1q2w3e4r ' +
    '1qaz2wsx zaq12wsx changeonlogin start123 start1234 geheim geheim123 schalke04 azerty motdepasse1 docker vagrant pass1 pass1234 password1 password12 ' +
    'password1234 password! password1! p@ssw0rd1 p@ssword passw0rd1 admin@123 welcome@123 test@123 secret1 secret123'
  ).split(' '),
)

/** User names of documentation: what stands beside them is no password, unless it looks drawn. */
export const DOCUMENTATION_USERS: ReadonlySet<string> = new Set(
  'user username usr uname login me you myuser myusername youruser yourusername someuser theuser name userid user_name my_user foo bar benutzer utilisateur u'.split(
    ' ',
  ),
)
