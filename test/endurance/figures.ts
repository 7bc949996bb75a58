import { globSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Host } from './host.ts'

export interface Figures {
  /** Resident, in MiB. */
  readonly memory: number
  readonly descriptors: number
  readonly processes: number
  readonly temporaryFiles: readonly string[]
}

/** What a server holds at the moment. */
export function figuresOf(host: Host): Figures {
  const { pid, machine } = host
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    memory: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    descriptors: countDescriptors(host),
    processes: descendantsOf(pid).length,
    temporaryFiles: globSync(
      ['files/**/*.part.*', 'repositories/**/*.lock', 'repositories/**/tmp_*'],
      { cwd: machine.data },
    ),
  }
}

/** Without folders of files: up to 256 of them stay open on purpose. */
function countDescriptors({ pid, machine: { data } }: Host): number {
  const folder = `/proc/${pid}/fd`
  const leadTo = readdirSync(folder).map((name) => targetOf(join(folder, name)))
  return leadTo.filter((target) => !target.startsWith(join(data, 'files'))).length
}

/** It may be closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}

function descendantsOf(pid: number): readonly number[] {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((file) =>
    readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}
