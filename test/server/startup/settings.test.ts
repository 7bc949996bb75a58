import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Environment } from '../../../src/platform/config/config.ts'
import { findFreePort } from '../../code/lfs/support.ts'
import { testDialect } from '../../support/databases.ts'
import { startServer } from '../../support/process.ts'
import { Machine, startMachine } from '../../support/terminal.ts'

async function portOf(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

/** An S3 service that answers everything so. */
async function startRefusingS3(t: TestContext, status: number, code: string): Promise<Environment> {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`
  const server = createHttpServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(xml)
  })
  return s3At(`http://127.0.0.1:${await portOf(t, server)}`)
}

function s3At(endpoint: string): Environment {
  return {
    CODESTEAD_STORAGE_KIND: 's3',
    CODESTEAD_STORAGE_ENDPOINT: endpoint,
    CODESTEAD_STORAGE_BUCKET: 'files',
    CODESTEAD_STORAGE_ACCESS_KEY: 'key',
    CODESTEAD_STORAGE_SECRET_KEY: 'canary-secret',
    CODESTEAD_STORAGE_PATH_STYLE: 'true',
  }
}

/** The start and the command say the same, each problem in one line. */
async function assertRefused(
  t: TestContext,
  settings: Environment,
  ...expected: readonly RegExp[]
): Promise<void> {
  const free = { CODESTEAD_SERVER_PORT: String(await findFreePort()) }
  const { data, environment } = await startMachine(t)
  const machine = new Machine(data, environment['CODESTEAD_DATABASE_URL'] ?? '', {
    ...free,
    ...settings,
  })

  const checked = await machine.admin(['config', 'check'])
  const server = startServer(t, machine.environment)

  assert.equal(checked.status, 1, checked.notes)
  assert.equal(await server.end(), 1)
  const lines = checked.out.split('\n')
  assert.equal(lines.length, expected.length, checked.out)
  for (const [index, line] of lines.entries()) assert.match(line, expected[index] ?? assert.fail())
  assert.equal(server.notes, `codestead: ${checked.out}\n`)
  assert.doesNotMatch(checked.out, /canary|\n\s+at /)
}

const nothing = 'http://127.0.0.1:1'
const wrong: readonly (readonly [string, Environment, RegExp])[] = [
  [
    'a proxy that is no address',
    { CODESTEAD_SERVER_TRUSTED_PROXIES: 'proxy.local' },
    /^CODESTEAD_SERVER_TRUSTED_PROXIES: expected a list of IP addresses, .*got "proxy\.local"$/,
  ],
  [
    'a range of proxies that is none',
    { CODESTEAD_SERVER_TRUSTED_PROXIES: '10.0.0.0/33' },
    /^CODESTEAD_SERVER_TRUSTED_PROXIES: /,
  ],
  [
    'a host that is none',
    { CODESTEAD_SERVER_HOST: 'http://x' },
    /^CODESTEAD_SERVER_HOST: expected an IP address or the name of a host/,
  ],
  [
    'an address of another machine',
    { CODESTEAD_SERVER_HOST: '192.0.2.1' },
    /EADDRNOTAVAIL.*\(CODESTEAD_SERVER_HOST\)$/,
  ],
  [
    'an origin with a path',
    { CODESTEAD_CORS_ALLOW_ORIGINS: 'https://a.example/x' },
    /^CODESTEAD_CORS_ALLOW_ORIGINS: /,
  ],
  [
    'a unit that is none',
    { CODESTEAD_REPOSITORIES_DEFAULT_UNITS: 'repo.code,repo.chat' },
    /^CODESTEAD_REPOSITORIES_DEFAULT_UNITS: expected a list of repo\.code/,
  ],
  [
    'a branch that git refuses',
    { CODESTEAD_REPOSITORIES_DEFAULT_BRANCH: 'a..b' },
    /^CODESTEAD_REPOSITORIES_DEFAULT_BRANCH: expected the name of a branch/,
  ],
  [
    'a port that is none',
    { CODESTEAD_NETWORK_PORTS: '80,x' },
    /^CODESTEAD_NETWORK_PORTS: expected a list of ports/,
  ],
  [
    'a host of the network that is none',
    { CODESTEAD_NETWORK_ALLOW_HOSTS: '10.0.0.0/99' },
    /^network\.allow_hosts: /,
  ],
  [
    'a program that is not known',
    { CODESTEAD_OAUTH2_BUILT_IN_APPLICATIONS: 'tea,coffee' },
    /^CODESTEAD_OAUTH2_BUILT_IN_APPLICATIONS: /,
  ],
  ['a key that is short', { CODESTEAD_SECURITY_SECRET_KEY: 'short' }, /^security\.secret_key: /],
  [
    'a bucket that is not named',
    { ...s3At(nothing), CODESTEAD_STORAGE_BUCKET: '' },
    /^storage\.bucket has to be set where storage\.kind is s3$/,
  ],
  ['a service that is not there', s3At(nothing), /^storage\.endpoint: .*ECONNREFUSED/],
  [
    'a PostgreSQL that is not there',
    { CODESTEAD_DATABASE_URL: 'postgres://x:canary@127.0.0.1:1/x' },
    /^database\.url: PostgreSQL cannot be used: connect ECONNREFUSED/,
  ],
  [
    'a folder below a file',
    { CODESTEAD_DATA: '/dev/null/data' },
    /^CODESTEAD_DATA: \/dev\/null cannot be written to/,
  ],
  [
    'a setting that is not there',
    { CODESTEAD_SERVER_PROT: '1' },
    /^CODESTEAD_SERVER_PROT: there is no such setting$/,
  ],
]

suite('a setting that cannot be used is one line with its name', () => {
  for (const [what, settings, line] of wrong) {
    test(what, async (t) => assertRefused(t, settings, line))
  }

  test('several of them are a line each', async (t) => {
    const settings = { CODESTEAD_SERVER_URL: 'ftp://x', CODESTEAD_LOG_LEVEL: 'loud' }
    await assertRefused(t, settings, /^CODESTEAD_SERVER_URL: /, /^CODESTEAD_LOG_LEVEL: /)
  })

  test('a bucket that is missing, and keys that are wrong', async (t) => {
    const missing = await startRefusingS3(t, 404, 'NoSuchBucket')
    await assertRefused(t, missing, /^storage\.bucket: there is no bucket files/)
    const wrongKeys = await startRefusingS3(t, 403, 'SignatureDoesNotMatch')
    await assertRefused(t, wrongKeys, /^storage\.access_key, storage\.secret_key: the service does/)
    const strange = await startRefusingS3(t, 403, 'AccessDenied')
    await assertRefused(t, strange, /^storage\.access_key: the keys do not open the bucket files/)
  })

  test('a port that another program has', async (t) => {
    const port = String(await portOf(t, createServer()))
    await assertRefused(
      t,
      { CODESTEAD_SERVER_PORT: port },
      /^listen EADDRINUSE.*\(CODESTEAD_SERVER_PORT\)$/,
    )
    const ssh = { CODESTEAD_SSH_ENABLED: 'true', CODESTEAD_SSH_LISTEN_PORT: port }
    await assertRefused(t, ssh, /^listen EADDRINUSE.*\(CODESTEAD_SSH_LISTEN_PORT\)$/)
  })

  test('a key file that others can read', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'codestead-key-'))
    t.after(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, 'data'))
    const key = join(folder, 'data', 'secret.key')
    writeFileSync(key, 'x'.repeat(64))
    chmodSync(key, 0o644)
    const settings = { CODESTEAD_DATA: join(folder, 'data') }
    await assertRefused(t, settings, /secret\.key can be read by other users/)
  })

  test(
    'a password that PostgreSQL does not take, and a database that it does not have',
    { skip: testDialect === 'sqlite' && 'that is PostgreSQL alone' },
    async (t) => {
      const { environment } = await startMachine(t)
      const url = new URL(environment['CODESTEAD_DATABASE_URL'] ?? '')
      url.pathname = '/unknown_name'
      await assertRefused(
        t,
        { CODESTEAD_DATABASE_URL: url.href },
        /^database\.url: PostgreSQL cannot be used: database "unknown_name" does not exist/,
      )
    },
  )
})

suite('npm run admin -- config check', () => {
  test('finds nothing where all is well, also beside the server, and changes nothing', async (t) => {
    const { data, environment } = await startMachine(t)
    const port = String(await findFreePort())
    const ssh = String(await findFreePort())
    const machine = new Machine(data, environment['CODESTEAD_DATABASE_URL'] ?? '', {
      CODESTEAD_SERVER_PORT: port,
      CODESTEAD_SSH_ENABLED: 'true',
      CODESTEAD_SSH_LISTEN_PORT: ssh,
    })
    const before = await machine.admin(['config', 'check'])
    const server = startServer(t, machine.environment)
    await server.says(/ is at http/)

    const beside = await machine.admin(['config', 'check'])

    assert.deepEqual([before.status, before.out, beside.status, beside.out], [0, '', 0, ''])
    assert.match(beside.notes, /All settings can be used/)
  })
})
