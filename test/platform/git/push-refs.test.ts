// One database is enough: refs are files.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startRefs, type Refs } from './refs-support.ts'
import { startGitHost, type GitHost } from './support.ts'

const service = '# service=git-receive-pack\n'

/** What somebody is told who is about to push, by the server and by git. */
async function tellBoth({ app }: GitHost, caller: Refs['ann'], folder: string) {
  const path = '^/ann/one/info/refs?service=git-receive-pack'
  const { text } = await app.get(caller, path)
  const command = ['receive-pack', '--stateless-rpc', '--advertise-refs', folder]
  const byGit = await app.ctx.git.run(folder, command)
  return { told: text, byGit: `001f${service}0000${byGit.toString()}` }
}

suite('what a push is told first', () => {
  test('is what git would tell, wherever its refs stand', async (t) => {
    const { host, ann, work, folder, push } = await startRefs(t)
    const { client } = host
    const inHosted = (...command: string[]) => client.git(['--git-dir', folder, ...command])
    const tip = await client.git(['rev-parse', 'main'], work)
    const changes: Record<string, () => Promise<unknown>> = {
      'one branch': async () => undefined,
      'branches in folders': () => push('main:a/b', 'main:a-b', 'main:a/b-c', 'main:Z', 'main:é'),
      'without the name that is not plain': () => push('--delete', 'é'),
      'a tag with a message': async () => {
        await client.git(['tag', '-a', '-m', 'first', 'v1'], work)
        await push('v1', 'main:refs/notes/thing')
      },
      'packed ones': () => inHosted('pack-refs', '--all'),
      'packed ones, of which one has moved and one is gone': async () => {
        await client.commit(work, 'more')
        await push('main', ':a/b')
      },
      'those that are shown to nobody': () =>
        inHosted('update-ref', 'refs/codestead/kept', tip.trim()),
      'a ref that names another': () =>
        inHosted('symbolic-ref', 'refs/heads/latest', 'refs/heads/main'),
      'more than are read one by one': () =>
        push(...Array.from({ length: 101 }, (_, count) => `main:many/${count}`)),
    }

    for (const [change, make] of Object.entries(changes)) {
      await make()
      const { told, byGit } = await tellBoth(host, ann, folder)
      assert.equal(told, byGit, change)
    }
    assert.equal(await client.git(['ls-remote', host.url('ann/one'), 'refs/codestead/*']), '')
  })

  test('starts no git, once it is known what git is able to do', async (t) => {
    const { host, ann, folder, lockGit } = await startRefs(t)
    const { told } = await tellBoth(host, ann, folder)
    lockGit()

    const path = '^/ann/one/info/refs?service=git-receive-pack'
    const again = await host.app.get(ann, path)

    assert.equal(again.status, 200)
    assert.equal(again.text, told)
  })

  for (const format of ['sha1', 'sha256']) {
    test(`is what git would tell of an empty repository of ${format}`, async (t) => {
      const host = await startGitHost(t)
      const ann = await host.app.addCaller('ann')
      await host.app.post(ann, '/user/repos', { name: 'one', object_format_name: format })

      const { told, byGit } = await tellBoth(host, ann, await host.folderOf('ann/one'))

      assert.equal(told, byGit)
      assert.match(told, new RegExp(`capabilities\\^\\{\\}\\0.*object-format=${format}`))
    })
  }

  test('tells where the history of a shallow repository ends', async (t) => {
    const { host, ann, work, folder } = await startRefs(t)
    const tip = await host.client.git(['rev-parse', 'main'], work)
    writeFileSync(join(folder, 'shallow'), `${tip.trim()}\n`)

    const { told, byGit } = await tellBoth(host, ann, folder)

    assert.equal(told, byGit)
    assert.match(told, new RegExp(`shallow ${tip.trim()}`))
  })
})
