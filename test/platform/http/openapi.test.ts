// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { registerApi } from '../../../src/server/register-api.ts'
import { Api } from '../../../src/platform/http/api.ts'
import type { OpenApi, Operation, Response } from '../../../src/platform/http/openapi.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError } from '../../support/expect.ts'

async function fetchDescription(app: TestApp): Promise<OpenApi> {
  const { status, headers, body } = await app.get(undefined, '^/swagger.v1.json')
  assert.equal(status, 200)
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  return body as OpenApi
}

function operationsOf({ paths }: OpenApi): { key: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ key: `${method} ${path}`, operation })),
  )
}

/** Every value with a given key, wherever it is. */
function* valuesOf(value: unknown, wanted: string): Generator {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    if (key === wanted) yield inner
    yield* valuesOf(inner, wanted)
  }
}

suite('GET /swagger.v1.json', () => {
  test('describes every route, and nothing else', async (t) => {
    const app = await startApp(t)
    const api = new Api()
    registerApi(api, app.ctx)

    const description = await fetchDescription(app)

    const expected = api.routes.map(
      ({ method, path }) => `${method.toLowerCase()} ${path.replace(/[:*](\w+)/g, '{$1}')}`,
    )
    assert.ok(expected.length > 20)
    assert.deepEqual(
      operationsOf(description)
        .map(({ key }) => key)
        .sort(),
      expected.sort(),
    )
  })

  test('names each operation once', async (t) => {
    const description = await fetchDescription(await startApp(t))

    const ids = operationsOf(description).map(({ operation }) => operation.operationId)
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
  })

  test('refers only to what it contains', async (t) => {
    const description = await fetchDescription(await startApp(t))

    const references = [...valuesOf(description, '$ref')] as string[]
    assert.ok(references.length > 20)
    for (const reference of references) {
      const [, ...keys] = reference.split('/')
      const found = keys.reduce<unknown>(
        (value, key) => (value as Record<string, unknown> | undefined)?.[key],
        description,
      )
      assert.ok(found, reference)
    }
    const schemes = new Set(Object.keys(description.components.securitySchemes))
    const used = operationsOf(description).flatMap(({ operation }) =>
      operation.security.flatMap((scheme) => Object.keys(scheme)),
    )
    assert.deepEqual(
      used.filter((name) => !schemes.has(name)),
      [],
    )
  })

  test('declares each parameter of a path, and no keyword of our own', async (t) => {
    const description = await fetchDescription(await startApp(t))

    for (const { key, operation } of operationsOf(description)) {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters.filter((one) => one.in === 'path')
      assert.deepEqual(
        declared.map(({ name }) => name),
        inPath,
        key,
      )
      assert.ok(declared.every(({ required }) => required))
      const names = operation.parameters.map((one) => `${one.in} ${one.name}`)
      assert.equal(new Set(names).size, names.length, key)
    }
    for (const ours of ['notEmpty', 'rule']) {
      assert.deepEqual([...valuesOf(description, ours)], [])
    }
  })

  test('tells bodies, answers, pages and who may call', async (t) => {
    const description = await fetchDescription(await startApp(t))

    const { post, get } = description.paths['/admin/users'] ?? {}
    assert.equal(post?.operationId, 'adminCreateUser')
    assert.deepEqual(post?.requestBody?.content['application/json']?.schema, {
      $ref: '#/components/schemas/CreateUserOption',
    })
    assert.deepEqual(post?.security.includes({}), false)
    assert.match(post?.description ?? '', /site administrators.*`write:admin`/)
    assert.partialDeepStrictEqual(get?.responses['200'], {
      content: {
        'application/json': {
          schema: { type: 'array', items: { $ref: '#/components/schemas/User' } },
        },
      },
    })
    const names = get?.parameters.map(({ name }) => name) ?? []
    assert.ok(['q', 'page', 'limit'].every((name) => names.includes(name)))
    const option = description.components.schemas['CreateUserOption']?.properties
    assert.partialDeepStrictEqual(option?.['username'], { minLength: 1, maxLength: 40 })
    assert.match(option?.['username']?.description ?? '', /^Letters and digits/)
    assert.equal(option?.['email']?.format, 'email')
    assert.deepEqual(description.paths['/version']?.['get']?.security[0], {})
    assert.equal(description.servers[0]?.url, 'http://codestead.test/api/v1')
  })
})

suite('GET /api/swagger', () => {
  test('shows every operation with its example', async (t) => {
    const app = await startApp(t)
    const description = await fetchDescription(app)

    const { status, headers, text } = await app.get(undefined, '^/api/swagger')

    assert.equal(status, 200)
    assert.match(headers['content-type'] ?? '', /^text\/html/)
    for (const { operation } of operationsOf(description)) {
      assert.ok(text.includes(`id="${operation.operationId}"`), operation.operationId)
    }
    assert.ok(text.includes('curl -X POST http://codestead.test/api/v1/admin/users'))
    assert.ok(text.includes('&quot;username&quot;:&quot;USERNAME&quot;'))
    assert.doesNotMatch(text, /<script>|style="/)
  })

  test('links only within the server', async (t) => {
    const { text } = await (await startApp(t)).get(undefined, '^/api/swagger')

    const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
    const broken = links.filter((link) =>
      link.startsWith('#') ? !ids.has(link.slice(1)) : /^(\w+:|\/\/)/.test(link),
    )
    assert.deepEqual(broken, [])
  })
})

suite('GET /swagger', () => {
  test('sends to the page outside the version prefix', async (t) => {
    const app = await startApp(t, { server: { url: 'https://forge.example/sub' } })

    const { status, headers, text } = await app.get(undefined, '/swagger')

    assert.equal(status, 303)
    assert.equal(headers['location'], '/sub/api/swagger')
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(text, '<a href="/sub/api/swagger">See Other</a>.\n\n')
  })

  test('refuses a wrong token first', async (t) => {
    const app = await startApp(t)

    const answer = await app.get(undefined, '/swagger', { authorization: 'token wrong' })

    assertError(answer, 401, 'invalid username, password or token')
  })

  test('is gone with the description when that is switched off', async (t) => {
    const app = await startApp(t, { api: { swagger: false } })

    for (const path of ['/swagger', '^/api/swagger', '^/swagger.v1.json']) {
      assert.equal((await app.get(undefined, path)).status, 404, path)
    }
    assert.doesNotMatch((await app.get(undefined, '^/')).text, /swagger/)
  })

  test('says how files and texts are sent, and what is sent as none of the records', async (t) => {
    const { paths } = await fetchDescription(await startApp(t))
    const sent = (path: string, method: string) =>
      Object.keys(paths[path]?.[method]?.requestBody?.content ?? {})
    const given = (path: string, method: string, status: number) => {
      const answer = paths[path]?.[method]?.responses[status] as Response | undefined
      return Object.keys(answer?.content ?? {})
    }
    const one = '/repos/{owner}/{repo}'
    const form = 'multipart/form-data'
    const bytes = 'application/octet-stream'
    const json = 'application/json'

    assert.deepEqual(sent(`${one}/issues/{index}/assets`, 'post'), [form])
    assert.deepEqual(sent(`${one}/releases/{id}/assets`, 'post'), [form, bytes])
    assert.deepEqual(sent('/markdown/raw', 'post'), ['text/plain'])
    assert.deepEqual(sent('/user/repos', 'post'), [json])
    assert.deepEqual(given('/markdown', 'post', 200), ['text/html'])
    assert.deepEqual(given('/markdown', 'post', 422), ['text/plain', json])
    assert.deepEqual(given(`${one}/pulls/{index}`, 'get', 200), [json, 'text/plain'])
    assert.deepEqual(given(`${one}/raw/{filepath}`, 'get', 200), ['*/*'])
    assert.deepEqual(given(`${one}/generate`, 'post', 404), [json])
  })
})
