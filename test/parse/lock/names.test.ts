import { expect, test } from 'vitest'
import { withoutUser } from '../../../core/parse/lock/index.ts'

test.each([
  ['https://ci:{a!b}@npm.corp.cloud/left/-/left-1.0.0.tgz', 'https://npm.corp.cloud/left/-/left-1.0.0.tgz'],
  ['git+http://ci@git.corp.cloud/a.git#b@c', 'git+http://git.corp.cloud/a.git#b@c'],
  ['http://a@b@npm.corp.cloud', 'http://npm.corp.cloud'],
  ['https://npm.corp.cloud/@scope/a/-/a-1.0.0.tgz', 'https://npm.corp.cloud/@scope/a/-/a-1.0.0.tgz'],
  ['file:../a@b', 'file:../a@b'],
  ['', ''],
])('%s is told as %s', (address, told) => expect(withoutUser(address)).toBe(told))
