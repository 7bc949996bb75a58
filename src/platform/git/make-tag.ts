import type { Git } from './run.ts'
import { signatureLine } from './commit-files.ts'
import type { Signature } from './parse.ts'

export interface NewTagObject {
  readonly name: string
  readonly commitId: string
  readonly tagger: Signature
  readonly message: string
}

/** Writes a tag object, and gives its id; no reference points at it yet. */
export async function makeTag(
  git: Git,
  folder: string,
  { name, commitId, tagger, message }: NewTagObject,
): Promise<string> {
  const lines = [
    `object ${commitId}`,
    'type commit',
    `tag ${name}`,
    `tagger ${signatureLine(tagger)}`,
    '',
    message.replace(/\n*$/, '\n'),
  ]
  return git.text(folder, ['mktag'], { input: lines.join('\n') })
}
