/**
 * Asks the desk and follows its answer.
 *
 * @param {Pick<import("@stemma/client").RuntimeAgents, "stream">} agents
 * @param {string} question
 * @param {(text: string) => void} onText gets the answer so far
 * @returns the citations of the answer
 */
export async function askDesk(agents, question, onText) {
	let text = "";
	const run = agents.stream("desk", { input: question });
	for await (const event of run) {
		// An answer may be taken back and begun again.
		if (event.type === "text.reset") text = "";
		if (event.type === "text.delta" && event.final) text += event.text;
		onText(text);
	}
	const { citations } = await run.result();
	return citations;
}

/** `[1] Refunds › How long it takes` for each passage that the answer quotes. */
export function describeSources(citations) {
	return citations
		.map(({ n, title, place }) => `[${n}] ${[title, place?.heading].filter(Boolean).join(" › ")}`)
		.join("\n");
}
