import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Route } from '../../../src/platform/http/api.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { routesOf } from '../../support/routes.ts'

/** A path with something in the place of each parameter, that of the repository as given. */
function pathOf({ path }: Route, repository = 'ann/one'): string {
  return path.replace(':owner/:repo', repository).replace(/[:*]\w+/g, '1')
}

const name = ({ method, path }: Route) => `${method} ${path}`

/** What waits to become one is none yet. */
const ofRepositories = routesOf().filter(
  ({ path }) => path.includes('/:owner/:repo') && !path.startsWith('/admin/unadopted/'),
)

/** What a call tells of a repository that may be there, with the name of it taken out. */
async function told(app: TestApp, who: TestCaller | undefined, route: Route, repository: string) {
  const { status, text, headers } = await app.send(who, route.method, pathOf(route, repository))
  const kept = Object.entries(headers).filter(([key]) => key !== 'x-request-id' && key !== 'date')
  return { status, text: text.replaceAll(repository, 'it'), headers: Object.fromEntries(kept) }
}

async function startHidden(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'hidden', private: true }), 201)
  const issue = { title: 'x' }
  assertStatus(await app.post(ann, '/repos/ann/hidden/issues', issue), 201)
  return { app, ann }
}

suite('on every route', () => {
  test('a private repository is to strangers what an absent one is, to the byte', async (t) => {
    const { app } = await startHidden(t)
    const bob = await app.addCaller('bob')

    for (const route of ofRepositories) {
      for (const who of [bob, undefined]) {
        const hidden = await told(app, who, route, 'ann/hidden')
        assert.deepEqual(hidden, await told(app, who, route, 'ann/absent'), name(route))
        assert.ok(hidden.status === 404 || hidden.status === 401, `${name(route)} ${hidden.status}`)
      }
    }
  })

  test('it is the same to the owner with a public-only token', async (t) => {
    const { app, ann } = await startHidden(t)
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])

    for (const route of ofRepositories) {
      const hidden = await told(app, narrow, route, 'ann/hidden')
      assert.deepEqual(hidden, await told(app, narrow, route, 'ann/absent'), name(route))
      assert.ok(hidden.status === 404 || hidden.status === 403, `${name(route)} ${hidden.status}`)
    }
    assertStatus(await app.get(ann, '/repos/ann/hidden/issues/1'), 200)
  })

  test('organizations, people and teams that are not public are refused to a public-only token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])
    await app.addPerson('person', { visibility: 'limited' })
    await app.post(ann, '/orgs', { username: 'limited', visibility: 'limited' })
    await app.post(ann, '/orgs/limited/repos', { name: 'open' })
    const [team] = (await app.get(ann, '/orgs/limited/teams')).body
    const inPlace: Record<string, string> = {
      ':owner/:repo': 'limited/open',
      ':org': 'limited',
      ':username': 'person',
      '/teams/:id': `/teams/${team.id}`,
    }

    for (const route of routesOf()) {
      const found = Object.keys(inPlace).find((part) => route.path.includes(part))
      if (found === undefined || route.endpoint.access === 'site-admin') continue
      const path = route.path.replace(found, inPlace[found] ?? '').replace(/[:*]\w+/g, '1')
      const { status } = await app.send(narrow, route.method, path, {})
      assert.ok(status === 403 || status === 404, `${name(route)} ${status}`)
    }
    assertStatus(await app.get(ann, '/repos/limited/open'), 200)
  })

  test('nobody gets in where somebody is asked for, and only administrators where they are', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const route of routesOf()) {
      const { access } = route.endpoint
      if (access !== 'signed-in' && access !== 'site-admin') continue
      const call = (who?: TestCaller) => app.send(who, route.method, pathOf(route))
      assertError(await call(), 401, 'token is required')
      if (access === 'site-admin') assertStatus(await call(ann), 403)
    }
  })

  test('a slash too many leads nowhere, and a method that it has not is told', async (t) => {
    const app = await startApp(t)

    for (const route of routesOf()) {
      const path = pathOf(route)
      assertStatus(await app.send(undefined, 'OPTIONS', path), 405)
      if (route.path.includes('*')) continue
      const { status } = await app.send(undefined, route.method, `${path}/`)
      assert.ok(status === 404 || status === 405, `${name(route)} ${status}`)
    }
  })

  test('nothing that is hidden from a caller is named to it', async (t) => {
    const { app, ann } = await startSecrets(t)
    const bob = await app.addCaller('bob')
    const narrow = await app.withToken(ann.account, ['public-only', 'all'])
    const asked = 'state=all&all=true&private=true&topic=true&q=secret'

    for (const route of routesOf()) {
      if (route.method !== 'GET') continue
      for (const who of [undefined, bob, narrow]) {
        for (const query of ['', asked]) {
          const { text, headers } = await app.get(who, `${publicPathOf(route)}?${query}`)
          assert.doesNotMatch(text.replaceAll('q=secret', ''), /secret/, name(route))
          if (!who) assert.doesNotMatch(text, /cat@example\.org/, name(route))
          assert.partialDeepStrictEqual(headers, guards, name(route))
        }
      }
    }
  })
})

/** What no answer is without. */
const guards = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** With the names of what is public in their places. */
function publicPathOf({ path }: Route): string {
  return path
    .replace(':owner/:repo', 'ann/open')
    .replace('/packages/:owner/:type', '/packages/acme/generic')
    .replace('/packages/:owner', '/packages/acme')
    .replace(':org', 'acme')
    .replace(':username', 'ann')
    .replace(/[:*]\w+/g, '1')
}

/**
 * Boards and packages: what all see leads to something that they do not, and others nobody sees.
 */
async function showBeside(app: TestApp, ann: TestCaller): Promise<void> {
  const secret = (await app.get(ann, '/repos/acme/secret-acme/issues/1')).body
  const made = await app.post(ann, '/orgs/acme/projects', { title: 'open' })
  assert.equal(made.body.id, 1)
  const [column] = (await app.get(ann, '/orgs/acme/projects/1/columns')).body
  assert.equal(column.id, 1)
  const card = `/orgs/acme/projects/1/columns/1/issues/${secret.id}`
  assertStatus(await app.post(ann, card), 201)
  assertStatus(await app.post(ann, '/orgs/secret-org/projects', { title: 'secret-board' }), 201)
  for (const path of ['acme/generic/1/1/f', 'secret-org/generic/secret-package/1/f']) {
    assertStatus(await app.put(ann, `^/api/packages/${path}`, 'x'), 201)
  }
  assertStatus(await app.post(ann, '/packages/acme/generic/1/-/link/secret-acme'), 201)
}

/**
 * A public person, organization, repository and issue, each with something beside it that is not.
 */
async function startSecrets(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const ghost = await app.addCaller('secret-person', { visibility: 'private' })
  const make = async (path: string, body: object) =>
    assertStatus(await app.post(ann, path, body), 201)
  await make('/orgs', { username: 'acme' })
  await make('/orgs', { username: 'secret-org', visibility: 'private' })
  await make('/user/repos', { name: 'open' })
  const cat = await app.addCaller('cat')
  await app.put(ann, '/repos/ann/open/collaborators/cat', {})
  await app.put(cat, '/user/starred/ann/open')
  await app.put(cat, '/repos/ann/open/subscription')
  const issue = { title: 'open', assignees: ['cat'] }
  assertStatus(await app.post(cat, '/repos/ann/open/issues', issue), 201)
  assertStatus(await app.post(cat, '/repos/ann/open/issues/1/comments', { body: 'x' }), 201)
  await make('/user/repos', { name: 'secret-own', private: true, auto_init: true })
  await make('/orgs/acme/repos', { name: 'secret-acme', private: true })
  await make('/orgs/secret-org/repos', { name: 'secret-inner' })
  for (const full of ['ann/secret-own', 'acme/secret-acme', 'secret-org/secret-inner']) {
    const repo = `/repos/${full}`
    await app.put(ann, `/user/starred/${full}`)
    await app.put(ann, `${repo}/subscription`)
    await app.put(ann, `${repo}/topics`, { topics: ['secret-topic'] })
    await make(`${repo}/labels`, { name: 'secret-label', color: 'fff' })
    await make(`${repo}/milestones`, { title: 'secret-milestone' })
    await make(`${repo}/issues`, { title: 'secret-issue', assignees: ['ann'] })
    await make(`${repo}/issues/1/comments`, { body: 'secret-comment' })
    await make(`${repo}/issues/1/stopwatch/start`, {})
  }
  await showBeside(app, ann)
  const [owner, repo] = ['ann', 'secret-own']
  await make('/repos/ann/open/issues/1/dependencies', { index: 1, owner, repo })
  for (const path of ['/user/following/ann', '/user/starred/ann/open'])
    assertStatus(await app.put(ghost, path), 204)
  assertStatus(await app.put(ghost, '/repos/ann/open/subscription'), 200)
  // Whom she follows may know her; a token for what is public may not.
  assertStatus(await app.put(ann, '/user/following/secret-person'), 204)
  return { app, ann }
}
