/** What is wrong with a file of a repository, told to whoever wrote it. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

/** It is no YAML, or not of the shape that is expected. */
export function unreadable(reason: string): TemplateError {
  return new TemplateError(`yaml unmarshal: ${reason}`)
}
