// One database is enough: none is used.
import assert from 'node:assert/strict'
import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { ConfigError, configWith, type ConfigChanges } from '../../../src/platform/config/config.ts'
import { readRemoteAddress } from '../../../src/platform/network/address.ts'
import { fetchOutside } from '../../../src/platform/network/fetch.ts'
import { Outside, type Resolver } from '../../../src/platform/network/outside.ts'

const DISALLOWED = 'You can not import from disallowed hosts.'
const INVALID = 'The provided URL is invalid.'

type Network = NonNullable<ConfigChanges['network']>

function outsideWith(network: Network = {}, resolve?: Resolver): Outside {
  const config = configWith('/nowhere', { network, server: { url: 'http://codestead.test' } })
  return new Outside(config, resolve)
}

const leadsTo =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** A server on loopback that counts who comes. */
async function listen(t: TestContext, answer: RequestListener) {
  const seen: string[] = []
  const server = http.createServer((request, response) => {
    seen.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, seen, url: `http://127.0.0.1:${port}` }
}

const inside = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '017700000001',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:10.0.0.1]',
  '[::ffff:a9fe:a9fe]',
  '[0:0:0:0:0:ffff:192.168.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:0:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::1]',
  '[100::1]',
  '[2001::1]',
  '[2001:10::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  'codestead.test',
  'CODESTEAD.test',
  'codestead.test.',
]
const unreadable = [
  '[fe80::1%25eth0]',
  '[::1',
  '256.256.256.256',
  '0x1ffffffff',
  'a b',
  'ex%00ample',
  '',
]

suite('requests of the server', () => {
  test('reach no address inside, in whatever spelling', async (t) => {
    const { port, seen } = await listen(t, (_request, response) => response.end())
    const outside = outsideWith()

    for (const host of inside) {
      const address = `http://${host}:${port}/`
      await assert.rejects(fetchOutside({ outside }, address), { message: DISALLOWED }, host)
    }
    for (const host of unreadable) {
      const address = `http://${host}:${port}/`
      await assert.rejects(fetchOutside({ outside }, address), { message: INVALID }, host)
    }
    assert.deepEqual(seen, [])
  })

  test('are not led inside by a name, not even by one of its addresses', async (t) => {
    const { port, seen } = await listen(t, (_request, response) => response.end())
    const answers = [
      ['127.0.0.1'],
      ['::1'],
      ['93.184.216.34', '10.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['fe80::1%lo'],
      [],
    ]

    for (const addresses of answers) {
      const outside = outsideWith({}, leadsTo(...addresses))
      const request = fetchOutside({ outside }, `http://name.example:${port}/`)
      await assert.rejects(request, { message: DISALLOWED }, addresses.join())
    }
    const lost = outsideWith({}, () => Promise.reject(new Error('ENOTFOUND')))
    await assert.rejects(fetchOutside({ outside: lost }, 'http://name.example/'), /cannot be found/)
    assert.deepEqual(seen, [])
  })

  test('connect to what was checked, however the name is answered next', async (t) => {
    const { port, seen } = await listen(t, (_request, response) => response.end())
    const url = new URL(`http://name.example:${port}/`)
    let asked = 0
    const alternating: Resolver = async () =>
      leadsTo(asked++ % 2 === 0 ? '93.184.216.34' : '127.0.0.1')('')

    const strict = outsideWith({}, alternating)
    for (let round = 0; round < 1000; round++) {
      const found = await strict.locate(url).catch(() => [])
      assert.ok(found.every(({ address }) => address === '93.184.216.34'))
    }
    asked = 0
    const open = outsideWith({ allow_private: true }, async () =>
      leadsTo(asked++ === 0 ? '127.0.0.1' : '192.0.2.1')(''),
    )
    const { status } = await fetchOutside({ outside: open }, url.href)

    assert.equal(status, 200)
    assert.equal(asked, 1)
    assert.deepEqual(seen, ['/'])
  })

  test('are allowed and refused by the lists, of which the second wins', async () => {
    const reaches = (network: Network, host: string, ...addresses: string[]) =>
      outsideWith(network, leadsTo(...addresses)).locate(new URL(`http://${host}:8080/`))
    const good: [Network, string, ...string[]][] = [
      [{}, '93.184.216.34'],
      [{}, '[2606:4700::1111]'],
      [{}, 'example.org', '93.184.216.34', '2606:4700::1111'],
      [{ allow_private: true }, '127.0.0.1'],
      [{ allow_private: true }, '[fd00::1]'],
      [{ allow_private: true }, 'codestead.test', '10.0.0.1'],
      [{ allow_hosts: ['private'] }, '192.168.1.1'],
      [{ allow_hosts: ['loopback'] }, '[::1]'],
      [{ allow_hosts: ['10.1.0.0/16'] }, '10.1.2.3'],
      [{ allow_hosts: ['169.254.1.1'] }, '169.254.1.1'],
      [{ allow_hosts: ['*.corp.example'] }, 'git.corp.example', '10.0.0.1'],
      [{ allow_hosts: ['codestead.test'] }, 'codestead.test', '93.184.216.34'],
      [{ ports: ['8080'] }, '93.184.216.34'],
    ]
    const bad: [Network, string, ...string[]][] = [
      [{ allow_private: true }, '169.254.169.254'],
      [{ allow_private: true }, '0.0.0.0'],
      [{ allow_hosts: ['private'] }, '127.0.0.1'],
      [{ allow_hosts: ['10.1.0.0/16'] }, '10.2.0.1'],
      [{ allow_hosts: ['*.corp.example'] }, 'corp.example', '10.0.0.1'],
      [{ allow_hosts: ['*.corp.example'] }, 'git.corp.example.evil', '10.0.0.1'],
      [{ block_hosts: ['93.184.216.0/24'] }, 'example.org', '93.184.216.34'],
      [{ block_hosts: ['*.example.org'] }, 'git.example.org', '93.184.216.34'],
      [{ block_hosts: ['loopback'], allow_private: true }, '127.0.0.1'],
      [
        { block_hosts: ['10.0.0.0/8'], allow_hosts: ['git.corp.example'] },
        'git.corp.example',
        '10.0.0.1',
      ],
      [{ ports: ['443'] }, '93.184.216.34'],
    ]

    await Promise.all([
      ...good.map(([network, ...where]) =>
        assert.doesNotReject(reaches(network, ...where), where.join()),
      ),
      ...bad.map(([network, ...where]) =>
        assert.rejects(reaches(network, ...where), { message: DISALLOWED }, where.join()),
      ),
    ])
  })

  test('refuse a list that cannot be read', () => {
    for (const entry of ['10.0.0.0/99', 'http://example.org/', 'a b']) {
      assert.throws(() => outsideWith({ allow_hosts: [entry] }), ConfigError, entry)
    }
  })

  test('follow no redirect', async (t) => {
    const { url, seen } = await listen(t, (_request, response) =>
      response.writeHead(302, { location: '/secret' }).end(),
    )

    const answer = await fetchOutside(
      { outside: outsideWith({ allow_private: true }) },
      `${url}/first`,
    )

    assert.equal(answer.status, 302)
    assert.equal(answer.headers.location, '/secret')
    assert.deepEqual(seen, ['/first'])
  })

  test('send what they are given, and read no more than they may', async (t) => {
    const { url } = await listen(t, (request, response) => {
      if (request.url === '/endless') {
        const more = () => void (response.write('x'.repeat(1000)) && setImmediate(more))
        response.on('drain', more)
        return more()
      }
      response.setHeader('x-method', request.method ?? '')
      request.pipe(response)
    })
    const outside = outsideWith({ allow_private: true })

    const echo = await fetchOutside({ outside }, url, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-a': 'b' },
    })
    const cut = await fetchOutside({ outside }, `${url}/endless`, { maxBytes: 5000 })

    assert.equal(echo.headers['x-method'], 'POST')
    assert.deepEqual([echo.body.toString(), echo.isCut], ['hello', false])
    assert.deepEqual([cut.body.length, cut.isCut], [5000, true])
  })

  test('wait no longer than they may, for a name as for an answer', async (t) => {
    const { url } = await listen(t, () => undefined)
    const endless = outsideWith({}, () => new Promise(() => undefined))
    const limit = { timeLimitMs: 50 }

    const slow = fetchOutside({ outside: outsideWith({ allow_private: true }) }, url, limit)
    const lost = fetchOutside({ outside: endless }, 'http://name.example/', limit)

    await Promise.all([assert.rejects(slow, /abort/i), assert.rejects(lost, /timeout|abort/i)])
  })
})

suite('an address that somebody gives', () => {
  test('is taken apart, and handed on without its credentials', () => {
    const read = readRemoteAddress(' HTTPS://some%40one:p%3Aw@Example.ORG:443/a/../b.git?x=1#y ')

    assert.deepEqual(
      { ...read, url: read.url.href },
      { url: 'https://example.org/b.git?x=1', username: 'some@one', password: 'p:w' },
    )
  })

  test('is an http or https address', () => {
    const local = ['/etc', './x', '../x', '~/x', 'file:///etc', 'FILE:/etc', 'C:\\x', '.']
    const bad = [
      'ext::sh -c id',
      'ssh://-oProxyCommand=id/x',
      'git@example.org:x.git',
      'git://example.org:80/%0d%0aGET',
      'ftp://example.org/',
      'gopher://example.org/',
      'fd::17',
      '--upload-pack=id',
      'http:example.org',
      'http:///x',
      'https://example.org/x\n.git',
      'https://example.org/%0a.git',
      'https://us%0aer:x@example.org/',
      'https://%zz@example.org/',
      'http://',
      '',
    ]

    for (const text of local) {
      assert.throws(() => readRemoteAddress(text), { message: /import local repositories/ }, text)
    }
    for (const text of bad) assert.throws(() => readRemoteAddress(text), { message: INVALID }, text)
  })
})
