import { chmodSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Says which ref is about to move (none: all of them, with where their objects wait) and does as
 * the server answers. A server that is gone answers nothing, and then nothing moves.
 */
const ask = `#!/bin/sh
printf 'may %s %s\\n' "$1" "$GIT_QUARANTINE_PATH" >&3
IFS= read -r answer <&3
[ "$answer" = go ] && exit 0
printf '%s\\n' "$answer" >&2
exit 1
`

const tell = `#!/bin/sh
while IFS= read -r line; do printf 'moved %s\\n' "$line" >&3; done
`

/** A process for each ref is spent only on pushes in which a ref is refused. */
const sets = {
  hooks: { 'pre-receive': ask, 'post-receive': tell },
  'hooks-by-ref': { 'pre-receive': ask, update: ask, 'post-receive': tell },
}

export type HookSet = keyof typeof sets

/** Our own hooks, beside git's settings; those in a repository never run. */
export function writeHooks(home: string): void {
  for (const [set, hooks] of Object.entries(sets)) {
    const folder = join(home, set)
    mkdirSync(folder, { recursive: true })
    for (const [name, text] of Object.entries(hooks)) replaceFile(join(folder, name), text)
  }
}

/** A file that is being written cannot be run, and another process may be about to run it. */
export function replaceFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text)
  chmodSync(draft, 0o755)
  renameSync(draft, path)
}

/** HOME is the folder of git's settings. */
export function hooksSetting(set: HookSet): readonly string[] {
  return ['-c', `core.hooksPath=~/${set}`]
}
