import { AppError } from '../../platform/errors.ts'
import { withLineFeeds } from './texts.ts'

export interface ReadmeValues {
  readonly name: string
  readonly description: string
  readonly ownerName: string
  readonly cloneUrlSsh: string
  readonly cloneUrlHttps: string
}

const readmes = new Map([['Default', '# {Name}\n\n{Description}']])

/** An empty name asks for the default. */
export function assertReadmeKnown(name: string): void {
  findReadme(name)
}

export function makeReadme(template: string, values: ReadmeValues): string {
  return fillReadme(findReadme(template), values)
}

/** One pass: braces within a description stay braces. What is not known stays as it is. */
export function fillReadme(template: string, values: ReadmeValues): string {
  const variables = new Map([
    ['Name', values.name],
    ['Description', withLineFeeds(values.description)],
    ['CloneURL.SSH', values.cloneUrlSsh],
    ['CloneURL.HTTPS', values.cloneUrlHttps],
    ['OwnerName', values.ownerName],
  ])
  return template.replace(/\{([\w.]+)\}/g, (found, name: string) => variables.get(name) ?? found)
}

function findReadme(name: string): string {
  const text = readmes.get(name === '' ? 'Default' : name)
  if (text !== undefined) return text
  const known = [...readmes.keys()].join(' ')
  throw new AppError(
    'bad_request',
    `readme template does not exist, available templates: [${known}]`,
  )
}
