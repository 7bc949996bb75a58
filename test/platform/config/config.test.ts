// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { describeConfig, loadConfig } from '../../../src/platform/config/config.ts'
import { baseUrl, noReplyDomain } from '../../../src/platform/config/urls.ts'

function folderWith(t: TestContext, toml?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  if (toml !== undefined) writeFileSync(join(folder, 'codestead.toml'), toml)
  return folder
}

suite('the configuration', () => {
  test('has defaults for everything', (t) => {
    const config = loadConfig({ CODESTEAD_DATA: folderWith(t) })

    assert.equal(config.server.port, 3000)
    assert.equal(config.security.min_password_length, 6)
    assert.deepEqual(config.release, { allowed_types: '', max_size: 2 * 1024 ** 3 })
    assert.partialDeepStrictEqual(config, {
      security: { basic_password: true, query_tokens: true, require_sign_in: 'false' },
      cors: { enabled: false },
      api: { swagger: true },
      federation: { enabled: false },
      users: { default_visibility: 'public', hide_email: false },
    })
    assert.equal(config.mirror.min_interval, 600)
    assert.equal(config.network.allow_private, false)
    assert.equal(baseUrl(config), 'http://127.0.0.1:3000')
    assert.equal(noReplyDomain(config), 'noreply.127.0.0.1')
    assert.ok(Object.isFrozen(config) && Object.isFrozen(config.server))
  })

  test('is read from the file, and from the environment, which wins', (t) => {
    const CODESTEAD_DATA = folderWith(
      t,
      '[server]\nport = 4000\nhost = "0.0.0.0"\n[mirror]\nmin_interval = "1h30m"\n[cors]\nallow_origins = ["https://a.example"]\n',
    )

    const config = loadConfig({
      CODESTEAD_DATA,
      CODESTEAD_SERVER_PORT: '5000',
      CODESTEAD_SERVER_URL: 'https://forge.example/sub/',
      CODESTEAD_LFS_ENABLED: 'true',
      CODESTEAD_UI_REACTIONS: '+1, heart',
    })

    assert.partialDeepStrictEqual(config, {
      server: { port: 5000, host: '0.0.0.0', url: 'https://forge.example/sub' },
      mirror: { min_interval: 5400 },
      cors: { allow_origins: ['https://a.example'] },
      lfs: { enabled: true },
      ui: { reactions: ['+1', 'heart'] },
    })
  })

  test('may lie elsewhere', (t) => {
    const folder = folderWith(t, '[server]\nport = 4000\n')
    const file = join(folder, 'other.toml')
    writeFileSync(file, '[server]\nport = 4001\n')

    assert.equal(loadConfig({ CODESTEAD_DATA: folder }, file).server.port, 4001)
    assert.throws(() => loadConfig({ CODESTEAD_DATA: folder }, `${file}x`), /does not exist/)
  })

  test('takes mail servers, whose passwords are not shown, and lets addresses be confirmed with one', (t) => {
    const config = loadConfig({
      CODESTEAD_DATA: folderWith(t),
      CODESTEAD_MAIL_URL: 'smtps://ann%40x:p%40ss@mail.example.org:465',
      CODESTEAD_MAIL_FROM: 'The forge <forge@example.org>',
      CODESTEAD_SECURITY_EMAIL_CONFIRMATION: 'true',
    })

    const shown = new Map(describeConfig(config).map(({ name, value }) => [name, value]))
    assert.equal(shown.get('mail.url'), 'smtps://ann%40x:***@mail.example.org:465')
    assert.equal(shown.get('mail.from'), 'The forge <forge@example.org>')
    assert.equal(config.security.email_confirmation, true)
  })

  test('takes sizes with their units, and shows them with the largest that fits', (t) => {
    const config = loadConfig({
      CODESTEAD_DATA: folderWith(t, '[quota]\nper_owner = "1536MiB"\nper_repository = 0\n'),
      CODESTEAD_LFS_MAX_FILE_SIZE: '2048MiB',
      CODESTEAD_PACKAGES_MAX_FILE_SIZE: '1000B',
    })

    assert.deepEqual(config.quota, { per_owner: 1536 * 1024 ** 2, per_repository: 0 })
    const shown = new Map(describeConfig(config).map(({ name, value }) => [name, value]))
    assert.equal(shown.get('quota.per_owner'), '1536MiB')
    assert.equal(shown.get('quota.per_repository'), '0')
    assert.equal(shown.get('lfs.max_file_size'), '2GiB')
    assert.equal(shown.get('packages.max_file_size'), '1000B')
  })

  for (const [toml, message] of [
    ['[server]\nprot = 1\n', /there is no setting server\.prot/],
    ['[sever]\nport = 1\n', /there is no section sever/],
    ['port = 1\n', /there is no section port/],
    [
      '[server]\nport = "x"\n',
      /server\.port in .*codestead\.toml: expected a whole number from 0 to 65535, got "x"/,
    ],
    ['[server]\nport = 70000\n', /expected a whole number from 0 to 65535, got 70000/],
    ['[lfs]\nenabled = 1\n', /lfs\.enabled .*expected true or false, got 1/],
    ['[mirror]\nmin_interval = "10s"\n', /expected a duration such as .*at least 1m, got "10s"/],
    ['[attachment]\nmax_size = 100\n', /expected a size such as 64KiB, 100MiB or 2GiB, got 100/],
    ['[attachment]\nmax_size = "1.5GiB"\n', /expected a size such as .*, got "1\.5GiB"/],
    ['[quota]\nper_owner = "10TB"\n', /expected a size such as .*, got "10TB"/],
    ['[api]\nmax_body_size = "512B"\n', /expected a size .*, from 1KiB to 1GiB, got "512B"/],
    ['[log]\nlevel = "loud"\n', /expected one of trace, debug/],
    ['[server]\nurl = "ftp://x"\n', /expected an absolute http or https address/],
    ['[server]\nfiles_url = "ftp://x"\n', /expected an absolute http or https address/],
    [
      '[server]\nurl = "https://a.example"\nfiles_url = "https://A.example:8443"\n',
      /server\.files_url in .*codestead\.toml: expected another host than that of server\.url/,
    ],
    ['[server]\nfiles_url = "http://127.0.0.1:1"\n', /expected another host than that of/],
    ['[server]\nfiles_url = "https://b.example/files"\n', /expected the root of a host, got/],
    ['[server]\nfiles_url = "https://u:p@b.example"\n', /expected the root of a host, got/],
    [
      '[server]\nurl = "https://a.example"\nfiles_url = "http://b.example"\n',
      /expected https, as server\.url has, got "http:\/\/b\.example"/,
    ],
    [
      '[storage]\nredirect = true\n',
      /storage\.redirect in .*codestead\.toml: only a bucket can be led to, so storage\.kind has to be s3/,
    ],
    [
      '[storage]\nkind = "s3"\nredirect = true\nendpoint = "http://127.0.0.1:9000"\npath_style = true\n',
      /another host than server\.url, and on none below it, not 127\.0\.0\.1$/,
    ],
    [
      '[server]\nurl = "https://a.example"\n[storage]\nkind = "s3"\nredirect = true\nendpoint = "http://x"\npublic_endpoint = "https://s3.A.example"\npath_style = true\n',
      /on none below it, not s3\.a\.example$/,
    ],
    [
      '[server]\nurl = "https://a.example"\n[storage]\nkind = "s3"\nbucket = "a"\nredirect = true\nendpoint = "https://example"\n',
      /on none below it, not a\.example$/,
    ],
    [
      '[server]\nurl = "https://a.example"\n[storage]\nkind = "s3"\nredirect = true\nendpoint = "http://b.example"\n',
      /clients have to reach the bucket by https, as server\.url has/,
    ],
    ['[database]\nurl = "mysql://x"\n', /expected postgres:\/\//],
    ['[mail]\nurl = "https://secret@x"\n', /mail\.url .*expected smtp:\/\/.*, got something else$/],
    ['[mail]\nurl = "smtp://x/path"\n', /expected smtp:\/\//],
    ['[mail]\nurl = "smtp://%ff@x"\n', /expected smtp:\/\//],
    ['[mail]\nfrom = "Codestead"\n', /expected an address, or a name and an address/],
    ['[mail]\nfrom = "A\\nB: c <a@b>"\n', /expected an address, or a name and an address/],
    [
      '[security]\nemail_confirmation = true\n',
      /security\.email_confirmation in .*codestead\.toml: .*mail\.url has to be set/,
    ],
    ['[server\n', /codestead\.toml: /],
    ['[proxy_login]\nweb = true\n', /proxy_login: server\.trusted_proxies names nobody/],
    ['[proxy_login]\napi = true\n', /proxy_login: server\.trusted_proxies names nobody/],
    [
      '[server]\ntrusted_proxies = ["127.0.0.1"]\n[proxy_login]\nweb = true\nuser_header = ""\n',
      /proxy_login\.user_header: expected the name of a header/,
    ],
  ] as const) {
    test(`refuses ${JSON.stringify(toml)}, naming the key and what was expected`, (t) => {
      const folder = folderWith(t, toml)

      assert.throws(() => loadConfig({ CODESTEAD_DATA: folder }), message)
    })
  }

  test('refuses variables that are no settings, and bad values in them', (t) => {
    const CODESTEAD_DATA = folderWith(t)

    assert.throws(
      () => loadConfig({ CODESTEAD_DATA, CODESTEAD_SERVER_PROT: '1' }),
      /CODESTEAD_SERVER_PROT: there is no such setting/,
    )
    assert.throws(
      () => loadConfig({ CODESTEAD_DATA, CODESTEAD_SERVER_PORT: '' }),
      /CODESTEAD_SERVER_PORT: expected a whole number/,
    )
    assert.throws(
      () => loadConfig({ CODESTEAD_DATA, CODESTEAD_LFS_ENABLED: 'yes' }),
      /CODESTEAD_LFS_ENABLED: expected true or false/,
    )
  })
})

suite('a setting from a file', () => {
  test('is what stands in it, without the end of its last line', (t) => {
    const folder = folderWith(t, '[security]\nmin_password_length = 9\n[server]\nport = 4000\n')
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const key = 'x'.repeat(32)

    const config = loadConfig({
      CODESTEAD_DATA: folder,
      CODESTEAD_SECURITY_SECRET_KEY_FILE: file('key', `${key}\n`),
      CODESTEAD_SERVER_PORT_FILE: file('port', '5000\r\n'),
      CODESTEAD_SERVER_TRUSTED_PROXIES_FILE: file('proxies', '10.0.0.1, 10.0.0.2'),
      CODESTEAD_SERVER_ROBOTS_FILE: file('robots', 'User-agent: *\nDisallow: /\n'),
      CODESTEAD_SERVER_URL_FILE: '',
    })

    assert.partialDeepStrictEqual(config, {
      security: { secret_key: key, min_password_length: 9 },
      server: { port: 5000, trusted_proxies: ['10.0.0.1', '10.0.0.2'], url: '' },
    })
    assert.equal(config.server.robots, 'User-agent: *\nDisallow: /')
    const sources = new Map(describeConfig(config).map(({ name, source }) => [name, source]))
    assert.equal(sources.get('security.secret_key'), 'CODESTEAD_SECURITY_SECRET_KEY_FILE')
  })

  test('is refused where the file is missing, its value bad, or the variable is there, too', (t) => {
    const CODESTEAD_DATA = folderWith(t)
    const load = (environment: object) => () => loadConfig({ CODESTEAD_DATA, ...environment })

    const missing = { CODESTEAD_MAIL_URL_FILE: '/nowhere' }
    assert.throws(load(missing), /^ConfigError: CODESTEAD_MAIL_URL_FILE: the file cannot be read/)
    writeFileSync(join(CODESTEAD_DATA, 'port'), 'canary')
    const bad = { CODESTEAD_SERVER_PORT_FILE: join(CODESTEAD_DATA, 'port') }
    assert.throws(load(bad), /^ConfigError: CODESTEAD_SERVER_PORT_FILE: expected a whole number/)
    const both = { ...bad, CODESTEAD_SERVER_PORT: '1' }
    assert.throws(load(both), /CODESTEAD_SERVER_PORT_FILE: CODESTEAD_SERVER_PORT is set, too/)
    const unknown = { CODESTEAD_SERVER_PROT_FILE: '/nowhere' }
    assert.throws(load(unknown), /CODESTEAD_SERVER_PROT_FILE: there is no such setting/)
  })

  test('may be a credential of systemd, over which the environment wins', (t) => {
    const CODESTEAD_DATA = folderWith(t, '[server]\nport = 4000\n')
    const CREDENTIALS_DIRECTORY = folderWith(t)
    const pass = (name: string, text: string) =>
      writeFileSync(join(CREDENTIALS_DIRECTORY, name), text)
    pass('codestead.server.port', '5000\n')
    pass('codestead.metrics.token', 'secret\n')
    pass('of-another-program', 'x')
    const environment = { CODESTEAD_DATA, CREDENTIALS_DIRECTORY }

    assert.partialDeepStrictEqual(loadConfig(environment), {
      server: { port: 5000 },
      metrics: { token: 'secret' },
    })
    const wins = loadConfig({ ...environment, CODESTEAD_SERVER_PORT: '6000' })
    assert.equal(wins.server.port, 6000)
    pass('codestead.server.prot', '1')
    assert.throws(() => loadConfig(environment), /credential codestead\.server\.prot: there is no/)
  })
})
