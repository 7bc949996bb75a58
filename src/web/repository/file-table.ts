import { findAuthorsFor } from '../../code/commits/authors.ts'
import type { Seen, SeenFolder } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { EntryKind } from '../../platform/git/tree.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { countText, counted, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'
import {
  authorOf,
  commitTime,
  idLink,
  pictureOf,
  referringSubject,
  subjectLink,
  subjectOf,
} from './commit-line.ts'
import { loadReferencesHere } from './references.ts'
import { codePath } from './source.ts'
import type { Visit } from './visit.ts'

const icons: Readonly<Record<EntryKind, IconName>> = {
  dir: 'folder',
  file: 'file',
  symlink: 'link',
  submodule: 'module',
}

/** Longer ones may not fit: the whole name is told as well. */
const LONG_NAME = 40

/** The latest commit of a folder, and below it a line for each entry of a folder. */
export async function renderFolder(
  visit: Visit,
  seen: Seen,
  folder: SeenFolder,
  commits: number | undefined,
): Promise<Html> {
  const { entries, total } = folder
  return html`<section class="sheet" aria-label="Files">
${await renderLatest(visit, seen, folder.lastCommit ?? seen.commit, commits)}
<table class="files">
<thead class="unseen"><tr><th scope="col">Name</th><th scope="col">Last commit</th><th scope="col">Time</th></tr></thead>
<tbody>
${seen.path !== '' && renderParent(visit, seen)}
${await mapInTurns(entries, (entry) => renderEntry(visit, seen, entry))}
</tbody>
</table>
${total > entries.length && html`<p class="more mute">${countText(total - entries.length)} more entries are not shown.</p>`}
</section>`
}

async function renderLatest(
  visit: Visit,
  seen: Seen,
  commit: Commit,
  commits: number | undefined,
): Promise<Html> {
  const { authors } = await findAuthorsFor(visit.ctx, visit.viewer, [commit])
  const refer = await loadReferencesHere(visit, subjectOf(commit))
  const history = codePath(visit, 'commits', seen, seen.path)
  return html`<header>
${pictureOf(visit, commit, authors)}
<span class="latest">${authorOf(visit, commit, authors)} ${referringSubject(visit, commit, refer)}</span>
<span class="end">${idLink(visit, commit.id)} · ${commitTime(visit, commit)} · <a href="${history}">${commits === undefined ? 'History' : counted(commits, 'commit')}</a></span>
</header>`
}

function renderParent(visit: Visit, seen: Seen): Html {
  const above = seen.path.split('/').slice(0, -1).join('/')
  return html`<tr><td colspan="3">${icon('folder')} <a href="${codePath(visit, 'src', seen, above)}" aria-label="The folder above">..</a></td></tr>`
}

function renderEntry(visit: Visit, seen: Seen, entry: ContentEntry): Html {
  const { kind, name, path, lastCommit } = entry
  return html`<tr>
<td class="${kind}">${icon(icons[kind])} <a href="${codePath(visit, 'src', seen, path)}"${name.length > LONG_NAME && html` title="${name}"`}>${name}</a>${shortId(entry)}</td>
<td>${lastCommit && subjectLink(visit, lastCommit)}</td>
<td>${lastCommit && timeAgo(visit.ctx.now(), lastCommit.committer.at)}</td>
</tr>`
}

/** At which commit a submodule stands. */
function shortId({ kind, id }: ContentEntry): Part {
  return kind === 'submodule' && html` <span class="mute">@ ${id.slice(0, 10)}</span>`
}
