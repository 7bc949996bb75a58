import type { Identity } from '../../platform/git/create.ts'
import type { FileOperation, OperationKind } from './operations.ts'

const verbs: Record<OperationKind, string> = {
  create: 'Add',
  upload: 'Add',
  update: 'Update',
  rename: 'Rename',
  delete: 'Delete',
}

/** What was given, or what was done; then who stands for it. */
export function commitMessage(
  given: string,
  operations: readonly FileOperation[],
  signer: Identity | undefined,
): string {
  const message = given.replaceAll('\0', '').trim() || describe(operations)
  return signer ? `${message}\n\nSigned-off-by: ${signer.name} <${signer.email}>` : `${message}\n`
}

function describe(operations: readonly FileOperation[]): string {
  const byVerb = Map.groupBy(operations, ({ kind }) => verbs[kind])
  return [...byVerb]
    .map(([verb, done]) => `${verb} ${done.map(({ path }) => path).join(', ')}`)
    .join('\n')
}
