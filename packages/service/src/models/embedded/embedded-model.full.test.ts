import { join } from "node:path";
import type { Answer, KnowledgeBase, KnowledgeDocument, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBody, waitUntilIndexed } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";
import type { EmbeddedModel } from "./embedded-model";
import { findEmbeddedPackages } from "./embedded-packages";

const { createEmbeddedModel }: { createEmbeddedModel(packages: object): EmbeddedModel } = await import(
	join(import.meta.dirname, "../../../dist/embedded-model.js")
);

describe("the thread of the embedded model", () => {
	it("makes vectors for several workspaces, and cancels what still waits", async () => {
		const model = createEmbeddedModel(findEmbeddedPackages());
		const text = "Opening hours of the office";
		const cancelled = new AbortController();
		const calls = ["one", "two"].map((id) =>
			model.forWorkspace(id, "documents").embed(Array.from({ length: 5 }, () => text)),
		);
		const waiting = model.forWorkspace("one", "questions").embed([text], { signal: cancelled.signal });
		cancelled.abort(new Error("not needed"));
		await expect(waiting).rejects.toThrow("not needed");
		const [one, two] = await Promise.all(calls);
		expect(one?.vectors).toHaveLength(5);
		expect(one?.vectors).toEqual(two?.vectors);
		await model.stop();
		await expect(model.forWorkspace("one", "questions").embed([text])).rejects.toMatchObject({
			code: "shutting_down",
		});
	});

	it("says why the model cannot be loaded, and tries again with the next call", async () => {
		const files = { embeddings: join(import.meta.dirname, "none.js"), weights: "/none.js" };
		const model = createEmbeddedModel(files);
		for (const text of ["one", "two"])
			await expect(model.forWorkspace("one", "questions").embed([text])).rejects.toMatchObject({
				code: "model_not_found",
				hint: expect.stringContaining("npm install"),
			});
		await model.stop();
	});
});

describe("a service with the embedded model", () => {
	let deployment: TestDeployment;
	let workspace: TestWorkspace;
	let base: KnowledgeBase;
	beforeAll(async () => {
		deployment = await openTestDeployment(built, { embeddings: { provider: "embedded" } });
		workspace = await deployment.addWorkspace("readers");
		base = await getBody<KnowledgeBase>(
			workspace.send("POST", "/v1/knowledge-bases", { json: { name: "Help" } }),
		);
		for (const [title, text] of TEXTS) {
			const document = { title, text, format: "text" };
			const path = `/v1/knowledge-bases/${base.id}/documents`;
			await getBody<KnowledgeDocument>(workspace.send("POST", path, { json: document }));
		}
		await waitUntilIndexed(workspace.send, base.id);
	});
	afterAll(() => deployment?.close());

	const search = (query: string) => {
		const json = { query, knowledge_base_ids: [base.id], top_k: 3 };
		return getBody<SearchResult>(workspace.send("POST", "/v1/search", { json }));
	};

	it("finds by meaning, and nobody pays", async () => {
		const { passages, receipt } = await search("How can I modify my login secret?");
		expect(passages[0]?.title).toBe("Accounts");
		expect(receipt).toMatchObject([
			{ stage: "embed", payer: "none", provider: "embedded", vendor_host: "", input_tokens: 0 },
		]);
		expect(receipt?.[0]).not.toHaveProperty("estimated");
	});

	it("finds by words alone what is asked and written in another language", async () => {
		const { passages } = await search("Wie kündige ich den Mietvertrag der Wohnung?");
		expect(passages[0]?.title).toBe("Miete");
	});

	it("refuses texts in other languages where vectors themselves are wanted", async () => {
		const embed = (input: string) =>
			workspace.send("POST", "/v1/embeddings", { json: { model: "default", input } });
		expect((await embed("The office opens at nine.")).status).toBe(200);
		const refused = await embed("Das Büro öffnet morgens um neun Uhr.");
		expect(refused.status).toBe(422);
		expect(refused.body).toMatchObject({ error: { code: "unsupported_language" } });
	});

	it("says so in the plan of stages and answers without a vendor", async () => {
		const { stages } = await getBody<{ stages: readonly object[] }>(
			workspace.send("GET", "/v1/workspace/llm-settings/stages"),
		);
		expect(stages).toContainEqual(
			expect.objectContaining({ stage: "index", payer: "none", provider: "embedded" }),
		);
		const json = { question: "How can I choose a new password?", knowledge_base_ids: [base.id] };
		const answer = await getBody<Answer>(workspace.send("POST", "/v1/ask", { json }));
		expect(answer.receipt?.every(({ payer }) => payer === "none")).toBe(true);
	});
});

const TEXTS = [
	["Accounts", "To choose a new password, open the settings of your account and enter the old one first."],
	["Garden", "Tomatoes grow best in warm soil, with plenty of sun and water every morning."],
	["Trains", "The night train to the coast leaves from platform seven at ten in the evening."],
	["Miete", "Der Mietvertrag kann von beiden Seiten mit einer Frist von drei Monaten gekündigt werden."],
] as const;
