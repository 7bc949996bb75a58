import { join } from 'node:path'
import { replaceFile } from './hooks.ts'

/** Answers from the environment, which only processes of the same user can read. */
const script = `#!/bin/sh
[ -n "$CODESTEAD_REMOTE_USER$CODESTEAD_REMOTE_PASSWORD" ] || exit 1
case "$1" in
Username*) printf '%s\\n' "$CODESTEAD_REMOTE_USER" ;;
*) printf '%s\\n' "$CODESTEAD_REMOTE_PASSWORD" ;;
esac
`

/** What git asks when a remote wants to know who we are. */
export function writeAskPass(home: string): void {
  replaceFile(join(home, 'ask-pass'), script)
}

/** HOME is the folder of git's settings. */
export const askPassSetting: readonly [string, string] = ['core.askPass', '~/ask-pass']

export function askPassEnvironment(
  username: string,
  password: string,
): Readonly<Record<string, string>> {
  return { CODESTEAD_REMOTE_USER: username, CODESTEAD_REMOTE_PASSWORD: password }
}
