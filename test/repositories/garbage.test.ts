import assert from 'node:assert/strict'
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { collectAllGarbage } from '../../src/repositories/garbage.ts'
import { startGitHost } from '../git/support.ts'

/** To git these are packs of their own, whatever is in them. */
function copyPack(folder: string, times: number): void {
  const files = readdirSync(folder).filter((name) => /\.(pack|idx)$/.test(name))
  for (let index = 0; index < times; index++) {
    const name = `pack-${index.toString(16).padStart(40, '0')}`
    for (const file of files) {
      copyFileSync(join(folder, file), join(folder, name + file.slice(file.lastIndexOf('.'))))
    }
  }
}

suite('a repository in many packs', () => {
  test('is packed by a task, and stays as it was', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    for (const name of ['one', 'small']) {
      await app.post(ann, '/user/repos', { name, auto_init: true })
    }
    const folder = await host.folderOf('ann/one')
    const packs = () =>
      readdirSync(join(folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length
    await client.git(['--git-dir', folder, 'repack', '-a', '-d', '--quiet'])
    copyPack(join(folder, 'objects', 'pack'), 51)
    assert.ok(packs() > 50)
    const before = await client.git(['--git-dir', folder, 'rev-parse', 'main'])

    await collectAllGarbage(app.ctx)
    await app.ctx.jobs.runDue()

    assert.ok(packs() <= 2, `${packs()} packs`)
    assert.equal(await client.git(['--git-dir', folder, 'rev-parse', 'main']), before)
    await host.assertSound('ann/one')
    const tasks = (await app.get(await app.addAdmin(), '/admin/cron?limit=50')).body
    assert.ok(tasks.some(({ name }: { name: string }) => name === 'git_gc_repos'))
  })
})
