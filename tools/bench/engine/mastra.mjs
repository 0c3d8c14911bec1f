import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";
import { ask, createReplyModel } from "./scripted-model.mjs";

/** Without events. */
export function prepareStart(length) {
	const workflow = createChain(length);
	return {
		steps: length,
		async run() {
			const run = await workflow.createRun();
			check(await run.start({ inputData: "A question." }));
		},
	};
}

/** With events: the start and the result of every step. */
export function prepareStream(length, replyModel = createReplyModel()) {
	const workflow = createChain(length, replyModel);
	return {
		steps: length,
		async run() {
			const run = await workflow.createRun();
			const output = run.stream({ inputData: "A question." });
			let events = 0;
			for await (const _ of output.fullStream) events += 1;
			check(await output.result);
			if (events < 2 * length) throw new Error(`${events} events of ${length} steps.`);
		},
	};
}

function createChain(length, replyModel = createReplyModel()) {
	const text = z.string();
	let workflow = createWorkflow({
		id: "chain",
		inputSchema: text,
		outputSchema: text,
		// The nodes of the other subjects have no schemas, so these are not checked either.
		options: { validateInputs: false },
	});
	for (let index = 0; index < length; index++) {
		const execute = async ({ inputData }) => {
			const reply = await ask(replyModel, { messages: [{ role: "user", content: inputData }] });
			return reply.text;
		};
		workflow = workflow.then(
			createStep({ id: `node_${index}`, inputSchema: text, outputSchema: text, execute }),
		);
	}
	return workflow.commit();
}

function check({ status, error }) {
	if (status !== "success") throw new Error(`The workflow ended as ${status}: ${error?.message}`);
}
