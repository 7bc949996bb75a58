import { AppError } from '../../platform/errors.ts'

/** Nothing for those who may not see it any more, and of what is gone. */
export async function unlessHidden<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    const isHidden =
      error instanceof AppError && (error.code === 'not_found' || error.code === 'forbidden')
    if (!isHidden) throw error
    return undefined
  }
}
