// One database is enough: no database is involved.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { createRepositoryFolder } from '../../../src/platform/git/create.ts'
import { writeMark } from '../../../src/platform/storage/mark.ts'
import { prepareGit } from '../../../src/platform/git/environment.ts'
import type { Ending } from '../../../src/platform/git/launch-orders.ts'
import { launch, type Launch } from '../../../src/platform/git/launcher.ts'
import { Git } from '../../../src/platform/git/run.ts'
import { failureOf } from '../../../src/platform/http/errors.ts'
import { until } from '../../support/until.ts'

function running(script: string, changes: Partial<Launch> = {}): Launch {
  return {
    program: process.execPath,
    parameters: ['-e', script],
    environment: {},
    folder: '/',
    hasInput: false,
    leader: false,
    timeLimitMs: 60_000,
    ...changes,
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

suite('the launcher', () => {
  test('gives all that a process wrote, also when it ended at once', async () => {
    const script = `process.stdout.write('x'.repeat(300_000)); process.stderr.write('oh')`
    const outcomes = Array.from({ length: 20 }, async () => {
      const child = await launch(running(script))
      return Promise.all([text(child.stdout), child.ended])
    })

    for (const [output, ending] of await Promise.all(outcomes)) {
      assert.equal(output.length, 300_000)
      assert.deepEqual(ending, { code: 0, complaint: 'oh' })
    }
  })

  test('carries input to its end, and forgives a reader who has enough', async () => {
    const copy = await launch(running('process.stdin.pipe(process.stdout)', { hasInput: true }))
    const deaf = await launch(running('process.exit(3)', { hasInput: true }))

    copy.stdin.end('a'.repeat(200_000))
    deaf.stdin.end('a'.repeat(2_000_000))
    deaf.stdout.resume()

    assert.equal((await text(copy.stdout)).length, 200_000)
    assert.equal((await deaf.ended).code, 3)
  })

  test('talks by descriptor 3 with a leader, and ends its whole group', async () => {
    const script = `
      const { createReadStream, writeSync } = require('node:fs')
      const wait = 'setInterval(() => undefined, 1000)'
      require('node:child_process').spawn(process.execPath, ['-e', wait], { stdio: 'inherit' })
      writeSync(3, 'ready')
      createReadStream('', { fd: 3 }).on('data', (said) => process.stdout.write(said))`
    const child = await launch(running(script, { leader: true }))
    const output = child.stdout[Symbol.asyncIterator]()

    const [said] = (await once(child.channel, 'data')) as [Buffer]
    child.channel.write('go on')
    const heard = await output.next()
    child.kill('SIGTERM')

    assert.equal(said.toString(), 'ready')
    assert.equal(String(heard.value), 'go on')
    // The process below has the output open too: it ends with both.
    assert.equal((await output.next()).done, true)
    assert.equal((await child.ended).code, 128)
  })

  test('says that a program or its folder is not there', async () => {
    for (const changes of [{ program: 'no-such-program' }, { folder: '/no/such/folder' }]) {
      const child = await launch(running('', changes))
      child.stdout.resume()
      const { code, complaint } = await child.ended
      assert.equal(code, 128)
      assert.match(complaint, /ENOENT/)
    }
  })

  test('says that a process cannot be started as wanted, and goes on with the others', async () => {
    const other = await launch(running('process.stdin.pipe(process.stdout)', { hasInput: true }))

    const refused = launch(running('', { parameters: ['a\0b'] }))
    // Its streams may come before the news.
    const failure = { code: 128 }
    const ending = await refused.then(
      ({ ended }) => ended,
      () => failure,
    )

    assert.partialDeepStrictEqual(ending, failure)
    other.stdin.end('on')
    assert.equal(await text(other.stdout), 'on')
  })

  test('starts again when it was killed; what it ran is given up', async () => {
    assert.deepEqual(await killLauncher(), { code: 128, complaint: 'the launcher is gone' })
    const parents = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const next = await launch(running('process.stdout.write(String(process.ppid))'))
        return text(next.stdout)
      }),
    )
    assert.deepEqual(new Set(parents).size, 1, 'one launcher for all who come at once')
  })

  test('is missed for a moment only, which is what those are told who need it then', async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'codestead-git-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const git = new Git(prepareGit(configWith(home)))
    await writeMark(home, 'an id')
    const folder = join(home, '00', 'one.git')
    await createRepositoryFolder(folder, { branch: 'main', objectFormat: 'sha1' })

    const asked = git.run(folder, ['-c', 'alias.wait=!sleep 5', 'wait'])
    const [outcome] = await Promise.allSettled([asked, killLauncher()])

    const { reason } = outcome as PromiseRejectedResult
    const { status, retryAfter } = failureOf(reason, undefined)
    assert.deepEqual([status, retryAfter], [503, 1])
  })

  test('starts again when its socket was tidied away; what it runs goes on', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'codestead-tidied-'))
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = folder
    t.after(() => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      rmSync(folder, { recursive: true })
    })
    await killLauncher()
    const script = 'console.log(process.ppid); process.stdin.pipe(process.stdout)'
    const copy = await launch(running(script, { hasInput: true }))
    assert.equal(readdirSync(folder).length, 1)
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })

    const next = await Promise.all(
      Array.from({ length: 3 }, () =>
        launch(running('process.stdout.write(String(process.ppid))')),
      ),
    )
    const parents = await Promise.all(next.map(({ stdout }) => text(stdout)))
    copy.stdin.end('on')

    assert.equal(new Set(parents).size, 1)
    const [parent = '', said] = (await text(copy.stdout)).split('\n')
    assert.equal(said, 'on')
    assert.equal(readdirSync(folder).length, 1)
    await until(() => !isRunning(Number(parent)))
  })
})

/** By a process that it runs, once the streams of that one have come. */
async function killLauncher(): Promise<Ending> {
  const script = `process.stdin.once('data', () => process.kill(process.ppid, 'SIGKILL'))`
  const child = await launch(running(script, { hasInput: true }))
  child.stdin.write('now')
  child.stdout.resume()
  return child.ended
}
