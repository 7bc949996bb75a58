import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { giveWay } from '../../platform/concurrency/give-way.ts'
import { namesKnownTo } from '../../collaboration/issues/mentions.ts'
import { addressesIn, type Refer } from '../../platform/markup/references.ts'
import { tryMarkdown, type MarkdownOptions } from '../../platform/markup/render.ts'
import { WeighedCache } from '../../platform/caches/weighed-cache.ts'
import { idOf } from '../highlight/highlight.ts'
import { html, type Html } from '../../platform/html.ts'
import { toProse } from '../prose.ts'
import { resolveFrom } from '../repository/markdown.ts'
import { codePath, type NamedRef } from '../repository/source.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { portionsOf, renderCut, type Portion } from './portions.ts'

const MAX_KEPT = 16 * 1024 * 1024

const kept = new WeighedCache<string>('comments', MAX_KEPT)

/** Renders what somebody wrote. */
export type Speak = (text: string) => Promise<Html>

/**
 * For all texts of a page at once. Issues, commits and people of whom the viewer knows are linked
 * where a text names them.
 */
export async function loadSpeech(visit: Visit, texts: readonly string[]): Promise<Speak> {
  const portions = portionsOf(visit, texts)
  const refer = referIn(visit, await namesKnownTo(visit.ctx, visit.viewer, portions.texts))
  const ref = { kind: 'branch', name: visit.view.repo.defaultBranch } as const
  const resolve = resolveFrom(visit, ref)
  return (text) =>
    renderPortion(portions.of(text), `speech ${codePath(visit, 'src', ref)}`, {
      refer,
      hardBreaks: true,
      // A page has many such texts: their headings have no names, but everything else on it has.
      resolve: (address, of) => (address.startsWith('#') ? address : resolve(address, of)),
    })
}

export async function renderSpeech(visit: Visit, text: string): Promise<Html> {
  const speak = await loadSpeech(visit, [text])
  return speak(text)
}

/** Renders the notes of a release: the files that they refer to are those of `ref`. */
export type Note = (text: string, ref: NamedRef) => Promise<Html>

/** Like `loadSpeech`, for all notes of a page. */
export async function loadNotes(visit: Visit, texts: readonly string[]): Promise<Note> {
  const portions = portionsOf(visit, texts)
  const refer = referIn(visit, await namesKnownTo(visit.ctx, visit.viewer, portions.texts))
  return (text, ref) =>
    renderPortion(portions.of(text), `notes ${codePath(visit, 'src', ref)}`, {
      refer,
      isDocument: true,
      resolve: resolveFrom(visit, ref),
    })
}

interface WordsOptions extends MarkdownOptions {
  readonly refer: Refer
}

async function renderPortion(
  { text, whole }: Portion,
  place: string,
  options: WordsOptions,
): Promise<Html> {
  await giveWay()
  const words = await renderWords(text, place, options)
  return whole === undefined ? words : html`${words}${renderCut(whole)}`
}

/**
 * Rendered once for many views; `place` says all that decides how, beside what the text refers to.
 */
async function renderWords(text: string, place: string, options: WordsOptions): Promise<Html> {
  const key = [idOf(text), place, ...addressesIn(text, options.refer)].join(' ')
  const markup = await kept.get(key, async () => {
    const words = { ...options, linksPictures: true, hasNotes: true }
    const { markup: value, isFinal } = await tryMarkdown(text, words)
    const weight = 2 * (key.length + value.length)
    return { value, weight: isFinal ? weight : Number.POSITIVE_INFINITY }
  })
  return toProse(markup)
}

/** Whether there is such an issue is not looked up: its page says so. */
function referIn(visit: Visit, people: ReadonlySet<string>): Refer {
  const base = basePath(visit.ctx.config)
  return (named) => {
    if (named.kind === 'commit') return pathTo(visit, 'commit', named.id)
    if (named.kind === 'person') {
      return people.has(named.name.toLowerCase())
        ? `${base}/${encodeSegment(named.name)}`
        : undefined
    }
    const { repository, number } = named
    if (repository === undefined) return pathTo(visit, 'issues', number)
    return `${base}/${repository.split('/').map(encodeSegment).join('/')}/issues/${number}`
  }
}
