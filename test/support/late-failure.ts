/** Loaded into a server before anything else: on SIGUSR2 a promise fails that nobody waits for. */
process.on('SIGUSR2', () => void Promise.reject(new Error('made to fail')))
