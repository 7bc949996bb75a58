import { forkRepository } from '../../code/forks/fork.ts'
import { CreateForkOption } from '../../code/forks/schema.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { signedIn } from '../../platform/http/call.ts'
import { editRepository } from '../../repositories/repository/edit.ts'
import { assertReads, findCurrent } from '../../repositories/repository/load.ts'
import { readEdit } from '../../repositories/repository/read-edit.ts'
import { EditRepoOption } from '../../repositories/repository/schema.ts'
import { asChoices, FormFields, formOfValues, type FormState } from '../forms/fields.ts'
import { creationProblem, type Explanations } from '../forms/problem.ts'
import { html } from '../../platform/html.ts'
import { ownerOf, ownersFor } from '../new-owner.ts'
import type { Done, Submitted } from './form.ts'
import type { InShell } from './shell.ts'
import { homeOf, pathTo, type Visit } from './visit.ts'

const explanations: Explanations = {
  forked_already: { field: 'owner', message: 'They have a fork of it already.' },
}

/** A copy of one's own, for whoever reads the code. */
export async function showFork(visit: Visit, state?: FormState): Promise<InShell> {
  const { ctx, view } = visit
  assertReads(view, 'repo.code')
  const viewer = signedIn(visit.viewer)
  const { name, description } = view.repo
  const fields = new FormFields(state ?? { form: formOfValues({ name, description }) })
  const owners = await ownersFor(ctx, viewer)
  return {
    tab: 'code',
    title: 'Fork',
    content: html`
<h2>Fork</h2>
<p class="lede">A copy of your own, with all branches and tags, from which changes can be offered to the original. It is seen by those who see the original.</p>
${fields.complaint}
<form class="sheet form limited" method="post" action="${pathTo(visit, 'fork')}">
${fields.select('owner', 'Owner', asChoices(owners.map((owner) => owner.name)))}
${fields.text('name', 'Name')}
${fields.text('description', 'Description', { optional: true })}
<button class="button main" type="submit">Fork</button>
</form>`,
  }
}

export async function fork(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  assertReads(view, 'repo.code')
  try {
    const { name } = bindForm(CreateForkOption, new URLSearchParams({ name: textOf(form, 'name') }))
    const about = bindForm(
      EditRepoOption,
      formOfValues({ description: textOf(form, 'description') }),
    )
    const owner = await ownerOf(ctx, viewer, textOf(form, 'owner'))
    const { id } = await forkRepository(ctx, viewer, view, owner, name || view.repo.name)
    const made = await findCurrent(ctx, viewer, id)
    await editRepository(ctx, viewer, made, readEdit(about))
    return { leadsTo: homeOf(ctx, made) }
  } catch (error) {
    return showFork(submitted, { form, problem: creationProblem(error, explanations) })
  }
}

function textOf(form: URLSearchParams, name: string): string {
  return form.get(name) ?? ''
}
