import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { startWithRelease } from '../../delivery/release-attachments/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const WORDS = 'arn:aws:s3:::secret-bucket says no'

interface Refusal {
  readonly status: number
  readonly code: string
}

/** A service that keeps objects in memory, until it is told to refuse. */
async function startService(t: TestContext) {
  const objects = new Map<string, Buffer>()
  let refusal: Refusal | undefined
  const server = createServer((request, reply) => {
    void request.toArray().then((parts: Buffer[]) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      if (refusal) {
        const text = `<Error><Code>${refusal.code}</Code><Message>${WORDS}</Message></Error>`
        return reply.writeHead(refusal.status, { 'content-type': 'application/xml' }).end(text)
      }
      if (request.method === 'PUT') objects.set(path, Buffer.concat(parts))
      if (request.method !== 'GET') return reply.writeHead(200, { etag: '"x"' }).end()
      if (request.url?.includes('list-type')) return reply.end('<ListBucketResult/>')
      const object = objects.get(path)
      if (object) return reply.end(object)
      return reply.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const storage = {
    kind: 's3' as const,
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'files',
    access_key: 'a',
    secret_key: 's',
    region: 'eu',
    path_style: true,
  }
  return { storage, refuse: (next: Refusal) => (refusal = next) }
}

suite('a bucket', () => {
  for (const { status, code, told } of [
    { status: 403, code: 'AccessDenied', told: 503 },
    { status: 403, code: 'InvalidAccessKeyId', told: 503 },
    { status: 404, code: 'NoSuchBucket', told: 503 },
    { status: 503, code: 'SlowDown', told: 503 },
    { status: 507, code: 'XMinioStorageFull', told: 507 },
    { status: 403, code: 'QuotaExceeded', told: 507 },
  ]) {
    test(`that says ${code} is ${told}, and its words are for the log`, async (t) => {
      const { storage, refuse } = await startService(t)
      const { app, ann, path, assets } = await startWithRelease(t, { storage })
      const root = await app.addAdmin()
      const { body } = await upload(app, ann, assets)
      const issue = await app.post(ann, `${path}/issues`, { title: 'x' })
      assertStatus(issue, 201)
      const generic = '^/api/packages/root/generic/a/1.0/a.txt'

      refuse({ status, code })

      const answers = [
        await upload(app, ann, `${path}/issues/1/assets`),
        await upload(app, ann, assets),
        await app.put(root, generic, 'a'),
      ]
      for (const answer of answers) assert.doesNotMatch(answer.text, /arn:|files/)
      const [onIssue, onRelease, onPackage] = answers
      assert.equal(onPackage?.status, told)
      // Of a full disk the contract has an error of the server at these addresses.
      for (const one of [onIssue, onRelease]) assert.equal(one?.status, told === 507 ? 500 : told)
      const read = await app.get(undefined, `^/attachments/${body.uuid}`)
      assert.ok([503, 507].includes(read.status), String(read.status))
      assert.doesNotMatch(read.text, /arn:/)
      assertError(await app.get(ann, `${assets}/999`), 404)
    })
  }
})
