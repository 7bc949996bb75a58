import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { writeAskPass } from './ask-pass.ts'
import { writeHooks } from './hooks.ts'

/** Refs of the server itself, which are shown to nobody. */
export const HIDDEN_REFS = 'refs/codestead/'

/**
 * New objects reach the disk together, not each by itself. Git does not say when one of them is
 * lost on that way, so this is for commands alone that look whether all are there before a ref
 * leads to them.
 */
export const flushedTogether = ['core.fsyncMethod', 'batch'] as const

/**
 * Git's settings for every process we start: nothing of the machine's or of a repository's maker
 * counts.
 */
const settings = `
[core]
	hooksPath = /dev/null
	fsmonitor = false
	logAllRefUpdates = false
	quotePath = false
	precomposeUnicode = false
	fsync = committed
	bigFileThreshold = 64m
	filesRefLockTimeout = 1000
	# Objects are borrowed only while they arrive, from where they go: its refs are known.
	alternateRefsCommand = true
[safe]
	bareRepository = explicit
	directory = *
[credential]
	helper =
[protocol]
	allow = never
[transfer]
	fsckObjects = true
	bundleURI = false
	hideRefs = ${HIDDEN_REFS.slice(0, -1)}
[uploadpack]
	allowFilter = true
	allowTipSHA1InWant = true
	allowReachableSHA1InWant = true
[receive]
	autogc = false
	advertiseAtomic = true
	advertisePushOptions = true
	denyDeleteCurrent = ignore
[fastimport]
	unpackLimit = 20
[gc]
	auto = 0
[maintenance]
	auto = false
[pack]
	windowMemory = 64m
	threads = 2
[submodule]
	recurse = false
[http]
	followRedirects = false
[diff]
	external =
[init]
	templateDir =
`

/** Writes git's settings into the data folder, and gives the environment in which git runs. */
export function prepareGit(config: Config): GitEnvironment {
  const home = join(config.data, 'git')
  mkdirSync(home, { recursive: true })
  const file = join(home, 'config')
  writeFileSync(file, settings)
  writeHooks(home)
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: file,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: writeAskPass(home),
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    TZ: 'UTC',
  }
}

export type GitEnvironment = Readonly<Record<string, string>>
