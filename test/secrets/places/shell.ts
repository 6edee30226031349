import { toBase64 } from '../material/draw.ts'
import { word, type Places } from './place.ts'

/** Commands in scripts. */
export const SHELL_PLACES: Places = {
  'docker login by a pipe': (pen) => [
    'ci/login.sh',
    `echo ${pen.either(`"${pen.put(pen.generated())}"`, '"$REGISTRY_PASSWORD"', '$TOKEN')} | docker login r.corp.cloud -u ci --password-stdin\n`,
  ],
  'curl -u of a variable': (pen) => [
    'ci/smoke.sh',
    `URL="https://${pen.host()}/orders"\nAUTH="ci:${word(pen, '$CI_PASSWORD', '${CI_PASSWORD}', '<password>')}"\ncurl -s -u "$AUTH" "$URL"\n`,
  ],
  mysqldump: (pen) => [
    'backup.sh',
    `mysqldump -h db -u root --password=${pen.either(pen.put(pen.generated()), '"$MYSQL_PW"', '${PW}')} orders > dump.sql\n`,
  ],
  'mysql -p in quotes': (pen) => ['m.sh', `mysql -u root -p'${pen.hide('${PW}', '<password>')}' orders < schema.sql\n`],
  'redis-cli -a': (pen) => [
    'flush.sh',
    `redis-cli -h cache -a ${pen.either(pen.put(pen.generated()), '$REDIS_PW', '"${REDIS_PW}"')} FLUSHALL\n`,
  ],
  'keywords of psql': (pen) => [
    'q.sh',
    `psql "host=${pen.host()} dbname=orders user=app password=${pen.hide('$PGPW', '<password>')}" -c 'select 1'\n`,
  ],
  'address of psql': (pen) => [
    'q2.sh',
    `psql postgresql://app:${pen.either(pen.put(pen.random()), '$PGPW', '${PGPW}')}@pg.corp.cloud/orders\n`,
  ],
  'PGPASSWORD exported': (pen) => ['q3.sh', `export PGPASSWORD="${pen.hide('$1', '$(cat /run/secrets/pg)')}"\npg_dump orders\n`],
  sqlcmd: (pen) => ['s.sh', `sqlcmd -S tcp:${pen.host()} -U sa -P '${pen.hide('$SA_PASSWORD', '<password>')}' -Q "SELECT 1"\n`],
  sqlplus: (pen) => [
    'o.sh',
    `sqlplus system/${pen.either(pen.put(pen.shape('{A1}{w11}{d2}')), '$ORA_PW', '"$ORA_PW"')}@//ora.corp.cloud:1521/XE @run.sql\n`,
  ],
  ldapsearch: (pen) => ['l.sh', `ldapsearch -x -D "cn=admin,dc=corp" -w '${pen.hide('$LDAP_PW', '${LDAP_PW}')}' -b dc=corp\n`],
  'openssl -passout': (pen) => [
    'k.sh',
    `openssl pkcs12 -export -in a.crt -inkey a.key -out a.p12 -passout pass:${pen.either(pen.put(pen.generated()), '$P12_PW', '"$P12_PW"')}\n`,
  ],
  'openssl enc -k': (pen) => [
    'e.sh',
    `openssl enc -aes-256-cbc -d -in a.enc -out a.json -k ${pen.either(pen.put(pen.generated()), '"$ENC_KEY"', '$1')}\n`,
  ],
  keytool: (pen) => [
    'kt.sh',
    `keytool -genkeypair -alias orders -keystore a.jks -storepass ${pen.either(pen.put(pen.generated()), '$STOREPASS', '"${PW}"')} -dname CN=a\n`,
  ],
  'keytool with a key password': (pen) => [
    'kt2.sh',
    `keytool -importkeystore -srckeystore a.p12 -srcstorepass "$A" -destkeypass ${pen.either(`'${pen.put(pen.password())}'`, '"$B"')} -destkeystore b.jks\n`,
  ],
  'gpg --passphrase': (pen) => ['g.sh', `gpg --batch --yes --passphrase '${pen.hide('$GPG_PASS', '')}' -d a.gpg > a.json\n`],
  'zip -P': (pen) => ['z.sh', `zip -r -P ${pen.either(pen.put(pen.generated()), '"$ZIP_PW"', '$ZIP_PW')} out.zip gen/\n`],
  'lftp -u': (pen) => [
    'f.sh',
    `lftp -u ${pen.user()},${pen.either(pen.put(pen.generated()), '$FTP_PW', '"$FTP_PW"')} sftp://files.corp.cloud -e "put a.csv; bye"\n`,
  ],
  'smbclient -U': (pen) => ['smb.sh', `smbclient //files/share -U 'svc%${pen.hide('$SMB_PW', '${PW}')}' -c 'get a.csv'\n`],
  'options of mount': (pen) => [
    'mnt.sh',
    `mount -t cifs //files/share /mnt -o username=svc,password=${pen.either(pen.put(pen.generated()), '$SMB_PW', '${PW}')},uid=1000\n`,
  ],
  'curl --proxy-user': (pen) => [
    'p.sh',
    `curl -x proxy.corp.cloud:8080 --proxy-user "${pen.user()}:${pen.either(pen.put(pen.generated()), '$PROXY_PW', '${PW}')}" https://${pen.host()}\n`,
  ],
  'curl with a JSON body': (pen) => [
    'j.sh',
    `curl -X POST https://${pen.host()}/login -H 'Content-Type: application/json' --data-raw '{"user":"${pen.user()}","password":"${pen.hide("'$PW'", '<password>')}"}'\n`,
  ],
  'curl over lines': (pen) => [
    'c.sh',
    `curl --request POST \\\n  --url https://${pen.host()}/oauth/token \\\n  --data-urlencode "client_id=orders" \\\n  --data-urlencode "client_secret=${pen.key('$SECRET', '${CLIENT_SECRET}')}"\n`,
  ],
  'curl with a token header': (pen) => [
    't.sh',
    `curl --header "X-Auth-Token: ${pen.key('$TOKEN', '${TOKEN}')}" https://${pen.host()}/v1\n`,
  ],
  'curl with a cookie': (pen) => ['ck.sh', `curl -b "sessionToken=${pen.key('$TOKEN', '${TOKEN}')}" https://${pen.host()}/v1\n`],
  'curl -u with the address first': (pen) => [
    'cu.sh',
    `curl -fsSL "https://${pen.host()}/repo/a.mtar" -u'${pen.user()}:${pen.either(pen.put(pen.generated()), '$NEXUS_PW', '<password>')}' -O\n`,
  ],
  HTTPie: (pen) => [
    'h.sh',
    `http -a ${pen.user()}:${pen.either(pen.put(pen.generated()), '$PW', '"$PW"')} GET https://${pen.host()}/odata\n`,
  ],
  'wget --header': (pen) => [
    'w.sh',
    `wget --header="Authorization: Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '$BASIC', '${BASIC}')}" https://${pen.host()}/x\n`,
  ],
  'git remote': (pen) => [
    'gr.sh',
    `git remote set-url origin https://ci:${pen.either(pen.put(pen.random()), '$GIT_TOKEN', '${GIT_TOKEN}')}@git.corp.cloud/orders.git\n`,
  ],
  'git header': (pen) => [
    'gh.sh',
    `git -c http.extraHeader="Authorization: Bearer ${pen.key('$TOKEN', '${TOKEN}')}" fetch origin\n`,
  ],
  'proxy of git': (pen) => [
    'gp.sh',
    `git config --global http.proxy http://${pen.user()}:${pen.either(pen.put(pen.random()), '$PROXY_PW', '${PW}')}@proxy.corp.cloud:8080\n`,
  ],
  'yarn config set': (pen) => ['y.sh', `yarn config set npmAuthToken ${pen.key('"$NPM_TOKEN"', '${NPM_TOKEN}')}\n`],
  'vault login': (pen) => [
    'v.sh',
    `export VAULT_ADDR=https://vault.corp.cloud\nexport VAULT_TOKEN=${pen.key('$(cat ~/.vault-token)', '"$1"')}\n`,
  ],
  'vault kv put': (pen) => [
    'vk.sh',
    `vault kv put secret/orders user=app password=${pen.either(pen.put(pen.generated()), '"$PW"', '@pw.txt', '-')}\n`,
  ],
  'aws configure': (pen) => [
    'aw.sh',
    `aws configure set aws_secret_access_key ${pen.either(pen.put(pen.shape('{b40}')), '"$AWS_SECRET"', '$AWS_SECRET_ACCESS_KEY')}\n`,
  ],
  'kubectl set-credentials': (pen) => [
    'ku.sh',
    `kubectl config set-credentials ci --token=${pen.key('$KUBE_TOKEN', '"$TOKEN"')}\n`,
  ],
  'kubectl registry secret': (pen) => [
    'kr.sh',
    `kubectl create secret docker-registry regcred --docker-server=r.corp.cloud --docker-username=ci --docker-password='${pen.hide('$PW', '${PW}')}'\n`,
  ],
  'helm repo add': (pen) => [
    'hr.sh',
    `helm repo add corp https://charts.corp.cloud --username ci --password ${pen.either(pen.put(pen.generated()), '"$PW"', '$HELM_PW')}\n`,
  ],
  'skopeo copy': (pen) => [
    'sk.sh',
    `skopeo copy --src-creds ci:${pen.either(pen.put(pen.generated()), '$PW', '${PW}')} docker://a docker://b\n`,
  ],
  'sonar-scanner': (pen) => [
    'so.sh',
    `sonar-scanner -Dsonar.projectKey=orders -Dsonar.token=${pen.key('$SONAR_TOKEN', '"$SONAR_TOKEN"')}\n`,
  ],
  'argument of Spring': (pen) => [
    'run.sh',
    `java -jar orders.jar --server.port=8080 --spring.datasource.password=${pen.either(pen.put(pen.generated()), '"$DB_PW"', '${DB_PW}')}\n`,
  ],
  'terraform -var': (pen) => ['tf.sh', `terraform apply -auto-approve -var="db_password=${pen.hide('$DB_PW', '${DB_PW}')}"\n`],
  'newman --env-var': (pen) => ['nm.sh', `newman run a.json --env-var "clientSecret=${pen.key('$SECRET', '${SECRET}')}"\n`],
  'heredoc of a JSON file': (pen) => [
    'hd.sh',
    `cat > default-env.json <<'JSON'\n{ "ERP": { "user": "${pen.user()}", "password": "${pen.hide('<password>', '')}" } }\nJSON\n`,
  ],
  'heredoc of .npmrc': (pen) => [
    'hn.sh',
    `cat <<EOF > .npmrc\nregistry=https://npm.corp.cloud/\n//npm.corp.cloud/:_authToken=${pen.key('${NPM_TOKEN}', '$NPM_TOKEN')}\nEOF\n`,
  ],
  'array of a shell': (pen) => [
    'ar.sh',
    `declare -A config=(\n  [user]="${pen.user()}"\n  [password]="${pen.hide('$PW', '')}"\n)\n`,
  ],
  'fish variable': (pen) => ['env.fish', `set -gx ERP_USER app\nset -gx ERP_PASSWORD '${pen.hide('', '$PW')}'\n`],
  'header of PowerShell': (pen) => [
    'call.ps1',
    `$headers = @{ Authorization = "Bearer ${pen.key('$token', '$($env:TOKEN)')}" }\nInvoke-RestMethod -Uri https://${pen.host()} -Headers $headers\n`,
  ],
  'setx of Windows': (pen) => ['setup.bat', `@echo off\nsetx ERP_PASSWORD "${pen.hide('%1', '%PW%')}"\n`],
  'unit of systemd': (pen) => [
    'deploy/orders.service',
    `[Service]\nExecStart=/usr/bin/node srv\nEnvironment="DB_PASSWORD=${pen.hide('%i', '')}"\n`,
  ],
}
