/**
 * Every difference is found in the same way, for the API, pages, patches and numbers: files that
 * moved are told as such, and lines are matched as `histogram` does.
 */
export const diffForm: readonly string[] = ['-M', '--diff-algorithm=histogram']
