import { suite } from 'node:test'
import { testMutations } from '../support/mutations.ts'
import { isOfAccounts, isOfRepositories } from './groups.ts'

suite(
  'random mutations of requests never give a 5xx, for what people have beside repositories',
  () => {
    testMutations(
      { runs: 60, together: 12 },
      (route) => !isOfAccounts(route) && !isOfRepositories(route),
    )
  },
)
