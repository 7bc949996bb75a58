import { suite } from 'node:test'
import { testMutations } from '../support/mutations.ts'
import { isOfAccounts } from './groups.ts'

suite('random mutations of requests never give a 5xx, for accounts and organizations', () => {
  testMutations({ runs: 200, together: 8 }, isOfAccounts)
})
