// One database is enough: what may be reached is decided before it is asked.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { TSchema } from 'typebox'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import type { Route } from '../../../src/platform/http/api.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { routesOf } from '../../support/routes.ts'
import { addressesOf, setTrap } from '../../support/trap.ts'

interface Shape {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema
}

/** What has to stand beside an address for anything to come of it. */
const company: Readonly<Record<string, unknown>> = {
  service: 'git',
  repo_name: 'brought',
  type: 'gitea',
  events: ['push'],
  active: true,
  interval: '8h0m0s',
  sync_on_commit: true,
}

/** The address wherever a text may stand. */
function filled(schema: TSchema, address: string): unknown {
  const { type, properties, items } = schema as Shape
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (type === 'array') return items ? [filled(items, address)] : []
  if (type === 'object') {
    return { ...filledFields(properties, address), url: address, content_type: 'json' }
  }
  return address
}

function filledFields(fields: Shape['properties'] = {}, address: string): Record<string, unknown> {
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, schema]) => [name, filled(schema, address)]))
}

/** One for each field, and one with all of them. */
function bodiesOf({ endpoint: { body } }: Route, address: string): readonly object[] {
  const { properties }: Shape = body ?? {}
  const all = filledFields(properties, address)
  const around = Object.fromEntries(Object.entries(company).filter(([name]) => name in all))
  const fields = Object.entries(all)
  return [...fields.map(([name, value]) => ({ ...around, [name]: value })), all]
}

function pathOf({ path }: Route): string {
  const named = path.replace(':owner/:repo', 'ann/one').replace(':org', 'acme')
  return named.replace(/[:*]\w+/g, '1')
}

/** What another route has taken away, renamed or closed. */
async function refill(app: TestApp, ann: TestCaller): Promise<void> {
  await app.post(ann, '/orgs', { username: 'acme' })
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  await app.patch(ann, '/repos/ann/one', { archived: false })
}

/** For whatever waits for news of a repository. */
async function makeNews(app: TestApp, ann: TestCaller, path: string): Promise<void> {
  await refill(app, ann)
  assertStatus(await app.post(ann, `/repos/ann/one/contents/${path}`, { content: '' }), 201)
  await app.ctx.jobs.runDue()
}

/** Routes that make the server go somewhere when something happens. */
const reaches = /hook|mirror|migrate/

/** Names a listener inside in every field of the calls. Gives back what it heard. */
async function nameEverywhere(
  t: TestContext,
  routes: readonly Route[],
  config: ConfigChanges,
): Promise<readonly string[]> {
  const trap = await setTrap()
  t.after(trap.close)
  const [address = ''] = addressesOf(trap.port)
  const app = await startApp(t, config)
  const ann = await app.addAdmin('ann')
  for (const [index, route] of routes.entries()) {
    if (!route.endpoint.body) continue
    await refill(app, ann)
    for (const body of bodiesOf(route, address)) {
      await app.send(ann, route.method, pathOf(route), body)
    }
    if (reaches.test(route.path)) await makeNews(app, ann, `news-${index}`)
  }
  await makeNews(app, ann, 'last')
  assertStatus(await app.get(ann, '/user'), 200)
  return trap.caught()
}

suite('a listener inside that is named in every field of every call', () => {
  test('hears nothing', async (t) => {
    assert.deepEqual(await nameEverywhere(t, routesOf(), {}), [])
  })

  test('hears imports, webhooks and mirrors where they may reach it', async (t) => {
    // A push mirror looks what is there before it pushes.
    const looks = /^GET \/x\.git\/info\/refs\?service=git-upload-pack/
    const kinds = [
      [/migrate/, looks],
      [/push_mirrors/, looks],
      [/hook/, /^POST \/x\.git HTTP/],
    ] as const
    for (const [path, beginning] of kinds) {
      const routes = routesOf().filter((route) => path.test(route.path))
      const heard = await nameEverywhere(t, routes, { network: { allow_private: true } })
      assert.ok(
        heard.some((each) => beginning.test(each)),
        String(path),
      )
    }
  })
})
