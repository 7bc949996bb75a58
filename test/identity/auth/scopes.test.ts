import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { scopeCategories, type ScopeCategory } from '../../../src/identity/auth/scopes.ts'
import type { Route } from '../../../src/platform/http/api.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { routesOf } from '../../support/routes.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const allBut = (missing: ScopeCategory) =>
  scopeCategories.filter((category) => category !== missing).map((category) => `write:${category}`)

/** A path that names things which do not exist: scopes are checked before that is found out. */
const pathOf = ({ path }: Route) => path.replace(/[:*]\w+/g, '999999')

/** What the contract says of a route, written down apart from the routes themselves. */
function expectedCategories(method: string, path: string): readonly ScopeCategory[] {
  if (
    /^\/(version|settings|nodeinfo|swagger|token|gitignore|licenses|label|markdown|markup|signing-key)\b/.test(
      path,
    )
  ) {
    return []
  }
  if (path.startsWith('/admin/')) return ['admin']
  if (path.startsWith('/packages/')) return ['package']
  if (/^\/(user|users\/:username)\/orgs\b/.test(path)) return ['user', 'organization']
  if (/^\/(user|users\/:username)\/repos\b/.test(path)) return ['user', 'repository']
  if (/^\/user\/starred\b/.test(path)) return ['user', 'repository']
  if (/^\/users?\b/.test(path)) return ['user']
  if (method !== 'GET' && /^\/orgs?\/:org\/repos$/.test(path)) return ['organization', 'repository']
  if (/^\/(orgs|teams)\b/.test(path)) return ['organization']
  if (/^\/repos\/:owner\/:repo\/(issues|labels|milestones|projects)\b/.test(path)) return ['issue']
  if (path === '/repos/issues/search') return ['issue']
  if (/^(\/repos\/:owner\/:repo)?\/notifications\b/.test(path)) return ['notification']
  if (/^\/(repos|repositories|topics)\b/.test(path)) return ['repository']
  throw new Error(`the contract's scope of ${path} is not written down here`)
}

suite('token scopes', () => {
  test('every route asks for the categories that the contract names', () => {
    for (const { path, method, endpoint } of routesOf()) {
      assert.deepEqual(endpoint.scope.flat(), expectedCategories(method, path), `${method} ${path}`)
    }
  })

  test('a token that lacks one of them is refused, before the path is looked at', async (t) => {
    const app = await startApp(t)
    const root = (await app.addAdmin()).account
    const lacking = new Map<ScopeCategory, TestCaller>()
    for (const category of scopeCategories)
      lacking.set(category, await app.withToken(root, allBut(category)))

    for (const route of routesOf()) {
      for (const category of route.endpoint.scope.flat()) {
        const level = route.method === 'GET' ? 'read' : 'write'
        const answer = await app.send(lacking.get(category), route.method, pathOf(route), {})
        assertError(
          answer,
          403,
          new RegExp(`required=\\[[^\\]]*${level}:${category}[^\\]]*\\], token scope=write:`),
        )
      }
    }
  })

  test('a token that holds exactly them is not', async (t) => {
    const app = await startApp(t)
    const root = (await app.addAdmin()).account

    for (const route of routesOf()) {
      const answer = await callWith(app, root, route, route.method === 'GET' ? 'read' : 'write')
      assert.doesNotMatch(answer.text, /required scope/, `${route.method} ${route.path}`)
    }
  })

  test('reading needs the read level, changing the write level', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:user'])

    assertStatus(await app.get(ann, '/user/settings'), 200)
    assertStatus(await app.head(ann, '/user/settings'), 200)
    assertError(
      await app.patch(ann, '/user/settings', { location: 'x' }),
      403,
      'token does not have at least one of required scope(s), required=[write:user], token scope=read:user',
    )
    const overridden = await app.get(ann, '/user/settings', { 'x-http-method-override': 'PATCH' })
    assertStatus(overridden, 200)
    for (const [at, scopes] of [
      ['write:user', 'read:user'],
      ['read:user', 'write:user'],
    ].entries()) {
      const both = await app.addCaller(`both${at}`, {}, scopes)
      assertStatus(await app.patch(both, '/user/settings', { location: 'x' }), 200)
    }
  })

  test('passwords have no limits of scope', async (t) => {
    const app = await startApp(t)
    const root = app.withPassword((await app.addAdmin()).account)

    assertStatus(await app.get(root, '/admin/users'), 200)
  })
})

async function callWith(app: TestApp, root: TestCaller['account'], route: Route, level: string) {
  const scopes = route.endpoint.scope.flat().map((category) => `${level}:${category}`)
  const caller = await app.withToken(root, scopes.length > 0 ? scopes : ['read:misc'])
  return app.send(caller, route.method, pathOf(route), {})
}

/**
 * Private data of the account, and what would make things that such a token cannot see; as the
 * contract lists it.
 */
function isPrivateData(method: string, path: string): boolean {
  const own =
    /^\/user\/(settings|emails|keys|gpg_key\w*|applications|hooks|avatar|blocks|teams|times|stopwatches|actions)\b/
  if (own.test(path) || /^\/notifications\b/.test(path)) return true
  return method === 'POST' && /^\/(user\/repos|repos\/migrate)$/.test(path)
}

function publicOnlyReach(method: string, path: string): Route['endpoint']['publicOnly'] {
  if (isPrivateData(method, path)) return 'refused'
  return /^\/user(\/|$)/.test(path) ? 'public account' : 'public'
}

const refusals = new Set([
  'this endpoint is not available for public-only tokens',
  'token scope is limited to public users',
])

suite('public-only tokens', () => {
  test('do not reach private data of the account', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['public-only', 'all'])

    assertStatus(await app.get(ann, '/user'), 200)
    // The address of the token itself would revoke it.
    for (const route of routesOf().filter(({ path }) => path !== '/token')) {
      const { status, body } = await app.send(ann, route.method, pathOf(route), {})
      const refused =
        status === 403 && body.message === 'this endpoint is not available for public-only tokens'
      assert.equal(
        refused,
        isPrivateData(route.method, route.path),
        `${route.method} ${route.path}`,
      )
    }
  })

  test('reach at each endpoint what it declares, which is what the contract says', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', { visibility: 'limited' }, ['public-only', 'all'])

    for (const { method, path, endpoint } of routesOf()) {
      assert.equal(endpoint.publicOnly, publicOnlyReach(method, path), `${method} ${path}`)
    }
    for (const route of routesOf().filter(({ path }) => path !== '/token')) {
      const { status, body } = await app.send(ann, route.method, pathOf(route), {})
      const isRefused = status === 403 && refusals.has(body.message)
      const isOpen = route.endpoint.publicOnly === 'public'
      assert.equal(isRefused, !isOpen, `${route.method} ${route.path}`)
    }
  })

  test('of an account that is not public do not even show the account', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', { visibility: 'limited' }, ['public-only', 'all'])

    for (const path of ['/user', '/user/followers', '/user?page=1', '/%75ser', '/us%65r/repos']) {
      assertError(await app.get(ann, path), 403, 'token scope is limited to public users')
    }
    assertStatus(await app.get(ann, '/users/search'), 200)
  })

  test('leave out of lists who is not public', async (t) => {
    const app = await startApp(t)
    const root = await app.addCaller('root', { isAdmin: true }, ['public-only', 'all'])
    await app.addPerson('limited', { visibility: 'limited' })
    await app.addPerson('hidden', { visibility: 'private' })

    const { body, headers } = await app.get(root, '/users/search')

    assert.deepEqual(
      body.data.map(({ login }: { login: string }) => login),
      ['root'],
    )
    assert.equal(headers['x-total-count'], '1')
  })

  test('do not carry the power of an administrator', async (t) => {
    const app = await startApp(t)
    const root = await app.addCaller('root', { isAdmin: true }, ['public-only', 'all'])

    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'open' })
    await app.post(ann, '/user/repos', { name: 'shut', private: true })
    await app.post(ann, '/orgs', { username: 'acme' })
    const calls: [string, string, object, number][] = [
      ['PATCH', '/repos/ann/open', { private: true }, 403],
      ['DELETE', '/repos/ann/open', {}, 403],
      ['PUT', '/repos/ann/open/topics', { topics: [] }, 403],
      ['PUT', '/repos/ann/open/collaborators/root', {}, 403],
      ['POST', '/repos/ann/open/transfer', { new_owner: 'root' }, 403],
      ['PATCH', '/repos/ann/shut', {}, 404],
      ['DELETE', '/repos/ann/shut', {}, 404],
      ['POST', '/orgs/acme/repos', { name: 'x' }, 403],
      ['PATCH', '/orgs/acme', {}, 403],
      ['DELETE', '/orgs/acme', {}, 403],
      ['GET', '/users/ann/tokens', {}, 403],
    ]

    assertError(await app.get(root, '/admin/users'), 403, 'user should be the site admin')
    for (const [method, path, body, status] of calls) {
      const answer = await app.send(root, method, path, body)
      assert.equal(answer.status, status, `${method} ${path} ${answer.text}`)
    }
    assert.equal((await app.get(undefined, '/repos/ann/open')).body.private, false)
  })
})
