import fc from 'fast-check'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { anyCharacter } from '../../support/arbitraries.ts'

export const folder = '.gitea/ISSUE_TEMPLATE/'

/**
 * A repository with these files in one commit; names without a folder go into that of the
 * templates.
 */
export async function addRepository(
  app: TestApp,
  owner: TestCaller,
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
  { org, ...options }: { org?: string; private?: boolean } = {},
): Promise<string> {
  const place = org === undefined ? '/user/repos' : `/orgs/${org}/repos`
  const full = `${org ?? owner.name}/${name}`
  assertStatus(await app.post(owner, place, { name, ...options }), 201)
  await addFiles(app, owner, full, files)
  return full
}

export async function addFiles(
  app: TestApp,
  owner: TestCaller,
  full: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  const changes = Object.entries(files).map(([path, content]) => ({
    operation: 'create',
    path: path.includes('/') ? path : folder + path,
    content: Buffer.from(content).toString('base64'),
  }))
  if (changes.length === 0) return
  assertStatus(await app.post(owner, `/repos/${full}/contents`, { files: changes }), 201)
}

export const markdown = (front: string, content = 'text\n') => `---\n${front}\n---\n${content}`

export const form = (...fields: readonly string[]) =>
  `name: Form\nabout: a form\nbody:\n${fields.map((field) => `  - ${field}\n`).join('')}`

const lines =
  'name: n|about: a|body:|  - type: input|    attributes:|      label: L|    id: x|labels: [a|---|...|' +
  'contact_links:|  - name: x|    url: /y|    about: z|blank_issues_enabled: no|%YAML 1.1'
const signs = '&a |*a |{|}|[|]|- |? |: |!!int |"|\'|\t|<<: |>'
const piece = fc.constantFrom(
  ...lines.split('|').map((line) => `${line}\n`),
  ...signs.split('|'),
  '|\n',
)
/** Pieces of templates and of YAML, in any order. */
export const randomText = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: piece }, fc.string({ unit: anyCharacter, maxLength: 8 })),
    {
      maxLength: 25,
    },
  )
  .map((pieces) => pieces.join(''))
