import type { AgentGraph, ReceiptRow } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { Retriever } from "../io/ports";
import { createScripted, receiptRow } from "../test-support/scripted";

const graph: AgentGraph = {
	nodes: [
		{ id: "desk", kind: "coordinator" },
		{ id: "faq", kind: "knowledge", knowledgeBases: ["kb_1"] },
	],
	edges: [{ from: "desk", to: "faq", mode: "before" }],
};

/** Runs a graph whose search never ends and cancels it meanwhile. */
async function cancelSearch(read: () => readonly ReceiptRow[]) {
	const abortController = new AbortController();
	const retriever: Retriever = {
		retrieve(_, { setReceiptReader }) {
			setReceiptReader?.(read);
			setImmediate(() => abortController.abort());
			return new Promise(() => undefined);
		},
	};
	const { engine } = createScripted(graph, { ports: { retriever } });
	const result = await engine.run({ input: "Open?", signal: abortController.signal });
	expect(result.status).toBe("cancelled");
	return result;
}

describe("a run that is cancelled in the middle of a search", () => {
	it("has the calls of the search on its receipt, as they are when it is cancelled", async () => {
		const rows: ReceiptRow[] = [];
		const reading = cancelSearch(() => rows);
		rows.push(receiptRow({ stage: "rewrite", node: "faq", estimated: true }));
		const { receipt, usage } = await reading;
		expect(receipt).toEqual(rows);
		expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 3, model_calls: 1 });
	});

	it("ends, too, where the port cannot tell", async () => {
		const { receipt } = await cancelSearch(() => {
			throw new Error("The meter is broken.");
		});
		expect(receipt).toEqual([]);
	});
});
