import { invalid, invalidField } from '../../platform/errors.ts'
import type { Identity } from '../../platform/git/create.ts'
import type { FilesChange, Moment } from './change.ts'
import { readKind, type FileOperation } from './operations.ts'
import { tidyPath } from './path.ts'
import type { ChangeFileOperation, CommonFileOptions } from './schema.ts'

/** What the bodies of all changes of files have in common. */
export function readChange(
  body: CommonFileOptions,
  operations: readonly FileOperation[],
): FilesChange {
  return {
    operations,
    branch: body.branch ?? '',
    newBranch: body.new_branch ?? '',
    message: body.message ?? '',
    author: readIdentity(body.author),
    committer: readIdentity(body.committer),
    authoredAt: readMoment(body.dates?.author),
    committedAt: readMoment(body.dates?.committer),
    signOff: body.signoff ?? false,
    force: body.force_push ?? false,
  }
}

export function readOperation(item: ChangeFileOperation): FileOperation {
  const kind = readKind(item.operation ?? '')
  if (kind === 'rename' && !item.from_path) throw invalidField('FromPath', 'Required')
  const keepsContent = kind === 'rename' ? !item.content : isMoveAlone(item)
  return {
    kind,
    path: tidyPath(item.path ?? ''),
    fromPath: tidyPath(item.from_path ?? ''),
    content: keepsContent ? undefined : readBase64(item.content ?? ''),
    sha: item.sha ?? '',
  }
}

/** A file that is told where to go, and nothing else, is not emptied on the way. */
function isMoveAlone({ from_path, content }: ChangeFileOperation): boolean {
  return Boolean(from_path) && content === undefined
}

/** Line breaks are allowed anywhere in it. */
export function readBase64(text: string): Buffer {
  const plain = text.replace(/[\r\n]/g, '')
  if (plain.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(plain)) {
    const bad = text.search(/[^A-Za-z0-9+/=\r\n]/)
    throw invalid(`illegal base64 data at input byte ${bad === -1 ? text.length : bad}`)
  }
  return Buffer.from(plain, 'base64')
}

/** Nothing in it can end the line, or the name. */
function readIdentity(given: CommonFileOptions['author']): Identity | undefined {
  const clean = (text = '') => text.replace(/[\r\n\0<>]/g, '').trim()
  const email = clean(given?.email)
  const name = clean(given?.name)
  if (email === '') return undefined
  return { name: name || email, email }
}

/** With the time zone that was written. */
function readMoment(time: string | undefined): Moment | undefined {
  if (time === undefined) return undefined
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)$/.exec(time) ?? []
  const zone = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  return { at: Math.max(0, Math.floor(Date.parse(time) / 1000)), zone }
}
