import type { Context } from '../../platform/context.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import {
  deleteValue,
  findValue,
  insertValue,
  updateValue,
  type ActionValue,
  type Holder,
  type ValueKind,
} from './queries.ts'

const PURPOSE = 'action-secrets'

export interface NewValue {
  readonly content: string
  readonly description: string
}

/** Names are kept in capital letters, and those that the server gives itself are not for others. */
function readName(text: string): string {
  const name = text.toUpperCase()
  if (/^[A-Z_][A-Z0-9_]{0,254}$/.test(name) && !/^(?:GITEA|GITHUB)_/.test(name)) return name
  throw new AppError('bad_request', 'invalid name')
}

/** Whether it is new. */
export async function putSecret(
  ctx: Context,
  holder: Holder,
  name: string,
  { content, description }: NewValue,
): Promise<boolean> {
  const sealed = { content: ctx.secrets.seal(PURPOSE, content), description }
  const row = describe(ctx, 'secret', holder, readName(name), sealed)
  if (await insertValue(ctx.db, row)) return true
  const old = await findValue(ctx.db, 'secret', holder, row.name)
  if (old) await updateValue(ctx.db, old.id, sealed)
  return false
}

export async function addVariable(
  ctx: Context,
  holder: Holder,
  name: string,
  value: NewValue,
): Promise<void> {
  const row = describe(ctx, 'variable', holder, readName(name), value)
  if (!(await insertValue(ctx.db, row))) throw taken(row.name)
}

/** With a new name it is renamed; a description that is not given stays. */
export async function editVariable(
  ctx: Context,
  holder: Holder,
  name: string,
  edit: {
    readonly name: string
    readonly content: string
    readonly description?: string | undefined
  },
): Promise<void> {
  const old = await loadValue(ctx, 'variable', holder, name)
  const newName = edit.name === '' ? old.name : readName(edit.name)
  const { content, description } = edit
  const outcome = await updateValue(ctx.db, old.id, { name: newName, content, description })
  if (outcome === 'taken') throw taken(newName)
}

export async function removeValue(
  ctx: Context,
  kind: ValueKind,
  holder: Holder,
  name: string,
): Promise<void> {
  await deleteValue(ctx.db, (await loadValue(ctx, kind, holder, readName(name))).id)
}

export async function loadValue(
  ctx: Context,
  kind: ValueKind,
  holder: Holder,
  name: string,
): Promise<ActionValue> {
  const found = await findValue(ctx.db, kind, holder, name.toUpperCase())
  if (!found) throw notFound()
  return found
}

function describe(
  ctx: Context,
  kind: ValueKind,
  { repositoryId, accountId }: Holder,
  name: string,
  value: NewValue,
) {
  return {
    kind,
    repository_id: repositoryId ?? null,
    account_id: accountId ?? null,
    name,
    ...value,
    created_at: ctx.now(),
  }
}

function taken(name: string): AppError {
  return new AppError('conflict', `variable already exists [name: ${name}]`)
}
