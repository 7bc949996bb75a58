import { importInto, type Setup } from '../../code/commits/setup.ts'
import type { TestAnswer, TestApp } from '../../support/app.ts'

/** What a browser says that it takes. */
export const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** A page as somebody sees it who is not signed in. */
export async function visit(app: TestApp, path: string): Promise<TestAnswer> {
  return app.get(undefined, `^${path}`, browser)
}

export const evil = `<script>alert("x")</script>`

/** Nothing that a user wrote became markup. */
export function hasScript({ text }: TestAnswer): boolean {
  return /<script>|alert\("x"\)/.test(text)
}

export async function edit(
  { app, ann, path }: Setup,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status, text } = await app.patch(ann, path, changes)
  if (status !== 200) throw new Error(text)
}

/** The text of a page without its markup, blanks as one. */
export function wordsOf({ text }: TestAnswer): string {
  return text
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * Without what knows the address, the bar and ways to sign in and back, and the number of the
 * answer.
 */
export function mainOf({ text }: TestAnswer): string {
  return (/<main[^]*<\/main>/.exec(text)?.[0] ?? '').replaceAll(/\?redirect_to=[^"]*/g, '')
}

/** As many commits as asked for, each of one line of `log.txt`. */
export async function importCommits(setup: Setup, count: number): Promise<void> {
  const commits = Array.from({ length: count }, (_, index) => {
    const message = `number ${index + 1}`
    return [
      'commit refs/heads/main',
      `committer Ann <ann@example.org> ${1_700_000_000 + index} +0000`,
      `data ${message.length}`,
      message,
      ...(index === 0 ? ['from refs/heads/main^0'] : []),
      'M 100644 inline log.txt',
      `data ${message.length}`,
      message,
      '',
    ].join('\n')
  })
  await importInto(setup, commits.join('\n'))
}
