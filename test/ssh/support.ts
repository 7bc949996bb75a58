import { spawnSync } from 'node:child_process'

export const skipWithoutSsh =
  spawnSync('ssh', ['-V']).status === 0 && spawnSync('ssh-keygen', ['-?']).error === undefined
    ? false
    : 'OpenSSH is not installed'

/** The client with this key, and with nothing of whoever runs it. */
export function sshWith(key: string): readonly string[] {
  const settings = {
    IdentitiesOnly: 'yes',
    BatchMode: 'yes',
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return ['ssh', '-F', '/dev/null', ...options, '-i', key]
}
