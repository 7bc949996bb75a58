import { removeAvatar, setAvatar } from '../../repositories/avatars/change.ts'
import { assertImage } from '../../repositories/avatars/image.ts'
import { listBranches, loadBranch } from '../../code/branches/list.ts'
import { isSiteAdmin } from '../../platform/context.ts'
import { isNotFound } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { editRepository } from '../../repositories/repository/edit.ts'
import { readEdit } from '../../repositories/repository/read-edit.ts'
import { EditRepoOption } from '../../repositories/repository/schema.ts'
import { replaceTopics } from '../../repositories/topics/topics.ts'
import { repositoryPicture } from '../avatar.ts'
import { FormFields, formOfValues, withChecks, wordsIn, type FormState } from '../forms/fields.ts'
import { renderPictureForms } from '../forms/picture.ts'
import { namingProblems, problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, FormTerms, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import { homeOf, pathTo, type Visit } from '../repository/visit.ts'
import { inSection, saved } from './section.ts'
import { asksAboutVisibility, renderVisibilityQuestion } from './visibility.ts'

const MAX_OFFERED = 100

const explanations: Explanations = {
  ...namingProblems(),
  must_stay_private: {
    field: 'private',
    message: 'This server lets only its administrators publish.',
  },
}

const noBranch = { field: 'default_branch', message: 'There is no branch of this name.' }

interface GeneralState {
  readonly about?: FormState
  readonly topics?: FormState
  /** With the picture. */
  readonly problem?: FormProblem
}

export async function showGeneral(visit: Visit, state: GeneralState = {}): Promise<InShell> {
  const about = state.about ?? { form: formOfRepository(visit) }
  const topics = state.topics ?? { form: formOfValues({ topics: visit.view.topics.join(' ') }) }
  return inSection(
    visit,
    '',
    html`${await renderAbout(visit, about)}${renderTopics(visit, topics)}${renderOwnPicture(visit, state.problem)}`,
  )
}

function renderOwnPicture(visit: Visit, problem: FormProblem | undefined): Html {
  const { repo } = visit.view
  return renderPictureForms({
    shown: repositoryPicture(visit.ctx.config, repo, 96),
    isOwn: repo.avatar !== '',
    path: pathTo(visit, 'settings/avatar'),
    problem,
  })
}

function formOfRepository({ view: { repo } }: Visit): URLSearchParams {
  return formOfValues({
    name: repo.name,
    description: repo.description,
    website: repo.website,
    default_branch: repo.defaultBranch,
    private: repo.isPrivate,
    template: repo.isTemplate,
  })
}

async function renderAbout(visit: Visit, state: FormState): Promise<Html> {
  const fields = new FormFields(state)
  return html`
<h2>General</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${pathTo(visit, 'settings')}">
${fields.text('name', 'Name', { hint: 'Old addresses lead to the new one, for as long as nobody else takes them.' })}
${fields.text('description', 'Description', { optional: true })}
${fields.text('website', 'Website', { optional: true })}
${fields.text('default_branch', 'Default branch', { offers: await branchNames(visit) })}
${fields.check('private', 'Private', { hint: hintOfPrivacy(visit), isFixed: isPrivacyFixed(visit) })}
${fields.check('template', 'Template', { hint: 'Others begin new repositories with what is in this one.' })}
<button class="button main" type="submit">Save</button>
</form>`
}

async function branchNames({ ctx, view: { repo } }: Visit): Promise<readonly string[]> {
  if (repo.isEmpty) return []
  const page = { number: 1, limit: MAX_OFFERED, offset: 0 }
  return (await listBranches(ctx, repo, '', page)).items.map(({ name }) => name)
}

/** A fork is as its base is. */
function isPrivacyFixed({ ctx, viewer, view: { repo } }: Visit): boolean {
  const isForced = ctx.config.repositories.force_private && repo.isPrivate && !isSiteAdmin(viewer)
  return repo.forkOf !== undefined || isForced
}

function hintOfPrivacy(visit: Visit): string {
  if (visit.view.repo.forkOf !== undefined) return 'A fork is seen by those who see its base.'
  if (isPrivacyFixed(visit)) return 'This server lets only its administrators publish.'
  return 'Only people with access see a private repository. You are asked before this changes.'
}

function renderTopics(visit: Visit, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Topics</h2>
<form class="sheet form" method="post" action="${pathTo(visit, 'settings', 'topics')}">
${fields.text('topics', 'Topics', { optional: true, hint: 'Up to 25 words by which it is found, with blanks between them: letters, digits, dashes and dots.' })}
<button class="button" type="submit">Save topics</button>
</form>`
}

export async function editGeneral(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const checks = isPrivacyFixed(submitted) ? ['template'] : ['private', 'template']
  const whole = onlyGeneral(withChecks(form, checks))
  const refuse = (problem: FormProblem) => showGeneral(submitted, { about: { form, problem } })
  if (await namesNoBranch(submitted, form.get('default_branch') ?? '')) return refuse(noBranch)
  if (!isPrivacyFixed(submitted) && asksAboutVisibility(view.repo, form)) {
    const question = await renderVisibilityQuestion(submitted, whole)
    return { ...inSection(submitted, '', question), status: 200 }
  }
  try {
    const edit = readEdit(bindForm(EditRepoOption, whole))
    return saved({ home: homeOf(ctx, await editRepository(ctx, viewer, view, edit)) }, '')
  } catch (error) {
    return refuse(problemOf(error, explanations))
  }
}

/** The rest of what can be edited has forms of its own. */
function onlyGeneral(form: URLSearchParams): URLSearchParams {
  const names = ['name', 'description', 'website', 'default_branch', 'private', 'template']
  return new URLSearchParams([...form].filter(([name]) => names.includes(name)))
}

/** The API leaves a branch alone that is not there; whoever fills in a form wants to hear of it. */
async function namesNoBranch({ ctx, view: { repo } }: Submitted, name: string): Promise<boolean> {
  if (repo.isEmpty || name === '' || name === repo.defaultBranch) return false
  return loadBranch(ctx, repo, name).then(
    () => false,
    (error: unknown) => {
      if (isNotFound(error)) return true
      throw error
    },
  )
}

export async function editTopics(submitted: Submitted): Promise<Done> {
  const { ctx, view, form } = submitted
  try {
    await replaceTopics(ctx, view.repo.id, wordsIn(form, 'topics'))
  } catch (error) {
    const { message } = problemOf(error, topicProblems)
    return showGeneral(submitted, { topics: { form, problem: { field: 'topics', message } } })
  }
  return saved(submitted, '')
}

const topicProblems: Explanations = {
  too_many: { message: 'These are too many: 25 at most.' },
  name_invalid: {
    message: 'A topic begins with a letter or digit, and has at most 35 of them, dashes and dots.',
  },
}

export const pictureTerms: FormTerms = { maxBytes: 2_097_152, maxParts: 10 }

export async function savePicture(submitted: Submitted): Promise<Done> {
  const { ctx, view, files } = submitted
  const image = files.find(({ field }) => field === 'avatar')?.content ?? Buffer.alloc(0)
  try {
    assertImage(image)
  } catch (error) {
    return showGeneral(submitted, { problem: problemOf(error) })
  }
  await setAvatar(ctx, 'repository', view.repo.id, image)
  return saved(submitted, '')
}

export async function dropPicture(submitted: Submitted): Promise<Done> {
  await removeAvatar(submitted.ctx, 'repository', submitted.view.repo.id)
  return saved(submitted, '')
}
