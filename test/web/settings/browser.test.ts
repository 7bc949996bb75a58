// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { PASSWORD, startApp } from '../../support/app.ts'
import { openPage, skipWithoutBrowser } from '../../support/browser.ts'

const long = 'a-name-that-goes-on-and-on-'.repeat(3)

const sections =
  'features collaboration branches branches/new tags hooks hooks/new keys mirrors danger'
const pages = ['', ...sections.split(' ').map((path) => `/${path}`)].map(
  (path) => `/ann/${long}/settings${path}`,
)
const others = [
  ...['', '/emails', '/keys', '/tokens', '/hooks', '/hooks/new', '/sessions'].map(
    (path) => `/user/settings${path}`,
  ),
  '/org/acme/settings',
  ...['members', 'teams', 'teams/Owners', 'hooks', 'hooks/new'].map(
    (path) => `/org/acme/settings/${path}`,
  ),
  ...['members', 'teams', 'teams/Owners', 'teams/Owners/repositories'].map(
    (path) => `/org/acme/${path}`,
  ),
  '/org/create',
  ...['projects', 'projects/new', 'projects/1', 'projects/1/edit', 'packages'].map(
    (path) => `/acme/-/${path}`,
  ),
  `/acme/-/packages/generic/${long}/1.0`,
  `/ann/${long}/fork`,
]

suite('settings and pages of accounts in a browser', { skip: skipWithoutBrowser }, () => {
  test('fit on a phone, and every field has a name that can be read out', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: long, auto_init: true })
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: long })
    const { body } = await app.post(ann, `/repos/acme/${long}/issues`, { title: long })
    const board = { title: long, template_type: 'basic_kanban' }
    await app.post(ann, '/orgs/acme/projects', board)
    await app.post(ann, `/orgs/acme/projects/1/columns/1/issues/${body.id}`)
    await app.put(ann, `^/api/packages/acme/generic/${long}/1.0/${long}.tar.gz`, 'x')
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    const page = await openPage(t, { viewport: { width: 360, height: 800 } })
    const root = `http://127.0.0.1:${port}`
    await page.goto(`${root}/user/login`)
    await page.fill('[name=user_name]', 'ann')
    await page.fill('[name=password]', PASSWORD)
    await page.click('main button[type=submit]')
    await page.waitForURL(`${root}/`)

    for (const path of [...pages, ...others]) {
      const answer = await page.goto(root + path)
      assert.equal(answer?.status(), 200, path)
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= 360, `${path}: ${width}`)
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLInputElement>('main :is(input, select, textarea)')]
          .filter(
            ({ type, labels, ariaLabel }) => type !== 'hidden' && !labels?.length && !ariaLabel,
          )
          .map(({ name }) => name),
      )
      assert.deepEqual(nameless, [], path)
    }
  })
})
