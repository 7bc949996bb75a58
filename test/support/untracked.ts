// Loaded into every process of the tests, before their runner.
import hooks from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * The runner follows every promise and every handle, only to tell whose test an error belongs to
 * that nobody caught: a fifth of all the time. Without that such an error still fails the run, in
 * the name of the file.
 */
async function loadRunnerUntracked(): Promise<void> {
  const { createHook } = hooks
  hooks.createHook = () => {
    const hook = { enable: () => hook, disable: () => hook }
    return hook
  }
  await import('node:test')
  hooks.createHook = createHook
}

if (isMainThread) await loadRunnerUntracked()
