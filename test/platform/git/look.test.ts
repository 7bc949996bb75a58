// One database is enough: files are in none.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { lookBelow } from '../../../src/platform/git/look.ts'

suite('a look at files', () => {
  test('sees the same here and elsewhere, and waits elsewhere without holding up anybody', async (t) => {
    const place = mkdtempSync(join(tmpdir(), 'codestead-look-'))
    t.after(() => rmSync(place, { recursive: true, force: true }))
    mkdirSync(join(place, 'refs'))
    writeFileSync(join(place, 'HEAD'), 'ref: refs/heads/main\n')
    // What the kernel makes up lies on no disk.
    const elsewhere = lookBelow('/proc/self')

    for (const look of [lookBelow(place), elsewhere]) {
      const names = [...(await look.entries(place))].map(({ name }) => name).sort()
      assert.deepEqual(names, ['HEAD', 'refs'])
      const { ino, mtimeNs } = await look.atFile(join(place, 'HEAD'))
      assert.deepEqual({ ino, mtimeNs }, pick(join(place, 'HEAD')))
      assert.equal((await look.atFolder(join(place, 'refs'))).ino, pick(join(place, 'refs')).ino)
      assert.equal(await look.text(join(place, 'HEAD')), 'ref: refs/heads/main\n')
      await assert.rejects(async () => look.atFile(join(place, 'none')), { code: 'ENOENT' })
    }
    const waiting = elsewhere.entries(place)
    assert.ok(waiting instanceof Promise)
    await waiting
  })
})

function pick(path: string) {
  const { ino, mtimeNs } = statSync(path, { bigint: true })
  return { ino, mtimeNs }
}
