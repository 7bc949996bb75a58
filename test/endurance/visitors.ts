import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORM, formBody } from '../repositories/attachments/form.ts'
import { digestOf, git, type Answer, type Host } from './host.ts'
import type { Answered } from './promises.ts'

/** Does one thing, and writes down what was answered. */
export type Visitor = (round: number) => Promise<void>

const repo = '/api/v1/repos/ann/one'

const parsed = ({ body }: Answer) => JSON.parse(body.toString()) as Record<string, unknown>

export async function visitorsOf(
  host: Host,
  answered: Answered,
  toTell: Set<number>,
  home: string,
): Promise<readonly Visitor[]> {
  return [
    ...apiVisitors(host, answered, toTell),
    ...fileVisitors(host, answered),
    await pusher(host, answered, 'http', home),
    await pusher(host, answered, 'ssh', home),
    ...readers(host, answered, home),
  ]
}

function apiVisitors(host: Host, answered: Answered, toTell: Set<number>): Visitor[] {
  const issue: Visitor = async (round) => {
    const title = `issue ${round}`
    const answer = await host.call('POST', `${repo}/issues`, { title })
    if (answer.status !== 201) return
    const number = Number(parsed(answer)['number'])
    toTell.add(number)
    answered.add('issue', title, async () => {
      const found = await host.read(`${repo}/issues/${number}`)
      return found.status === 200 && parsed(found)['title'] === title
    })
  }
  const comment: Visitor = async (round) => {
    const answer = await host.call('POST', `${repo}/issues/1/comments`, { body: `c ${round}` })
    if (answer.status !== 201) return
    const path = `${repo}/issues/comments/${Number(parsed(answer)['id'])}`
    answered.add(
      'comment',
      path,
      async () => parsed(await host.read(path))['body'] === `c ${round}`,
    )
  }
  const committed: Visitor = async (round) => {
    const content = randomBytes(2000)
    const path = `files/${round % 50}/${round}.bin`
    const body = { content: content.toString('base64'), message: path }
    const answer = await host.call('POST', `${repo}/contents/${path}`, body)
    if (answer.status !== 201) return
    answered.add('commit', path, async () =>
      (await host.read(`${repo}/raw/${path}`)).body.equals(content),
    )
  }
  const removed: Visitor = async (round) => {
    const name = `short-lived-${round}`
    await host.call('POST', '/api/v1/user/repos', { name, auto_init: true })
    const answer = await host.call('DELETE', `/api/v1/repos/ann/${name}`)
    if (answer.status !== 204) return
    answered.add('deletion', name, async () => {
      return (await host.read(`/api/v1/repos/ann/${name}`)).status === 404
    })
  }
  const released: Visitor = async (round) => {
    const tag = `v${round}`
    const answer = await host.call('POST', `${repo}/releases`, { tag_name: tag })
    if (answer.status !== 201) return
    answered.add('release', tag, async () => {
      return (await host.read(`${repo}/releases/tags/${tag}`)).status === 200
    })
  }
  return [issue, comment, committed, removed, released]
}

function fileVisitors(host: Host, answered: Answered): Visitor[] {
  const keep = (kind: string, path: string, content: Buffer) =>
    answered.add(kind, path, async () => {
      const { body } = await host.read(path)
      return digestOf(body) === digestOf(content)
    })
  const attached: Visitor = async () => {
    const content = randomBytes(100_000)
    const form = formBody([{ name: 'attachment', filename: 'x.txt', content }])
    const answer = await host.call('POST', `${repo}/issues/1/assets`, form, FORM['content-type'])
    if (answer.status !== 201) return
    const address = new URL(String(parsed(answer)['browser_download_url']))
    keep('attachment', address.pathname, content)
  }
  const large: Visitor = async () => {
    const content = randomBytes(100_000)
    const path = `/ann/one.git/info/lfs/objects/${digestOf(content)}`
    const answer = await host.call('PUT', `${path}/${content.length}`, content)
    if (answer.status === 200) keep('LFS object', path, content)
  }
  return [attached, large]
}

/**
 * Commits to a branch of its own, and pushes it; a push without an answer may have come through.
 */
async function pusher(
  host: Host,
  answered: Answered,
  way: 'http' | 'ssh',
  home: string,
): Promise<Visitor> {
  const folder = join(home, way)
  mkdirSync(folder)
  const address =
    way === 'ssh'
      ? `${host.sshUrl}/ann/one.git`
      : `${host.url.replace('//', `//ann:${host.token}@`)}/ann/one.git`
  if (way === 'ssh') {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', `${folder}.key`])
    const key = readFileSync(`${folder}.key.pub`, 'utf8').trim()
    await host.call('POST', '/api/v1/user/keys', { title: way, key })
  }
  await git(folder, 'init', '-q', '-b', way)
  await git(folder, 'config', 'user.email', 'ann@example.org')
  await git(folder, 'config', 'user.name', 'Ann')
  // When all is over, for all of them.
  let fetched: Promise<unknown> | undefined
  return async (round) => {
    writeFileSync(join(folder, `${round % 20}.bin`), randomBytes(20_000))
    await git(folder, 'add', '.')
    await git(folder, 'commit', '-q', '-m', `${way} ${round}`)
    const head = (await git(folder, 'rev-parse', 'HEAD')) ?? ''
    if ((await git(folder, 'push', '-q', address, way)) === undefined) return
    answered.add(`push by ${way}`, head, async () => {
      await (fetched ??= git(folder, 'fetch', '-q', address, `+${way}:refs/seen`))
      return (await git(folder, 'merge-base', '--is-ancestor', head, 'refs/seen')) !== undefined
    })
  }
}

function readers(host: Host, answered: Answered, home: string): Visitor[] {
  const paths = [
    '/ann/one',
    '/ann/one/issues',
    '/ann/one/issues/1',
    '/ann/one/commits/branch/main',
    '/explore/repos',
    `${repo}/issues?state=all`,
    `${repo}/commits`,
    `${repo}/git/trees/main?recursive=true`,
    '/api/v1/repos/search?q=one',
    '/ann/one/archive/main.tar.gz',
  ]
  const look: Visitor = async (round) => {
    const { status } = await host.read(paths[round % paths.length] ?? '')
    answered.count(`look ${status}`)
  }
  const clone: Visitor = async () => {
    const folder = join(home, 'clone')
    rmSync(folder, { recursive: true, force: true })
    const isCloned = await git(home, 'clone', '-q', '--depth=1', `${host.url}/ann/one.git`, folder)
    answered.count(isCloned === undefined ? 'clone, not done' : 'clone')
  }
  return [look, look, clone]
}
