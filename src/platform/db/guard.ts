import type { Executor } from './database.ts'

/**
 * What must still be so when a record is changed. It is asked in the transaction of the change,
 * about the record as nobody else can change it any more, and throws where it is not.
 */
export type Guard<T> = (tx: Executor, current: T) => Promise<void>
