// What `npm start` prints at its end.

/**
 * Says where everything is, and what to run next.
 *
 * @param {string} platform as `process.platform`; the shells of Windows quote in another way, so that it gets no lines for curl
 * @param {import("./demo-next-steps.d.mts").DemoSteps} demo
 * @param {number} defaultPort of the service, which is written in the pages of the examples
 */
export function describeNextSteps(platform, demo, defaultPort) {
	const { data, agents, credentials, serviceUrl, runtimeUrl, link, knowledgeBase } = demo;
	const requests = platform === "win32" ? "" : `\n${describeRequests(demo)}\n`;
	return `
Web app  ${link}
         (signs you in once, within 15 minutes; another link: npm run stemma -- login-link --data ${data})
Service  ${serviceUrl}  credentials: ${credentials}
Runtime  ${runtimeUrl}  agents: ${agents}
${describePort(serviceUrl, defaultPort)}
Next, in another terminal:
  npm run stemma -- ask --data ${data} --kb ${knowledgeBase} "What is the monthly wellness reimbursement?"
  npm run stemma -- ingest <your folder> --kb mine --create --data ${data}
  npm run stemma -- --help
${requests}
Ctrl-C stops both. Another question: npm start -- "…"`;
}

function describeRequests({ credentials, runtimeUrl, serviceUrl, agentId, body }) {
	const clientKey = `$(node -p "require('./${credentials}').client_key")`;
	return `  curl ${runtimeUrl}/run/${agentId} -H 'content-type: application/json' -d '{"input": "How do I claim expenses?"}'
  curl -N ${serviceUrl}/v1/ask -H "authorization: Bearer ${clientKey}" \\
    -H 'content-type: application/json' -H 'accept: text/event-stream' -d '${body.replaceAll("'", "\\u0027")}'`;
}

/** Commands find the service by its data folder; pages have its usual address written in them. */
function describePort(url, defaultPort) {
	const usual = `http://127.0.0.1:${defaultPort}`;
	if (url === usual) return "";
	return `
note: Port ${defaultPort} was not free. The commands of the README find this service automatically; in the pages of the
      examples, write ${url} in place of ${usual}.
`;
}
