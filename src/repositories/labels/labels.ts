import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { changeTracker } from '../repository/tracker.ts'
import type { Label } from './label.ts'
import {
  deleteLabel,
  findLabel,
  findLabelByName,
  insertLabel,
  findLabels,
  updateLabel,
  type LabelOrder,
  type LabelOwner,
} from './queries.ts'

export interface NewLabel {
  readonly name: string
  readonly color: string
  readonly description: string
  readonly isExclusive: boolean
  readonly isArchived: boolean
}

export async function createLabel(
  ctx: Context,
  owner: LabelOwner,
  label: NewLabel,
): Promise<Label> {
  const color = readColor(label.color)
  return insertLabel(ctx.db, {
    repository_id: 'repositoryId' in owner ? owner.repositoryId : null,
    org_id: 'orgId' in owner ? owner.orgId : null,
    name: label.name,
    color,
    description: label.description,
    exclusive: label.isExclusive ? 1 : 0,
    is_archived: label.isArchived ? 1 : 0,
  })
}

export interface LabelEdit {
  readonly name?: string | undefined
  readonly color?: string | undefined
  readonly description?: string | undefined
  readonly isExclusive?: boolean | undefined
  /** The contract un-archives a label whose edit does not say otherwise. */
  readonly isArchived: boolean
}

export async function editLabel(ctx: Context, label: Label, edit: LabelEdit): Promise<Label> {
  const edited = await updateLabel(ctx.db, label.id, {
    name: edit.name || undefined,
    color: edit.color ? readColor(edit.color) : undefined,
    description: edit.description,
    exclusive: edit.isExclusive === undefined ? undefined : edit.isExclusive ? 1 : 0,
    is_archived: edit.isArchived ? 1 : 0,
  })
  if (!edited) throw notFound()
  return edited
}

/** By id; a text that is no number is a name. */
export async function loadLabel(ctx: Context, owner: LabelOwner, idOrName: string): Promise<Label> {
  const label = /^\d+$/.test(idOrName)
    ? await findLabel(ctx.db, owner, Math.min(Number(idOrName), Number.MAX_SAFE_INTEGER))
    : await findLabelByName(ctx.db, owner, idOrName)
  if (!label) throw notFound()
  return label
}

export async function listLabels(
  ctx: Context,
  owner: LabelOwner,
  order: LabelOrder,
  page: Page,
): Promise<PageOf<Label>> {
  return findLabels(ctx.db, owner, order, page)
}

/**
 * One that does not exist is deleted already. Nobody labels an issue of the repository with it
 * meanwhile.
 */
export async function removeLabel(ctx: Context, owner: LabelOwner, id: number): Promise<void> {
  const remove = async (db: Executor) => {
    const label = await findLabel(db, owner, id)
    if (label) await deleteLabel(db, label.id)
  }
  if ('repositoryId' in owner) await changeTracker(ctx, owner.repositoryId, remove)
  else await remove(ctx.db)
}

/** Three or six hexadecimal digits, with or without the sign; kept as six without it. */
function readColor(text: string): string {
  const [, digits] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim()) ?? []
  if (digits === undefined) throw invalid(`invalid color: ${withSign(text)}`)
  const six = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
  return six.toLowerCase()
}

/** As the reference names what has as many characters as a colour. */
function withSign(text: string): string {
  return text.length === 3 || text.length === 6 ? `#${text}` : text
}

const MAX_CHOICE = 100

/** What one may choose from, by name: those of a repository, and those of its organization. */
export async function labelsToChoose(
  { db }: Context,
  { repo, owner }: { repo: { id: number }; owner: { id: number; kind: string } },
): Promise<readonly Label[]> {
  const page = { number: 1, limit: MAX_CHOICE, offset: 0 }
  const own = await findLabels(db, { repositoryId: repo.id }, 'name', page)
  if (owner.kind !== 'organization') return own.items
  const shared = await findLabels(db, { orgId: owner.id }, 'name', page)
  return [...own.items, ...shared.items]
}
