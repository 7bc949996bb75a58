import { basic, type TestAnswer, type TestApp } from '../../support/app.ts'

export function signIn(app: TestApp, name: string, password: string): Promise<TestAnswer> {
  return app.get(undefined, '/user', { authorization: basic(name, password) })
}
