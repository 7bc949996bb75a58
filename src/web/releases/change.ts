import { removeAttachment } from '../../repositories/attachments/edit.ts'
import { AppError } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import { listOfRelease, loadOfRelease } from '../../delivery/release-attachments/attach.ts'
import { createRelease } from '../../delivery/releases/create.ts'
import { editRelease } from '../../delivery/releases/edit.ts'
import { loadToChange, loadWithFiles } from '../../delivery/releases/load.ts'
import { generateNotes } from '../../delivery/releases/notes.ts'
import type { Release } from '../../delivery/releases/release.ts'
import { removeRelease } from '../../delivery/releases/remove.ts'
import { assertReads } from '../../repositories/repository/load.ts'
import { explain, type Explanations, type FormProblem } from '../forms/problem.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { pathTo, restOf, type Show, type Visit } from '../repository/visit.ts'
import { editPath, readDraft, renderReleaseForm, type Draft, type ReleaseForm } from './form.ts'
import { assertMayRelease } from './rights.ts'

export const showNewRelease: Show = async (visit) => {
  assertMayRelease(visit)
  const { view, query } = visit
  const draft = {
    tagName: query.text('tag') ?? '',
    target: view.repo.defaultBranch,
    title: '',
    note: '',
    isPrerelease: false,
  }
  return inTab(visit, { draft })
}

export const showEditRelease: Show = async (visit) => {
  assertMayRelease(visit)
  const release = await loadOfPath(visit)
  return inTab(visit, { draft: release, release })
}

export async function takeNewRelease(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const draft = readDraft(form)
  return attempt(submitted, { draft }, async () => {
    const isDraft = form.get('action') === 'draft'
    const release = await createRelease(ctx, viewer, view, { ...draft, tagMessage: '', isDraft })
    return pathOf(submitted, release)
  })
}

export async function takeEditRelease(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const release = await loadOfPath(submitted)
  const sent = readDraft(form)
  // A tag that is published is not asked for.
  const { tagName, target } = release.isDraft ? sent : release
  const draft = { ...sent, tagName, target }
  return attempt(submitted, { draft, release }, async () => {
    const isDraft = release.isDraft && form.get('action') !== 'publish'
    return pathOf(submitted, await editRelease(ctx, viewer, view, release, { ...draft, isDraft }))
  })
}

/** Files are attached to a draft before it is published. */
function pathOf(visit: Visit, release: Release): string {
  return release.isDraft ? editPath(visit, release) : pathTo(visit, 'releases/tag', release.tagName)
}

async function attempt(
  submitted: Submitted,
  state: ReleaseForm,
  save: () => Promise<string>,
): Promise<Done> {
  try {
    if (submitted.form.get('action') === 'notes') return await withNotes(submitted, state)
    return { leadsTo: await save() }
  } catch (error) {
    const problem = error instanceof AppError ? releaseProblem(error) : undefined
    if (!problem) throw error
    return inTab(submitted, { ...state, problem })
  }
}

/** The form again, with a text to begin with behind what was written. */
async function withNotes(submitted: Submitted, state: ReleaseForm): Promise<Done> {
  const { ctx, view } = submitted
  const { draft } = state
  assertReads(view, 'repo.code')
  const wanted = { tagName: draft.tagName, target: draft.target, previousTagName: '' }
  const { name, body } = await generateNotes(ctx, view, wanted)
  const note = [draft.note.trimEnd(), body].filter((part) => part !== '').join('\n\n')
  const filled: Draft = { ...draft, title: draft.title || name, note }
  return { ...(await inTab(submitted, { ...state, draft: filled })), status: 200 }
}

const explanations: Explanations = {
  tag_protected: {
    field: 'tag_name',
    message: 'The rules of this repository do not let you make this tag.',
  },
  mirrored: {
    field: 'tag_name',
    message: 'This repository is a mirror: its tags are those of its remote. Choose one of these.',
  },
  target_missing: { field: 'target', message: 'There is no such branch or commit.' },
}

/** Of failures that the sender can do something about; of others none. */
function releaseProblem(error: AppError): FormProblem | undefined {
  const { code, broken, message } = error
  if (code === 'conflict') {
    return { field: 'tag_name', message: 'There is a release of this tag already.' }
  }
  if (broken?.field === 'TagName') {
    return { field: 'tag_name', message: 'Git does not take this as the name of a tag.' }
  }
  return explain(error, explanations) ?? (code === 'invalid' ? { message } : undefined)
}

export async function takeReleaseDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, form } = submitted
  const release = await loadOfPath(submitted)
  if ((form.get('confirm') ?? '').trim() !== release.tagName) {
    const problem = { field: 'confirm', message: `Type ${release.tagName} to delete it.` }
    return inTab(submitted, { draft: release, release, problem })
  }
  await removeRelease(ctx, viewer.account, release)
  return { leadsTo: pathTo(submitted, 'releases') }
}

export async function takeFileDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, param } = submitted
  const release = await loadWithFiles(ctx, viewer, view, readInteger(param('id')))
  const file = await loadOfRelease(ctx, release, readInteger(param('attachment')))
  await removeAttachment(ctx, viewer, file)
  return { leadsTo: `${editPath(submitted, release)}#files` }
}

async function loadOfPath(visit: Visit): Promise<Release> {
  return loadToChange(visit.ctx, visit.view, { tagName: restOf(visit) })
}

async function inTab(visit: Visit, state: ReleaseForm): Promise<InShell> {
  const { release } = state
  const files = release ? await listOfRelease(visit.ctx, release) : []
  return {
    tab: 'releases',
    title: release ? `Edit ${release.title || release.tagName}` : 'New release',
    content: await renderReleaseForm(visit, { ...state, files }),
  }
}
