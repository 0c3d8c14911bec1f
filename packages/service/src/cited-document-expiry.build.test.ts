import type { CreatedClientKey, KnowledgeBase, SearchResult } from "@stemma/client";
import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { DOCUMENT_TOKEN_STEP_MS, DOCUMENT_TOKEN_TTL_MS } from "./auth/tokens/document-tokens";
import { expectApiError, readApiError } from "./test-support/expect-error";
import { getBody, waitUntilIndexed } from "./test-support/tenant";
import { openTestDeployment, type TestDeployment, type TestWorkspace } from "./test-support/test-deployment";

let deployment: TestDeployment;
let workspace: TestWorkspace;
let key: CreatedClientKey;

beforeAll(async () => {
	deployment = await openTestDeployment(built);
	workspace = await deployment.addWorkspace("tests");
	const { id } = await create<KnowledgeBase>("/v1/knowledge-bases", { name: "Handbook" });
	await create(`/v1/knowledge-bases/${id}/documents`, { text: "The ferry leaves at nine." });
	await waitUntilIndexed(workspace.send, id);
	key = await create("/v1/client-keys", { name: "app", native: true });
});
afterEach(() => vi.useRealTimers());
afterAll(() => deployment?.close());

const create = <Made>(path: string, json: object): Promise<Made> =>
	getBody<Made>(workspace.send("POST", path, { json }));

async function findUrl(): Promise<string> {
	const request = { json: { query: "When does the ferry leave?" }, token: key.client_key };
	const { passages } = await getBody<SearchResult>(workspace.send("POST", "/v1/search", request));
	return passages[0]?.document_url ?? expect.unreachable();
}

function open(address: string) {
	const { pathname, search } = new URL(address);
	return workspace.send("GET", pathname + search, { token: null });
}

/** Far longer than a request takes: the service's clock goes on meanwhile. */
const MARGIN_MS = 30_000;

// The clock of a service never goes back: these tests need a process that no others share.
it.each([
	["15 minutes, where it was made at the end of a step", -MARGIN_MS, DOCUMENT_TOKEN_TTL_MS],
	[
		"20 minutes, where it was made at the start of one",
		MARGIN_MS,
		DOCUMENT_TOKEN_TTL_MS + DOCUMENT_TOKEN_STEP_MS,
	],
])("the address of a cited document expires after %s", async (_, sinceStep, sinceStepAtEnd) => {
	const step = Math.ceil(Date.now() / DOCUMENT_TOKEN_STEP_MS + 1) * DOCUMENT_TOKEN_STEP_MS;
	// The service's clock follows the machine's, and nothing has to wait.
	vi.useFakeTimers({ toFake: ["Date"], now: step + sinceStep });
	const url = await findUrl();
	vi.setSystemTime(step + sinceStepAtEnd - MARGIN_MS);
	expect((await open(url)).status).toBe(200);
	vi.setSystemTime(step + sinceStepAtEnd);
	for (const address of [url, url.replace("/file?", "/text?")]) {
		const expired = await open(address);
		expectApiError(expired, 401, "document_token_expired");
		expect(readApiError(expired).hint).toContain("Ask again");
	}
	expect((await open(await findUrl())).status).toBe(200);
});
