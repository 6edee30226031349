import { toBase64 } from '../material/draw.ts'
import { json, type Places } from './place.ts'

/** Build servers, images, clusters and infrastructure. */
export const PIPELINE_PLACES: Places = {
  'request of Jenkins': (pen) => [
    'Jenkinsfile',
    `node {\n  httpRequest url: 'https://${pen.host()}', customHeaders: [[name: 'Authorization', value: ${pen.either(`'Basic ${pen.put(toBase64(`svc:${pen.password()}`))}'`, '"Basic ${env.BASIC}"', 'basic')}]]\n}\n`,
  ],
  'parameter of Jenkins': (pen) => [
    'Jenkinsfile',
    `pipeline {\n  parameters {\n    password(name: 'CF_PASSWORD', defaultValue: '${pen.hide('', '<password>')}', description: 'Password of the user')\n  }\n}\n`,
  ],
  'map of Jenkins': (pen) => [
    'vars/erp.groovy',
    `def config = [host: '${pen.host()}', user: 'svc', password: ${pen.either(`'${pen.put(pen.password())}'`, 'env.ERP_PASSWORD', 'params.PASSWORD')}]\n`,
  ],
  'bat of Jenkins': (pen) => [
    'Jenkinsfile',
    `node {\n  bat "cf login -a https://api.cf.eu10.hana.ondemand.com -u ci -p ${pen.either(pen.put(pen.generated()), '%CF_PASSWORD%', '${CF_PASSWORD}')} -o o -s s"\n}\n`,
  ],
  'configuration as code': (pen) => [
    'jenkins.yaml',
    `credentials:\n  system:\n    domainCredentials:\n      - credentials:\n          - usernamePassword:\n              id: cf\n              username: ci\n              password: "${pen.hide('${CF_PASSWORD}', '${readFile:/run/secrets/cf}')}"\n`,
  ],
  'described variable of GitLab': (pen) => [
    '.gitlab-ci.yml',
    `variables:\n  ERP_PASSWORD:\n    value: "${pen.hide('', '$ERP_PW')}"\n    description: "Password of ERP"\n`,
  ],
  'header in GitLab': (pen) => [
    '.gitlab-ci.yml',
    `notify:\n  script:\n    - 'curl --header "PRIVATE-TOKEN: ${pen.key('$CI_TOKEN', '${TOKEN}')}" https://git.corp.cloud/api/v4/projects'\n`,
  ],
  'login in GitLab': (pen) => [
    '.gitlab-ci.yml',
    `build:\n  before_script:\n    - docker login -u ci -p ${pen.either(pen.put(pen.generated()), '$CI_JOB_TOKEN', '"$CI_REGISTRY_PASSWORD"')} r.corp.cloud\n`,
  ],
  'service of a workflow': (pen) => [
    '.github/workflows/t.yml',
    `jobs:\n  test:\n    services:\n      db:\n        image: postgres:16\n        env:\n          POSTGRES_PASSWORD: ${pen.hide('${{ secrets.PG }}', '${{ env.PG }}')}\n`,
  ],
  'JSON of a workflow': (pen) => [
    '.github/workflows/az.yml',
    `jobs:\n  a:\n    steps:\n      - uses: azure/login@v2\n        with:\n          creds: '{"clientId":"${pen.guid()}","clientSecret":"${pen.key('${{ secrets.AZ }}', '<secret>')}"}'\n`,
  ],
  'address of a workflow': (pen) => [
    '.github/workflows/db.yml',
    `env:\n  DATABASE_URL: postgres://app:${pen.either(pen.put(pen.random()), '${{ secrets.PG }}', '$PG')}@pg.corp.cloud:5432/orders\n`,
  ],
  'echo of a workflow': (pen) => [
    '.github/workflows/n.yml',
    `jobs:\n  a:\n    steps:\n      - run: |\n          echo "//npm.corp.cloud/:_authToken=${pen.key('${{ secrets.NPM }}', '$NPM_TOKEN')}" > .npmrc\n          npm publish\n`,
  ],
  'parameter of Azure': (pen) => [
    'azure-pipelines.yml',
    `parameters:\n  - name: erpPassword\n    type: string\n    default: '${pen.hide('', '$(erpPassword)')}'\n`,
  ],
  'arguments of Azure': (pen) => [
    'azure-pipelines.yml',
    `steps:\n  - task: PowerShell@2\n    inputs:\n      filePath: deploy.ps1\n      arguments: -User ci -Password '${pen.hide('$(CF_PASSWORD)', '$(pw)')}'\n`,
  ],
  'variables of Azure': (pen) => [
    'azure-pipelines.yml',
    `variables:\n  region: eu10\n  nexusPassword: ${pen.hide('$(NEXUS)', '${{ parameters.pw }}')}\n`,
  ],
  Bitbucket: (pen) => [
    'bitbucket-pipelines.yml',
    `pipelines:\n  default:\n    - step:\n        script:\n          - export CF_PASSWORD="${pen.hide('$CF_PW', '${PW}')}"\n          - npm run deploy\n`,
  ],
  Travis: (pen) => ['.travis.yml', `env:\n  global:\n    - DB_PASSWORD=${pen.hide('$PW', '${PW}')}\n    - NODE_ENV=test\n`],
  'parameters of Tekton': (pen) => [
    'tekton/run.yaml',
    `kind: PipelineRun\nspec:\n  params:\n    - name: registry-password\n      value: ${pen.hide('$(params.pw)', '$(context.pw)')}\n`,
  ],
  'parameters of Argo CD': (pen) => [
    'argo/app.yaml',
    `kind: Application\nspec:\n  source:\n    helm:\n      parameters:\n        - name: db.password\n          value: "${pen.hide('<path:kv/orders#pw>', '')}"\n`,
  ],
  TeamCity: (pen) => [
    '.teamcity/settings.kts',
    `params {\n  param("env.CF_USER", "ci")\n  param("env.CF_PASSWORD", "${pen.hide('%cf.password%', '')}")\n}\n`,
  ],
  'registry of Dependabot': (pen) => [
    '.github/dependabot.yml',
    `version: 2\nregistries:\n  npm-corp:\n    type: npm-registry\n    url: https://npm.corp.cloud\n    token: ${pen.key('${{ secrets.NPM }}', '${{secrets.TOKEN}}')}\n`,
  ],
  'rules of Renovate': (pen) => [
    'renovate.json',
    json({ hostRules: [{ matchHost: 'npm.corp.cloud', username: 'ci', password: pen.hide('{{ secrets.NPM }}', '') }] }),
  ],
  'sonar-project.properties': (pen) => [
    'sonar-project.properties',
    `sonar.projectKey=orders\nsonar.login=${pen.either(pen.put(pen.shape('{h40}')), '${env.SONAR}', '')}\n`,
  ],
  'RUN of a Dockerfile': (pen) => [
    'Dockerfile',
    `FROM node:22\nRUN curl -fsSL -u ci:${pen.either(pen.put(pen.generated()), '$NEXUS_PW', '${NEXUS_PW}')} https://nexus.corp.cloud/a.tgz | tar xz\n`,
  ],
  'netrc of a Dockerfile': (pen) => [
    'Dockerfile',
    `FROM node:22\nRUN echo "machine git.corp.cloud login ci password ${pen.either(pen.put(pen.generated()), '$PW', '${GIT_PW}')}" > ~/.netrc\n`,
  ],
  'ENV over lines': (pen) => [
    'Dockerfile',
    `FROM node:22\nENV NODE_ENV=production \\\n    ERP_USER=app \\\n    ERP_PASSWORD=${pen.hide('$ERP_PASSWORD', '""')}\n`,
  ],
  'arguments of a container': (pen) => [
    'k8s/d.yaml',
    `kind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: a\n          args: ["--port=8080", "--db-password=${pen.hide('$(DB_PASSWORD)', '')}"]\n`,
  ],
  'command of compose': (pen) => [
    'docker-compose.yml',
    `services:\n  grafana:\n    command: ["server", "--admin-password", "${pen.hide('${GF_PW}', '${GF_PW:?}')}"]\n`,
  ],
  'image credentials of a chart': (pen) => [
    'chart/values.yaml',
    `imageCredentials:\n  registry: r.corp.cloud\n  username: ci\n  password: ${pen.hide('""', '{{ .Values.global.pw }}')}\n`,
  ],
  'extraEnv of a chart': (pen) => [
    'chart/values.yaml',
    `extraEnv:\n  - name: ERP_PASSWORD\n    value: "${pen.hide('', '$(ERP)')}"\n  - name: A\n    value: b\n`,
  ],
  'properties in a ConfigMap': (pen) => [
    'k8s/cm.yaml',
    `kind: ConfigMap\ndata:\n  application.properties: |\n    server.port=8080\n    spring.datasource.password=${pen.hide('${DB_PASSWORD}', '@pw@')}\n`,
  ],
  'JSON in a Secret': (pen) => [
    'k8s/s.yaml',
    `apiVersion: v1\nkind: Secret\nstringData:\n  config.json: '{"user":"${pen.user()}","password":"${pen.hide('<password>', '')}"}'\n`,
  ],
  'provider of Terraform': (pen) => [
    'infra/provider.tf',
    `provider "cloudfoundry" {\n  api_url  = "https://api.cf.eu10.hana.ondemand.com"\n  user     = "ci"\n  password = ${pen.either(`"${pen.put(pen.password())}"`, 'var.cf_password', 'data.vault.cf.password')}\n}\n`,
  ],
  'jsonencode of Terraform': (pen) => [
    'infra/instance.tf',
    `resource "btp_subaccount_service_instance" "hana" {\n  parameters = jsonencode({\n    data = { memory = 32, systempassword = ${pen.either(`"${pen.put(pen.generated())}"`, 'var.pw', 'random_password.hana.result')} }\n  })\n}\n`,
  ],
  'heredoc of Terraform': (pen) => [
    'infra/vm.tf',
    `resource "vm" "a" {\n  user_data = <<-EOT\n    #!/bin/bash\n    export DB_PASSWORD='${pen.hide('${var.pw}', '${random_password.a.result}')}'\n  EOT\n}\n`,
  ],
  'back end of Terraform': (pen) => [
    'infra/backend.tf',
    `terraform {\n  backend "s3" {\n    access_key = "orders"\n    secret_key = "${pen.either(pen.put(pen.shape('{b40}')), '', '<secret>')}"\n  }\n}\n`,
  ],
  'state of Terraform': (pen) => [
    'infra/terraform.tfstate',
    json({
      version: 4,
      resources: [
        { type: 'random_password', instances: [{ attributes: { id: 'none', length: 20, result: 'x' } }] },
        { type: 'hana', instances: [{ attributes: { user: 'app', password: pen.hide('', '<sensitive>') } }] },
      ],
    }),
  ],
  'inventory of Ansible': (pen) => [
    'inventory/hosts.ini',
    `[erp]\nerp1.corp.cloud ansible_user=svc ansible_ssh_pass=${pen.either(pen.put(pen.generated()), '"{{ vault_pw }}"', '{{pw}}')}\n`,
  ],
  'task of Ansible': (pen) => [
    'playbook.yml',
    `- hosts: all\n  tasks:\n    - uri:\n        url: https://${pen.host()}\n        url_username: svc\n        url_password: "${pen.hide('{{ erp_password }}', '{{ vault_pw }}')}"\n`,
  ],
  'line of Ansible': (pen) => [
    'roles/db/tasks/main.yml',
    `- name: user\n  mysql_user: name=app password=${pen.either(pen.put(pen.generated()), '{{ pw }}', '"{{ pw }}"')} priv=*.*:ALL\n`,
  ],
  'cloud-init': (pen) => [
    'cloud-init.yaml',
    `#cloud-config\nwrite_files:\n  - path: /etc/orders.env\n    content: |\n      ERP_PASSWORD=${pen.hide('${pw}', '')}\n`,
  ],
  'parameters of ARM': (pen) => [
    'infra/parameters.json',
    json({ parameters: { location: { value: 'westeurope' }, administratorPassword: { value: pen.hide('', '<password>') } } }),
  ],
  Bicep: (pen) => [
    'infra/main.bicep',
    `param location string = 'westeurope'\nparam adminPassword string = '${pen.hide('', '<password>')}'\n`,
  ],
  CloudFormation: (pen) => [
    'infra/cf.yaml',
    `Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      MasterUsername: app\n      MasterUserPassword: ${pen.hide('!Ref Pw', "'{{resolve:secretsmanager:db}}'")}\n`,
  ],
  Vagrantfile: (pen) => [
    'Vagrantfile',
    `Vagrant.configure("2") do |config|\n  config.ssh.username = "dev"\n  config.ssh.password = ${pen.either(`"${pen.put(pen.password())}"`, 'ENV["PW"]')}\nend\n`,
  ],
}
