import { writesUnit } from '../../repositories/repository/load.ts'
import { formPath } from '../files/place.ts'
import { mayEdit } from '../files/rights.ts'
import { html, type Html } from '../../platform/html.ts'
import { cloneUrls, renderCommands } from './clone.ts'
import type { Visit } from './visit.ts'

/** A repository without a commit: how the first one gets there. */
export function renderEmpty(visit: Visit): Html {
  const { view } = visit
  const { http, ssh } = cloneUrls(visit)
  const address = http ?? ssh
  if (address === undefined || view.repo.isArchived || view.repo.isMirror) return nothingYet()
  const branch = view.repo.defaultBranch
  const place = { branch, path: '' }
  return html`<section class="sheet begin">
<h2>There is no commit yet</h2>
<p class="lede">Code, history and files appear here with the first push${!writesUnit(view, 'repo.code') && html` of somebody who may write to this repository`}.</p>
${
  mayEdit(visit) &&
  html`<h3>Begin here</h3>
<p><a class="button" href="${formPath(visit, '_new', place)}">Write a file</a> <a class="button" href="${formPath(visit, '_upload', place)}">Upload files</a></p>`
}
<h3>Begin on your machine</h3>
${renderCommands([
  `git init -b ${branch}${view.repo.objectFormat === 'sha256' ? ' --object-format=sha256' : ''}`,
  `echo "# ${view.repo.name}" > README.md`,
  'git add README.md',
  'git commit -m "First commit"',
  `git remote add origin ${address}`,
  `git push -u origin ${branch}`,
])}
<h3>Push what you have</h3>
${renderCommands([`git remote add origin ${address}`, `git push -u origin ${branch}`])}
${ssh !== undefined && http !== undefined && html`<p class="mute">Over SSH the address is <code>${ssh}</code>.</p>`}
</section>`
}

function nothingYet(): Html {
  return html`<p class="sheet blank">There is no commit yet.</p>`
}
