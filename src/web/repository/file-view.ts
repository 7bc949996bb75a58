import { posix } from 'node:path'
import { languageAttribute } from '../../code/analysis/attributes.ts'
import type { Seen, SeenFile } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import { parsePointer } from '../../code/lfs/object.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { isMarkdownFile } from '../../platform/markup/modes.ts'
import { findAuthorsFor } from '../../code/commits/authors.ts'
import { renderEditLinks } from '../files/menu.ts'
import { counted, sizeText } from '../figures.ts'
import { highlightFile } from '../highlight/highlight.ts'
import { hasInvisible, renderInvisibleNote } from '../highlight/invisible.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import {
  authorOf,
  commitTime,
  idLink,
  pictureOf,
  referringSubject,
  subjectOf,
} from './commit-line.ts'
import { renderDocument } from './markdown.ts'
import { loadReferencesHere } from './references.ts'
import { outsideLink } from '../outside-link.ts'
import { codePath } from './source.ts'
import type { Visit } from './visit.ts'

const MAX_LINES = 20_000

/** The text of a file whose lines can be told by who wrote them. */
export function blamable({ kind, content }: ContentEntry): string | undefined {
  if (kind !== 'file' || !content || content.length === 0 || content.includes(0)) return undefined
  const text = content.toString('utf8')
  return text.split('\n', MAX_LINES + 2).length > MAX_LINES + 1 ? undefined : text
}

/** One file: who changed it last, and what is in it. */
export async function renderFile(visit: Visit, seen: Seen, { entry }: SeenFile): Promise<Html> {
  const asSource = visit.query.text('display') === 'source'
  const { facts, body } = await showContent(visit, seen, entry, asSource)
  return html`${await renderLastCommit(visit, entry)}
<section class="sheet file" aria-label="${entry.name}">
<header>
<span class="mute">${facts}</span>
<span class="end">${renderActions(visit, seen, entry, asSource)}</span>
</header>
${body}
</section>`
}

async function renderLastCommit(visit: Visit, { lastCommit }: ContentEntry): Promise<Part> {
  if (!lastCommit) return undefined
  const { authors } = await findAuthorsFor(visit.ctx, visit.viewer, [lastCommit])
  const refer = await loadReferencesHere(visit, subjectOf(lastCommit))
  return html`<div class="sheet last">${pictureOf(visit, lastCommit, authors)}
<span class="latest">${authorOf(visit, lastCommit, authors)} ${referringSubject(visit, lastCommit, refer)}</span>
<span class="end">${idLink(visit, lastCommit.id)} · ${commitTime(visit, lastCommit)}</span></div>`
}

interface Content {
  readonly facts: string
  readonly body: Html
}

async function showContent(
  visit: Visit,
  seen: Seen,
  entry: ContentEntry,
  asSource: boolean,
): Promise<Content> {
  const { kind, content, name, size } = entry
  if (kind === 'symlink')
    return {
      facts: 'Symbolic link',
      body: note(html`It leads to <code>${entry.target}</code>. ${targetLink(visit, seen, entry)}`),
    }
  if (kind === 'submodule') return showSubmodule(entry)
  const facts = sizeText(size)
  if (isPicture(name) || (isShownDrawing(visit, name) && !asSource))
    return { facts, body: renderPicture(visit, seen, entry) }
  const pointer = content && parsePointer(content)
  if (pointer) {
    return {
      facts: `Stored with Git LFS · ${sizeText(pointer.size)}`,
      body: offer(visit, seen, entry, 'It is kept outside of the repository.'),
    }
  }
  if (!content)
    return { facts, body: offer(visit, seen, entry, 'It is too large to be shown here.') }
  if (content.includes(0)) return { facts, body: offer(visit, seen, entry, 'It is no text.') }
  if (size === 0) return { facts, body: note(html`The file is empty.`) }
  const text = content.toString('utf8')
  if (isMarkdownFile(name) && !asSource)
    return { facts, body: await renderDocument(visit, seen, entry.path, text) }
  return showText(visit, seen, entry, text)
}

async function showText(
  visit: Visit,
  seen: Seen,
  entry: ContentEntry,
  text: string,
): Promise<Content> {
  const attribute = await languageSetFor(visit, seen)
  const { lines, language } = await highlightFile({
    id: entry.id,
    name: entry.name,
    text,
    attribute,
  })
  const known = [language, counted(lines.length, 'line'), sizeText(entry.size)]
  const facts = known.filter((fact) => fact !== undefined).join(' · ')
  if (lines.length > MAX_LINES)
    return { facts, body: offer(visit, seen, entry, 'It has too many lines to be shown here.') }
  return {
    facts,
    body: html`${hasInvisible(text) && renderInvisibleNote()}${await renderLines(lines)}`,
  }
}

/** What `.gitattributes` of this commit say of the file. */
export async function languageSetFor(
  { ctx, view }: Visit,
  { commit, path }: Seen,
): Promise<string | undefined> {
  return languageAttribute(ctx, view.repo, { treeId: commit.treeId, path })
}

async function renderLines(lines: readonly Html[]): Promise<Html> {
  return html`<div class="scroll"><table class="code"><tbody>
${await mapInTurns(
  lines,
  (
    line,
    index,
  ) => html`<tr id="L${index + 1}"><td><a href="#L${index + 1}" data-line="${index + 1}" aria-label="Line ${index + 1}"></a></td><td>${line}</td></tr>
`,
)}</tbody></table></div>`
}

/** What a link leads to lies in the repository, or nobody finds it here. */
function targetLink(visit: Visit, seen: Seen, { path, target = '' }: ContentEntry): Part {
  const found = posix.join(posix.dirname(path), target)
  const isInside = target !== '' && !posix.isAbsolute(target) && !/^\.\.(?:\/|$)/.test(found)
  return isInside && html`<a href="${codePath(visit, 'src', seen, found)}">Go there</a>`
}

function showSubmodule({ id, submoduleUrl }: ContentEntry): Content {
  const body = html`Another repository, at the commit <code>${id}</code>${submoduleUrl !== undefined && html`: ${outsideLink(submoduleUrl)}`}.`
  return { facts: 'Submodule', body: note(body) }
}

function isPicture(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)
}

/** A picture that is also a text. */
function isShownDrawing({ ctx }: Visit, name: string): boolean {
  return ctx.config.attachment.show_svg && /\.svg$/i.test(name)
}

function renderPicture(visit: Visit, seen: Seen, { path, name }: ContentEntry): Html {
  return html`<p class="picture"><img src="${codePath(visit, 'media', seen, path)}" alt="${name}"></p>`
}

function offer(visit: Visit, seen: Seen, { path }: ContentEntry, reason: string): Html {
  return note(html`${reason} <a href="${codePath(visit, 'media', seen, path)}">Download it</a>.`)
}

function note(text: Html): Html {
  return html`<p class="blank">${text}</p>`
}

function renderActions(visit: Visit, seen: Seen, entry: ContentEntry, asSource: boolean): Part {
  const { kind, name, path } = entry
  const history = html`<a href="${codePath(visit, 'commits', seen, path)}">${icon('history')} History</a>`
  if (kind === 'submodule') return history
  const page = codePath(visit, 'src', seen, path)
  const other = asSource
    ? html`<a href="${page}">Rendered</a>`
    : html`<a href="${page}?display=source">Source</a>`
  const permanent = codePath(visit, 'src', { kind: 'commit', name: seen.commit.id }, path)
  return html`${kind === 'file' && (isMarkdownFile(name) || isShownDrawing(visit, name)) && other}
<a href="${codePath(visit, 'raw', seen, path)}">Raw</a>
${seen.kind !== 'commit' && html`<a href="${permanent}" title="This version for good">${icon('link')} Permalink</a>`}
${blamable(entry) !== undefined && html`<a href="${codePath(visit, 'blame', seen, path)}">Blame</a>`}
${history}
${renderEditLinks(visit, seen, entry)}`
}
