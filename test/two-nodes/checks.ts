import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** How two nodes are called. */
export interface Nodes {
  /** Where everything is written. */
  readonly writes: string
  /** Where it is looked for as soon as the first has answered. */
  readonly reads: string
  readonly authorization: string
}

export interface Result {
  readonly checks: number
  /** What one node did not see of what the other had answered. */
  readonly wrong: readonly string[]
  /** Those of them that were answered as a fault. */
  readonly faults: readonly string[]
}

/** Writes on one node, and asks the other whether it is there, round after round. */
export async function compareNodes(nodes: Nodes, rounds: number): Promise<Result> {
  const comparison = new Comparison(nodes)
  for (let round = 0; round < rounds; round++) await comparison.round(`r${round}`)
  return comparison
}

class Comparison implements Result {
  readonly #nodes: Nodes
  checks = 0
  readonly wrong: string[] = []
  readonly faults: string[] = []

  constructor(nodes: Nodes) {
    this.#nodes = nodes
  }

  async round(name: string): Promise<void> {
    const path = `/api/v1/repos/ann/${name}`
    await this.#write('POST', '/api/v1/user/repos', { name, auto_init: true })
    await this.#sees('a new repository', `${path}/contents/README.md`, name)
    await this.#sees('its branch', `${path}/branches/main`, '"main"')
    await this.#sees('its page', `/ann/${name}`, 'README')
    for (const number of [1, 2, 3]) await this.#commit(path, `file${number}.txt`)
    await this.#write('POST', `${path}/branches`, { new_branch_name: 'dev' })
    await this.#sees('a branch', `${path}/branches/dev`, '"dev"')
    await this.#write('POST', `${path}/tags`, { tag_name: 'v1', message: 'one' })
    await this.#sees('a tag', `${path}/tags/v1`, 'v1')
    await this.#seesRefs(name, ['refs/heads/dev', 'refs/heads/main', 'refs/tags/v1'])
    await this.#write('DELETE', `${path}/branches/dev`)
    await this.#missing('a deleted branch', `${path}/branches/dev`)
    await this.#attach(path)
    const page = { title: 'Home', content_base64: Buffer.from(name).toString('base64') }
    await this.#write('POST', `${path}/wiki/new`, page)
    await this.#sees('a page of the wiki', `${path}/wiki/page/Home`, 'Home')
    await this.#write('DELETE', path)
    await this.#missing('a deleted repository', `${path}/contents/README.md`)
  }

  async #commit(path: string, file: string): Promise<void> {
    const text = randomUUID()
    const content = Buffer.from(text).toString('base64')
    await this.#write('POST', `${path}/contents/${file}`, { content, message: file })
    await this.#sees('a file', `${path}/raw/${file}`, text)
    await this.#sees('a commit', `${path}/commits?limit=1`, `"message":"${file}`)
  }

  async #attach(path: string): Promise<void> {
    await this.#write('POST', `${path}/issues`, { title: 'one' })
    const form = new FormData()
    const text = randomUUID()
    form.append('attachment', new Blob([text]), 'note.txt')
    const { authorization, writes } = this.#nodes
    const options = { method: 'POST', headers: { authorization }, body: form }
    const answer = await fetch(`${writes}${path}/issues/1/assets`, options)
    const { uuid } = (await answer.json()) as { uuid: string }
    await this.#sees('an attachment', `/attachments/${uuid}`, text)
  }

  async #write(method: string, path: string, body?: object): Promise<void> {
    const { writes, authorization } = this.#nodes
    const headers = { authorization, 'content-type': 'application/json' }
    const options = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await fetch(writes + path, options)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  }

  async #sees(what: string, path: string, text: string): Promise<void> {
    const { status, body } = await this.#read(path)
    this.#note(what, path, status, status === 200 && body.includes(text))
  }

  async #missing(what: string, path: string): Promise<void> {
    const { status } = await this.#read(path)
    this.#note(what, path, status, status === 404)
  }

  async #read(path: string): Promise<{ status: number; body: string }> {
    const { reads, authorization } = this.#nodes
    const answer = await fetch(reads + path, { headers: { authorization } })
    return { status: answer.status, body: await answer.text() }
  }

  async #seesRefs(name: string, refs: readonly string[]): Promise<void> {
    const { reads } = this.#nodes
    const { stdout, status } = await run('git', ['ls-remote', `${reads}/ann/${name}.git`]).then(
      (ran) => ({ stdout: ran.stdout, status: 200 }),
      (error: Error) => ({ stdout: '', status: /error: 500/.test(error.message) ? 500 : 404 }),
    )
    this.#note(
      'refs over git',
      name,
      status,
      refs.every((ref) => stdout.includes(ref)),
    )
  }

  #note(what: string, path: string, status: number, isRight: boolean): void {
    this.checks++
    if (isRight) return
    this.wrong.push(`${what}: ${path} ${status}`)
    if (status === 500) this.faults.push(`${what}: ${path}`)
  }
}
