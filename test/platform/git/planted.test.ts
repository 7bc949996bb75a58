// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { startGitHost, type GitHost } from './support.ts'

const hooks = [
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
  'reference-transaction',
  'proc-receive',
  'push-to-checkout',
  'pre-auto-gc',
  'post-index-change',
  'commit-msg',
]

/** Every setting by which a repository could make git start a program. */
function settingsThatRun(program: string, hooksFolder: string): string {
  return `
[core]
	hooksPath = ${hooksFolder}
	fsmonitor = ${program}
	sshCommand = ${program}
	gitProxy = ${program}
	pager = ${program}
	editor = ${program}
	askPass = ${program}
	alternateRefsCommand = ${program}
	attributesFile = ${join(hooksFolder, 'attributes')}
[uploadpack]
	packObjectsHook = ${program}
[diff]
	external = ${program}
[diff "planted"]
	command = ${program}
	textconv = ${program}
[filter "planted"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
[merge "planted"]
	driver = ${program} %O %A %B
[tar "tar.gz"]
	command = ${program}
[gpg]
	program = ${program}
[credential]
	helper = ${program}
[alias]
	archive = !${program}
	log = !${program}
[gc]
	auto = 1
[include]
	path = ${join(hooksFolder, 'included')}
`
}

/**
 * Puts into a repository hooks and attributes that could run something, and tells what of it did.
 */
async function plant(host: GitHost) {
  const folder = await host.folderOf('ann/one')
  const [planted, marker] = [join(folder, 'planted'), join(folder, 'ran')]
  const attributes = '* diff=planted filter=planted merge=planted\n'
  const script = `#!/bin/sh\necho "$0 $*" >> ${marker}\nexit 1\n`
  for (const place of [join(folder, 'hooks'), planted]) {
    mkdirSync(place, { recursive: true })
    for (const hook of hooks) writeFileSync(join(place, hook), script, { mode: 0o755 })
  }
  writeFileSync(join(planted, 'program'), script, { mode: 0o755 })
  writeFileSync(join(planted, 'attributes'), attributes)
  mkdirSync(join(folder, 'info'), { recursive: true })
  writeFileSync(join(folder, 'info', 'attributes'), attributes)
  const ran = () => (existsSync(marker) ? readFileSync(marker, 'utf8') : '')
  return { settings: settingsThatRun(join(planted, 'program'), planted), folder, ran }
}

const readings = [
  'archive/main.tar.gz',
  'archive/main.zip',
  'raw/file.txt',
  'contents',
  'commits',
  'git/commits/main.diff',
  'compare/side...main',
  'branches',
]

async function start(t: TestContext) {
  const host = await startGitHost(t)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one' })
  const work = await host.client.makeRepository()
  const url = host.urlFor('ann', 'ann/one.git')
  await host.client.git(['push', '--quiet', url, 'main', 'main:side'], work)
  await host.client.commit(work, 'second')
  const push = () => host.client.run(['push', '--quiet', url, 'main', 'main:new'], work)
  const clone = () => host.client.run(['clone', '--quiet', url, 'copy'])
  const post = async (path: string, body: object) =>
    (await host.app.post(ann, `/repos/ann/one/${path}`, body)).status
  const read = async (path: string) => (await host.app.get(ann, `/repos/ann/one/${path}`)).status
  const planted = await plant(host)
  return { host, push, clone, post, read, planted }
}

const file = { content: 'eA==', branch: 'side', message: 'x' }

suite('what somebody planted in the folder of a repository', () => {
  test('is never run, whatever is done with the repository', async (t) => {
    const { host, push, clone, post, read, planted } = await start(t)

    assert.equal((await push()).code, 0)
    assert.equal((await clone()).code, 0)
    assert.equal(await post('contents/x.txt', file), 201)
    assert.equal(await post('pulls', { head: 'side', base: 'main', title: 'x' }), 201)
    for (const path of [...readings, 'pulls/1.diff']) assert.equal(await read(path), 200, path)
    assert.equal(await post('pulls/1/merge', { Do: 'merge' }), 200)
    assert.equal(await post('forks', { name: 'fork' }), 202)
    await host.app.ctx.jobs.runDue()

    assert.equal(planted.ran(), '')
  })

  test('is not even reached when it is in the settings: git is not started', async (t) => {
    const { push, clone, post, read, planted } = await start(t)
    appendFileSync(join(planted.folder, 'config'), planted.settings)

    assert.notEqual((await push()).code, 0)
    assert.notEqual((await clone()).code, 0)
    assert.equal(await post('contents/x.txt', file), 500)
    for (const path of readings) await read(path)

    assert.equal(planted.ran(), '')
  })
})
