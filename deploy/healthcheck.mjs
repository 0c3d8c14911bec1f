// node healthcheck.mjs <url>: exits with 0 where it answers with success in 2 seconds. For images, which have no curl.
const answer = await fetch(process.argv[2], { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
process.exit(answer?.ok === true ? 0 : 1);
