import { suite } from 'node:test'
import { testMutations } from '../support/mutations.ts'
import { isOfRepositories } from './groups.ts'

suite('random mutations of requests never give a 5xx, for repositories', () => {
  testMutations({ runs: 60, together: 12 }, isOfRepositories)
})
