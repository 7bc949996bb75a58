import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startGitHost } from '../../platform/git/support.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { signIn, Visitor } from '../support.ts'
import {
  administration,
  assertSeenByAdministrators,
  assertTakenFromAdministrators,
  type Setup,
} from './setup.ts'

const path = `${administration}/unadopted`

interface WithFolder extends Setup {
  /** Puts a bare repository of one commit there. */
  readonly put: (path: string) => Promise<string>
}

async function startWithFolder(t: TestContext, changes?: ConfigChanges): Promise<WithFolder> {
  const { app, client } = await startGitHost(t, changes)
  const [root, ann] = [await app.addAdmin('root'), await app.addCaller('ann')]
  const work = await client.makeRepository()
  const put = async (name: string) => {
    const folder = join(app.ctx.config.data, 'adopt', `${name}.git`)
    await client.git(['clone', '--quiet', '--bare', '--no-hardlinks', work, folder])
    return folder
  }
  const byRoot = await signIn(app, 'root')
  const byAnn = await signIn(app, 'ann')
  return { app, root, ann, byRoot, byAnn, visitor: new Visitor(app), put }
}

function listedIn(answer: TestAnswer): readonly string[] {
  const list = /<ul class="rows[^]*?<\/ul>/.exec(answer.text)?.[0] ?? ''
  return [...list.matchAll(/<li><div><b>([^<]*)</g)].map(([, label = '']) => label)
}

suite('/-/admin/unadopted', () => {
  test('lists to administrators what waits, page by page, and finds it', async (t) => {
    const setup = await startWithFolder(t)
    const { app, byRoot, put } = setup
    await assertSeenByAdministrators(setup, path)
    const none = await byRoot.get(path)
    assert.match(wordsOf(none), /0 repositories None waits/)
    for (const name of ['ann/b', 'Ann/A', 'ann/B', 'zoe/z', 'ann/a.wiki']) await put(name)
    mkdirSync(join(app.ctx.config.data, 'adopt', '<script>alert("x")<', 'x.git'), {
      recursive: true,
    })

    const all = await byRoot.get(path)

    const odd = '&lt;script&gt;alert(&quot;x&quot;)&lt;/x'
    assert.deepEqual(
      listedIn(all).map((label) => label.toLowerCase()),
      [odd, 'ann/a', 'ann/b', 'zoe/z'],
    )
    assert.equal(hasScript(all), false)
    assert.match(all.text, /aria-current="page">Adoption</)
    assert.deepEqual(listedIn(await byRoot.get(`${path}?q=ZOE`)), ['zoe/z'])
    assert.deepEqual(listedIn(await byRoot.get(`${path}?limit=3&page=2`)), ['zoe/z'])
    const nothing = await byRoot.get(`${path}?q=${encodeURIComponent(evil)}`)
    assert.deepEqual(listedIn(nothing), [])
    assert.equal(hasScript(nothing), false)
  })

  test('makes a private repository of one', async (t) => {
    const setup = await startWithFolder(t)
    const { app, ann, byRoot, put } = setup
    const folder = await put('ann/Tool')
    const form = { owner: 'ann', name: 'Tool' }
    await assertTakenFromAdministrators(setup, `${path}/adopt`, form)
    assert.ok(existsSync(folder))

    const answer = await byRoot.post(`${path}/adopt`, form)

    assert.equal(answer.headers['location'], `${path}?saved=yes`)
    const { body } = await app.get(ann, '/repos/ann/tool')
    assert.deepEqual([body.name, body.private, body.empty], ['Tool', true, false])
    assert.equal(existsSync(folder), false)
    assert.deepEqual(listedIn(await byRoot.get(path)), [])
    assertStatus(await byRoot.post(`${path}/adopt`, form), 404)
  })

  test('says why one cannot be adopted, and leaves it', async (t) => {
    const { app, ann, byRoot, put } = await startWithFolder(t)
    await app.post(ann, '/user/repos', { name: 'taken' })
    const folders = [await put('nobody/tool'), await put('ann/taken')]
    folders.push(join(app.ctx.config.data, 'adopt', 'ann', 'broken.git'))
    mkdirSync(folders[2] ?? '')

    for (const [owner, name, reason] of [
      ['nobody', 'tool', /nobody\/tool: There is no account of this name/],
      ['ann', 'taken', /ann\/taken: There is a repository of this name already/],
      ['ann', 'broken', /ann\/broken: It is no bare repository/],
    ] as const) {
      const answer = await byRoot.post(`${path}/adopt`, { owner, name })
      assertStatus(answer, 422)
      assert.match(wordsOf(answer), reason)
    }

    assert.deepEqual(folders.map(existsSync), [true, true, true])
    assertStatus(await byRoot.post(`${path}/adopt`, { owner: '..', name: 'tool' }), 404)
    assertStatus(await byRoot.post(`${path}/adopt`), 404)
  })

  test('deletes one', async (t) => {
    const setup = await startWithFolder(t)
    const { byRoot, put } = setup
    const [folder, wiki, other] = [await put('ann/a'), await put('ann/a.wiki'), await put('ann/b')]
    const form = { owner: 'ann', name: 'a' }
    await assertTakenFromAdministrators(setup, `${path}/delete`, form)

    assertStatus(await byRoot.post(`${path}/delete`, form), 303)

    assert.deepEqual([folder, wiki, other].map(existsSync), [false, false, true])
    assertStatus(await byRoot.post(`${path}/delete`, form), 404)
    assertStatus(await byRoot.post(`${path}/delete`, { owner: 'ann/..', name: 'b' }), 404)
  })
})
