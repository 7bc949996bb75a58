// One database is enough: none is used.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'

const documents = globSync(['*.md', 'docs/**/*.md']).map((file) => ({
  file,
  text: readFileSync(file, 'utf8'),
}))

/** As readers of Markdown name a heading. */
function anchorsOf(file: string): readonly string[] {
  const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? from : join(dirname(from), path)
  return existsSync(file) && (anchor === undefined || anchorsOf(file).includes(anchor))
}

suite('the documents', () => {
  test('have no link that leads nowhere', () => {
    const broken = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
        .filter(([, link = '']) => !leadsSomewhere(file, link))
        .map(([, link]) => `${file}: ${link}`),
    )

    assert.deepEqual(broken, [])
  })

  test('name no source that is not there', () => {
    const missing = documents.flatMap(({ file, text }) =>
      [...text.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:test\.)?(?:ts|mjs))`/g)]
        .filter(([, path = '']) => !existsSync(path) && !existsSync(join('src', path)))
        .map(([, path]) => `${file}: ${path}`),
    )

    assert.deepEqual(missing, [])
  })
})
