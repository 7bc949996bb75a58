import type { TestContext } from 'node:test'

export interface Fault {
  readonly hasHappened: boolean
}

type Call = (this: unknown, ...values: unknown[]) => unknown

/** The next call of a method throws, or the next with values that are meant. */
export function failOnce(
  t: TestContext,
  of: object,
  name: string,
  isMeant: (values: readonly unknown[]) => boolean = () => true,
): Fault {
  const fault = { hasHappened: false }
  const before = Object.getOwnPropertyDescriptor(of, name)
  const restore = () => {
    if (before) Object.defineProperty(of, name, before)
    else Reflect.deleteProperty(of, name)
  }
  t.after(restore)
  const original = Reflect.get(of, name) as Call
  const failing: Call = function (this: unknown, ...values) {
    if (!isMeant(values)) return original.apply(this, values)
    restore()
    fault.hasHappened = true
    throw new Error(`${name} was made to fail`)
  }
  Object.defineProperty(of, name, { configurable: true, writable: true, value: failing })
  return fault
}
