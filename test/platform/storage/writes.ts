import { createHash, randomBytes } from 'node:crypto'
import { cpSync, existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { FORM, formBody } from '../../repositories/attachments/form.ts'
import type { Answer, Failing } from './failing-server.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }
const one = '/api/v1/repos/ann/one'
const content = () => randomBytes(300_000)
const form = () => formBody([{ name: 'attachment', filename: 'x.txt', content: content() }])

export async function fileOfRelease(server: Failing): Promise<Answer> {
  return server.send('POST', `${one}/releases/1/assets?name=x`, content(), OCTETS)
}

export async function fileOfIssue(server: Failing): Promise<Answer> {
  return server.send('POST', `${one}/issues/1/assets`, form(), FORM)
}

export async function fileOfComment(server: Failing): Promise<Answer> {
  return server.send('POST', `${one}/issues/comments/1/assets`, form(), FORM)
}

export async function lfsObject(server: Failing): Promise<Answer> {
  const bytes = content()
  const oid = createHash('sha256').update(bytes).digest('hex')
  return server.send('PUT', `/ann/one.git/info/lfs/objects/${oid}/${bytes.length}`, bytes, OCTETS)
}

export async function repository(server: Failing, name: string): Promise<Answer> {
  return server.send('POST', '/api/v1/user/repos', { name, auto_init: true })
}

export async function forkTo(server: Failing, organization: string): Promise<Answer> {
  return server.send('POST', `${one}/forks`, { organization })
}

export async function generated(server: Failing, name: string): Promise<Answer> {
  const wanted = { owner: 'ann', name, git_content: true }
  return server.send('POST', `${one}/generate`, wanted)
}

export async function fileInGit(server: Failing, name: string): Promise<Answer> {
  return server.send('POST', `${one}/contents/${name}`, { content: 'eA==', message: name })
}

/** Of another server, left for an administrator. */
export async function waitingRepository(server: Failing, name: string): Promise<void> {
  const { data } = server.machine
  const source = join(data, 'source.git')
  if (!existsSync(source)) {
    const [only = ''] = globSync('repositories/*/*.git', { cwd: data })
    cpSync(join(data, only), source, { recursive: true })
  }
  cpSync(source, join(data, 'adopt', 'ann', `${name}.git`), { recursive: true })
}

export async function adopted(server: Failing, name: string): Promise<Answer> {
  return server.send('POST', `/api/v1/admin/unadopted/ann/${name}`)
}
