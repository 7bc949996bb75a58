import { join } from 'node:path'
import { replaceFile } from './hooks.ts'

/** Answers from the environment, which only processes of the same user can read. */
const script = `#!/bin/sh
case "$1" in
Username*) printf '%s\\n' "$CODESTEAD_REMOTE_USER" ;;
*) printf '%s\\n' "$CODESTEAD_REMOTE_PASSWORD" ;;
esac
`

/** Writes what git asks when a remote wants to know who we are, and gives its path. */
export function writeAskPass(home: string): string {
  const path = join(home, 'ask-pass')
  replaceFile(path, script)
  return path
}

export function askPassEnvironment(
  username: string,
  password: string,
): Readonly<Record<string, string>> {
  // Without a program to ask, git says only that it may not ask.
  if (username === '' && password === '') return { GIT_ASKPASS: '' }
  return { CODESTEAD_REMOTE_USER: username, CODESTEAD_REMOTE_PASSWORD: password }
}
