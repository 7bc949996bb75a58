// One database is enough: none is used.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { createRepositoryFolder } from '../../../src/platform/git/create.ts'
import { prepareGit } from '../../../src/platform/git/environment.ts'
import { Git } from '../../../src/platform/git/run.ts'
import { writeMark } from '../../../src/platform/storage/mark.ts'

suite('a git process', () => {
  test('ends when what it is given breaks off, and fails for that reason', async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'codestead-git-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const git = new Git(prepareGit(configWith(home)))
    await writeMark(home, 'an id')
    const folder = join(home, '00', 'one.git')
    await createRepositoryFolder(folder, { branch: 'main', objectFormat: 'sha1' })
    async function* input() {
      yield Buffer.from('blob\ndata 5\nab')
      throw new Error('the source has dried up')
    }

    const running = git.run(folder, ['fast-import', '--quiet'], { input: input() })

    await assert.rejects(running, { message: 'the source has dried up' })
  })
})
