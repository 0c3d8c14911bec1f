import { isStemmaError, Stemma } from "@stemma/client";

let stemma;

/** Created with the first request: builds such as `next build` load this module where there are no credentials. */
function getStemma() {
	stemma ??= new Stemma({
		baseUrl: process.env.STEMMA_BASE_URL ?? "http://127.0.0.1:4000",
		clientId: process.env.STEMMA_CLIENT_ID,
		clientSecret: process.env.STEMMA_CLIENT_SECRET,
	});
	return stemma;
}

/**
 * Answers `{question}` with lines of JSON, each as soon as there is something to tell: `{text}`, `{reset}`, and at the end
 * `{status, sources}`. A handler of web standards: Next.js takes it as `app/api/ask/route.js`.
 */
export async function POST(request) {
	// Whatever comes: a body that is no JSON, or no object.
	const question = (await request.json().catch(() => undefined))?.question;
	if (typeof question !== "string" || question === "")
		return Response.json({ error: "invalid_request" }, { status: 400 });
	// A page that leaves aborts the request, and that stops the run.
	const options = { signal: request.signal };
	try {
		const run = getStemma().agents.stream(
			"shop-desk",
			{ input: question, context: { customer: "Ada" } },
			options,
		);
		const events = run[Symbol.asyncIterator]();
		// Until the run has begun, an error still has a status of its own.
		await events.next();
		const headers = { "content-type": "application/x-ndjson", "cache-control": "no-store, no-transform" };
		return new Response(toLines(events, run), { headers });
	} catch (error) {
		return Response.json(describe(error), { status: 502 });
	}
}

/** Reads events as fast as the page takes lines, and no faster. */
function toLines(events, run) {
	const encoder = new TextEncoder();
	const write = (controller, line) => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
	return new ReadableStream({
		async pull(controller) {
			try {
				const { done, value: event } = await events.next();
				if (done) {
					const { status, citations } = await run.result();
					write(controller, { status, sources: citations.map(({ n, title }) => ({ n, title })) });
					controller.close();
				} else if (event.type === "text.reset") write(controller, { reset: true });
				else if (event.type === "text.delta" && event.final) write(controller, { text: event.text });
				// What writes nothing does not ask again by itself.
				else await this.pull(controller);
			} catch (error) {
				write(controller, describe(error));
				controller.close();
			}
		},
		cancel: () => run.cancel(),
	});
}

/** Pages are told what happened; the rest is for the log. */
function describe(error) {
	console.error(error);
	return { error: isStemmaError(error) ? error.code : "internal" };
}
