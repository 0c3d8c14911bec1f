import { type EmbeddingModel, ProviderError } from "@stemma/routing";
import { expect, it } from "vitest";
import { resolveConfiguration } from "../../configuration/resolve-configuration";
import type { SearchQuery } from "../../knowledge/repositories/passage-index";
import type { CallMeter } from "../../models/metering/call-meter";
import { createModels } from "../../models/models";
import { planSearch } from "../queries/question-plan";
import { retrieve } from "./retrieve";

const configuration = resolveConfiguration({ content: { embeddings: { provider: "embedded" } } });
const question = "How do I reset my password?";

/** Searches with an embedded model that does this. @returns the queries, and the payers on the receipt. */
async function searchWith(embed: EmbeddingModel["embed"], signal = new AbortController().signal) {
	const model: EmbeddingModel = { provider: "embedded", model: "small", vendorHost: "", embed };
	const embedded = { forWorkspace: () => model, stop: async () => undefined };
	const models = createModels(configuration, { outbound: fetch, embedded });
	const searched: SearchQuery[] = [];
	const payers: string[] = [];
	const meter: CallMeter = {
		limitOutput: async () => undefined,
		reserve: async (tokens) => {
			expect(tokens).toBe(0);
			return () => undefined;
		},
		toCallerError: (error) => error,
		onReceipt: ({ payer }) => void payers.push(payer),
		acquire: () => Promise.reject(new Error("No vendor is called.")),
	};
	const knowledge = {
		search: async (_: unknown, queries: readonly SearchQuery[]) => {
			searched.push(...queries);
			return [];
		},
	};
	const plan = planSearch(models, {}, {});
	await retrieve(
		{ queries: [question], rerankQuery: question, knowledge_base_ids: ["kb_1"] },
		{ knowledge, models, plan, meter, signal },
	);
	return { searched, payers };
}

it("searches by the vector of the embedded model, for which nobody pays", async () => {
	const values = Float32Array.of(1, 2);
	const { searched, payers } = await searchWith(async () => ({ vectors: [values] }));
	expect(searched).toMatchObject([{ text: question, vector: { values, space: { base_url: "" } } }]);
	expect(payers).toEqual(["none"]);
});

it("searches by words alone where the embedded model does not know the language", async () => {
	const { searched } = await searchWith(async () => ({ vectors: [new Float32Array(2)] }));
	expect(searched).toEqual([{ text: question }]);
});

it("searches by words alone where the embedded model fails, unless the search was cancelled", async () => {
	const fail = () => Promise.reject(new ProviderError("It failed.", { code: "overloaded", vendorHost: "" }));
	expect((await searchWith(fail)).searched).toEqual([{ text: question }]);
	await expect(searchWith(fail, AbortSignal.abort(new Error("cancelled")))).rejects.toThrow("It failed.");
});
